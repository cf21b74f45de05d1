"""The public functions: their results, and their errors about bad input."""

import pickle
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest

import summeval
from summeval import Rouge
from summeval.interop.reward import Rewards
from summeval.metrics import registry

CANDIDATES = ["the cat sat on the mat", "a dog\nbarked at night", "", "nothing shared", None]
REFERENCES = [
    ["the cat sat", "a cat was on the mat"],
    "the dog barked\nlast night",
    "something",
    ["other words", None],
    "a reference",
]
NAMES = [name for name in summeval.list_metrics() if name.startswith("rouge")]


def table_bytes(table):
    return b"".join(table[column].tobytes() for column in table.columns)


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(7)
    words = [f"w{i}" for i in range(300)]
    texts = [" ".join(rng.choice(words, rng.integers(0, 60))) for _ in range(600)]
    references = [[str(t) for t in rng.choice(texts, rng.integers(0, 4))] for _ in texts]
    return texts, references


@pytest.mark.parametrize("workers", [2, 3, 8, -1])
def test_results_do_not_depend_on_workers(many, workers):
    one = summeval.score_batch(*many, NAMES)
    assert table_bytes(summeval.score_batch(*many, NAMES, workers=workers)) == table_bytes(one)


def test_results_do_not_depend_on_the_batch(many):
    whole = summeval.score_batch(*many, NAMES)
    for column in whole.columns:
        parts = [
            summeval.score_batch(many[0][i : i + 97], many[1][i : i + 97], NAMES)[column]
            for i in range(0, 600, 97)
        ]
        assert np.concatenate(parts).tobytes() == whole[column].tobytes()


def test_single_calls_and_prepared_references_give_the_batch(many):
    table = summeval.score_batch(*many, NAMES)
    suite = summeval.suite(NAMES)
    for row in range(0, 600, 23):
        candidate, references = many[0][row], many[1][row]
        single = suite.score(candidate, references)
        assert pickle.dumps(single) == pickle.dumps(suite.prepare(references).score(candidate))
        for name in NAMES:
            for field in ("precision", "recall", "fmeasure"):
                expected = table[f"{name}.{field}"][row]
                assert np.float64(single[name][field]).tobytes() == expected.tobytes()


def test_arrow_columns_give_the_lists_numbers(many):
    texts, references = many
    expected = table_bytes(summeval.score_batch(texts, references, NAMES))
    for text_type in (pa.string(), pa.large_string(), pa.string_view()):
        found = summeval.score_batch(
            pa.chunked_array([pa.array(texts[:100], text_type), pa.array(texts[100:], text_type)]),
            pa.array(references, pa.list_(text_type)),
            NAMES,
        )
        assert table_bytes(found) == expected


def test_threads_may_share_a_metric_and_prepared_references(many):
    suite = summeval.suite(["rouge1", "rouge2", "rougeLsum", "rougeSU4"])
    prepared = suite.prepare(many[0][:3])
    expected = [pickle.dumps(prepared.score(text)) for text in many[0]]
    wrong = []

    def work():
        for text, score in zip(many[0], expected, strict=True):
            if pickle.dumps(prepared.score(text)) != score:
                wrong.append(text)
            suite.score(text, many[0][:3])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_metrics_with_different_options_stand_side_by_side():
    stemmed = summeval.metric("rouge1", stemmer="porter", label="stemmed")
    scores = summeval.score("cats", "cat", ["rouge1", stemmed, "rouge2"])
    assert list(scores) == ["rouge1", "stemmed", "rouge2"]
    assert (scores["rouge1"].value, scores["stemmed"].value) == (0, 1)
    table = summeval.score_batch(["cats"], ["cat"], [stemmed, "rouge1"])
    assert table.columns[0] == "stemmed.precision"


SHARED = {
    "tokenizer": ("unicode", "Größe der Häuser", "große Größe"),
    "stemmer": ("porter", "The cats sat", "a cat sits"),
    "stopwords": (True, "the cat and the dog", "the bird and the bee"),
    "case": ("lower", "THE CAT SAT", "the cat sat"),
    "sentences": ("rules", "A cat sat. It slept long.", "It slept long. A cat sat."),
}


@pytest.mark.parametrize("option", SHARED)
def test_options_are_shared_by_the_metrics_that_have_them(option):
    value, *texts = SHARED[option]
    names = ["rouge1", "rougeLsum", "tesla-s", "npower", "memog"]
    having = [name for name in names if option in registry.options_of(name)]
    assert having
    own = [summeval.metric(n, **({option: value} if n in having else {})) for n in names]
    expected = summeval.score(*texts, own)
    shared = {option: value}
    assert summeval.score(*texts, names, **shared) == expected
    assert summeval.suite(names, **shared).score(*texts) == expected
    columns = [[text] * 3 for text in texts]
    table = summeval.score_batch(*columns, names, **shared)
    assert table_bytes(table) == table_bytes(summeval.score_batch(*columns, own))
    assert Rewards(names, **shared)(*columns) == Rewards(own)(*columns)
    assert Rewards("rouge1.recall", stemmer="porter").signature == {
        "rouge1": str(summeval.metric("rouge1", stemmer="porter").signature)
    }
    # a call without them, before and after, is not that of a call with them
    assert summeval.score(*texts, names) != expected
    assert summeval.score(*texts, names) == summeval.score(*texts, [*map(summeval.metric, names)])


def test_words_and_functions_are_shared_too_and_never_mixed_up():
    texts = "a cat sat", "the cat sat"
    for _ in range(3):
        for words in ({"cat"}, ["cat", "sat"], ("a", "the", "sat")):
            found = summeval.score(*texts, "rouge1", stopwords=words)
            assert found == summeval.score(*texts, summeval.metric("rouge1", stopwords=words))
        for function in (str.split, list, lambda text: [text], lambda text: text.split("t")):
            found = summeval.score(*texts, ["rouge1"], tokenizer=function)
            assert found == summeval.score(*texts, summeval.metric("rouge1", tokenizer=function))
    stemmed = summeval.metric("rouge2", label="own", stemmer="porter")
    given = ["rouge1", stemmed, "preset:classic"]
    made = summeval.suite(given, stopwords=True)
    assert [str(line.options["stopwords"]) for line in made.signature.values()] == [
        *("rouge155", "none", "rouge155", "rouge155")
    ]


@pytest.mark.parametrize(
    ("metrics", "options", "error", "message"),
    [
        ("rouge1", {"case": "lower"}, ValueError, "case= concerns none of the metrics rouge1; lea"),
        ("rouge1", {"stemmer": "x"}, ValueError, "stemmer is 'x'; choose from None, 'rouge155', "),
        ("be", {"stemmer": 3}, ValueError, "stemmer is 3; choose from None"),
        ("rouge1", {"tokeniser": "x"}, TypeError, "unknown option 'tokeniser'; did you mean token"),
        ("rouge1", {"alpha": 1}, TypeError, r"of one metric: summeval.metric\(name, alpha=...\)"),
        (Rouge("rouge1"), {"stemmer": None}, ValueError, "stemmer= is for metrics given by name; "),
    ],
)
def test_shared_options_that_cannot_be_are_told_in_a_line(metrics, options, error, message):
    calls = (
        lambda: summeval.score("a", "a", metrics, **options),
        lambda: summeval.score_batch(["a"], ["a"], metrics, **options),
        lambda: summeval.suite(metrics, **options),
        lambda: Rewards(metrics, **options),
    )
    for call in calls:
        with pytest.raises(error, match=message) as told:
            call()
        assert "\n" not in str(told.value)
    with pytest.raises(TypeError, match="stemmer is fixed by the preset 'content'; leave it out"):
        Rewards.preset("content", stemmer="porter")


def test_empty_batches_and_missing_texts():
    table = summeval.score_batch([], [], NAMES)
    assert table.rows == 0
    assert np.isnan(table.mean()["rouge1.recall"])
    table = summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1"])
    assert np.isnan(table["rouge1"]).tolist() == [False, False, False, False, True]
    assert table["rouge1"][2] == 0


def test_progress_is_told_and_changes_nothing(many):
    texts, references = (side * 20 for side in many)
    told = []
    shown = summeval.score_batch(
        texts, references, ["rouge1"], progress=lambda done, rows: told.append((done, rows))
    )
    assert told[-1] == (12000, 12000)
    assert len(told) > 1
    assert table_bytes(shown) == table_bytes(summeval.score_batch(texts, references, ["rouge1"]))
    quiet = summeval.score_batch(texts, references, ["rouge1"], progress=True)
    assert table_bytes(shown) == table_bytes(quiet)


def test_an_error_in_a_later_part_names_its_row(many):
    texts, references = list(many[0]) * 10, list(many[1]) * 10
    texts[5000] = references[5000] = "a " * 200_000
    with pytest.raises(ValueError, match="row 5000: too many skip-bigrams"):
        summeval.score_batch(texts, references, "rougeS*", progress=lambda done, rows: None)


def test_modules_of_metrics_are_there_when_they_are_named():
    pytest.importorskip("sklearn")
    program = (
        "import summeval\n"
        "assert summeval.metrics.pyramid.modified_score([[1]], [1]).value == 1\n"
        "assert summeval.learn.RankSVM().C is None\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    with pytest.raises(AttributeError, match="no attribute 'piramid'"):
        _ = summeval.metrics.piramid


def test_numbers_of_numpy_are_options():
    some = {"max_words": np.int64(3), "alpha": np.float32(0.5)}
    plain = summeval.metric("rouge1", max_words=3)
    assert summeval.metric("rouge1", **some).signature == plain.signature
    weighted = summeval.metric("rougeW", weight=np.float32(1.5))
    assert weighted.signature == summeval.metric("rougeW", weight=1.5).signature
    graphs = summeval.AutoSummENG(min_n=np.int64(2), max_n=np.uint8(3))
    assert graphs.signature == summeval.AutoSummENG(min_n=2, max_n=3).signature
    assert summeval.score_batch(["a"], ["a"], workers=np.int32(2))["rouge1.recall"].tolist() == [1]
    with pytest.raises(ValueError, match="max_words is True; give a number"):
        summeval.metric("rouge1", max_words=True)


def test_a_table_converts_and_means_what_it_says():
    pytest.importorskip("pandas")
    table = summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1"])
    assert table.to_arrow().column_names == table.columns
    assert table.to_arrow().schema.metadata[b"rouge1"].decode() == table.signature["rouge1"]
    assert table.to_pandas()["rouge1.recall"].equals(table.to_pandas()["rouge1.recall"])
    assert table.mean()["rouge1.recall"] == pytest.approx(np.nanmean(table["rouge1.recall"]))
    average, lower, upper = table.bootstrap(resamples=200)["rouge1.recall"]
    assert lower <= average <= upper
    with pytest.raises(KeyError, match=r"no column 'rouge1.recal'; did you mean rouge1.recall"):
        table["rouge1.recal"]


def test_a_table_is_its_columns_to_whatever_takes_a_dict_an_array_or_arrow():
    table = summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1", "tesla-s"])
    assert {name: id(column) for name, column in dict(table).items()} == {
        name: id(table[name]) for name in table.columns
    }
    array = np.asarray(table)
    assert array.shape == (5, 6)
    for place, name in enumerate(table.columns):
        assert np.array_equal(array[:, place], table[name], equal_nan=True)
    assert np.asarray(table, dtype=np.float32).dtype == np.float32
    whole = summeval.score_batch(CANDIDATES[:4], REFERENCES[:4], ["rouge1"])  # NaN equals nothing
    assert pa.table(whole).equals(whole.to_arrow())
    exported = pa.RecordBatchReader.from_stream(whole).read_all()
    assert exported.equals(whole.to_arrow(), check_metadata=True)
    empty = summeval.score_batch([], [], ["rouge1"])
    assert np.asarray(empty).shape == (0, 3)
    with pytest.raises(ValueError, match="is copied to one array; leave copy= out"):
        table.__array__(copy=False)


def test_data_frames_take_a_table_as_it_is():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = summeval.score_batch(CANDIDATES, REFERENCES, ["rouge1"])
    columns = {name: column.tolist() for name, column in dict(table).items()}
    assert polars.DataFrame(table).equals(polars.DataFrame(columns))
    frame = pandas.DataFrame({"id": range(5)}).assign(**table)
    assert frame.drop(columns="id").equals(table.to_pandas())
    assert np.array_equal(pandas.DataFrame(table).to_numpy(), np.asarray(table), equal_nan=True)


def test_a_notebook_shows_the_first_rows_and_the_means():
    metric = summeval.metric("rouge1", label="<b>")
    table = summeval.score_batch(["a b"] * 12, ["a c"] * 11 + ["a b"], [metric])
    shown = table._repr_html_()
    assert shown.count("<tr>") == 1 + 10 + 1
    assert "<td>&lt;b&gt;.recall</td>" in shown
    assert "<tr><td>9</td><td>0.5</td><td>0.5</td><td>0.5</td></tr>" in shown
    assert shown.endswith("<p>12 rows</p>")
    assert f"<td>mean</td><td>{6.5 / 12:.5g}</td>" in shown
    assert "<td>nan</td>" in summeval.score_batch([None], ["a"], [metric])._repr_html_()


def test_suites_and_prepared_references_name_their_metrics():
    suite = summeval.suite(["rouge1", "tesla-s"])
    assert repr(suite) == "<Suite: rouge1, tesla-s>"
    assert repr(suite.prepare("a")) == "<Prepared of <Suite: rouge1, tesla-s>>"
    assert repr(summeval.metric("rouge2").prepare("a")).startswith("<Prepared of <Rouge rouge2|")


def test_a_score_cannot_be_changed_and_compares_by_value():
    score = summeval.score("a b", "a c", "rouge1")["rouge1"]
    with pytest.raises(AttributeError):
        score.recall = 1.0
    with pytest.raises(AttributeError, match="no field 'f1'; it has precision, recall, fmeasure"):
        _ = score.f1
    assert score == pickle.loads(pickle.dumps(score))
    assert {score} == {summeval.score("a b", "a c", "rouge1")["rouge1"]}
    assert dict(score) == {"precision": 0.5, "recall": 0.5, "fmeasure": 0.5}
    assert (*score, len(score), "recall" in score, score.get("f1")) == (
        *(0.5, 0.5, 0.5),
        3,
        True,
        None,
    )


BAD_BATCHES = [
    (("one text", ["a"]), TypeError, "candidates is a str; pass a list of texts"),
    ((["a"], "one text"), TypeError, "references is a str; pass a list"),
    ((["a", "b"], ["a"]), ValueError, "2 candidates but 1 rows of references"),
    ((["a", 3], ["a", "b"]), TypeError, r"candidates\[1\] is int, expected str or None"),
    ((["a"], [["a", 3.5]]), TypeError, r"references\[0\]\[1\] is float"),
    ((["a"], [7]), TypeError, r"references\[0\] is int"),
    (
        (["\ud800"], ["a"]),
        ValueError,
        r"candidates\[0\] contains an unpaired surrogate at character 0",
    ),
    (
        (["a"], [["b", "x\udfff"]]),
        ValueError,
        r"references\[0\]\[1\] contains an unpaired surrogate",
    ),
    ((None, ["a"]), TypeError, "candidates is NoneType"),
    (({"a": 1}, ["a"]), TypeError, "candidates is a dict"),
    (([b"a"], ["a"]), TypeError, r"candidates\[0\] is bytes, expected str or None"),
    ((["a"], [b"a"]), TypeError, r"references\[0\] is bytes"),
    ((["a"], [["a", b"a"]]), TypeError, r"references\[0\]\[1\] is bytes"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BAD_BATCHES)
def test_a_bad_batch_is_told_in_a_line(arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        summeval.score_batch(*arguments)
    assert "\n" not in str(caught.value)


BAD_PAIRS = [
    ((b"a", 5), TypeError, "references is int; pass a str or a sequence of str"),
    ((5, "a"), TypeError, "candidate is int, expected str or None"),
    (("a", ["b", 5]), TypeError, r"references\[1\] is int"),
    (("a\ud800", "b"), ValueError, "candidate contains an unpaired surrogate at character 1"),
    (("a", {"b": 1}), TypeError, "references is dict"),
    ((b"a", "a"), TypeError, "candidate is bytes, expected str or None"),
    (("a", b"a"), TypeError, "references is bytes; pass a str or a sequence of str"),
    (("a", ["a", b"a"]), TypeError, r"references\[1\] is bytes"),
    (("a", "a", 5), TypeError, "metrics is int; pass names or metric objects"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BAD_PAIRS)
def test_a_bad_pair_is_told_in_a_line(arguments, error, message):
    with pytest.raises(error, match=message):
        summeval.score(*arguments)


BAD_METRICS = [
    ("rouge11", ValueError, "unknown metric 'rouge11'; did you mean rouge1"),
    ("rouge-l", ValueError, "did you mean rougeL"),
    ([], ValueError, "no metrics were given"),
    (["rouge1", "rouge1"], ValueError, "two metrics are called 'rouge1'; give one of them a label"),
    ([3], TypeError, "a metric's name is a str, not int"),
]


@pytest.mark.parametrize(("metrics", "error", "message"), BAD_METRICS)
def test_bad_metrics_are_told_in_a_line(metrics, error, message):
    with pytest.raises(error, match=message):
        summeval.score("a", "a", metrics)


@pytest.mark.parametrize("workers", [0, -2, 1.5, True, "2"])
def test_bad_workers_are_told(workers):
    with pytest.raises(ValueError, match="give a number of threads, or -1 for all"):
        summeval.score_batch(["a"], ["a"], workers=workers)


def test_sources_must_be_as_many_as_candidates():
    assert summeval.score_batch(["a"], ["a"], sources=["b"]).rows == 1
    with pytest.raises(ValueError, match="1 candidates but 2 sources"):
        summeval.score_batch(["a"], ["a"], sources=["b", "c"])


def test_nul_and_bytes_outside_ascii_are_text():
    found = summeval.score("a\0b caf\u00e9", "a b caf", "rouge1")["rouge1"]
    assert found.value == 1


def test_ten_megabytes_in_one_text():
    big = "the quick brown fox " * 500_000
    found = summeval.score(
        big, "the lazy dog\nand the fox", ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    )
    assert found["rouge1"].recall == 3 / 6
    assert found["rougeL"].recall == 3 / 6
    assert summeval.score("the fox", big, "rougeLsum")["rougeLsum"].precision == 1
    assert summeval.metric("rouge1", max_words=2).score(big, "the quick").value == 1
    one_word = "x" * 10_000_000
    assert summeval.score(one_word, [one_word, "y"], "rouge1")["rouge1"].value == 1


def test_names_of_the_face_are_there_after_a_bare_import():
    program = (
        "import summeval, summeval.metrics.rouge.metric\n"
        "assert 'rouge1' in summeval.list_metrics()\n"
        "assert summeval.metrics.rouge.metric.Rouge is summeval.Rouge\n"
        "assert summeval.text.tokens('A b') == ['a', 'b']\n"
        "public = {name for name in dir(summeval) if name[0] != '_'}\n"
        "assert set(summeval.__all__) - {'__version__'} <= public\n"
        "more = public - set(summeval.__all__)\n"
        "folders = {'annotate', 'elements', 'io', 'learn', 'meta', 'metrics', 'solvers', 'text'}\n"
        "assert more == folders, more\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
    assert "qarla" in summeval.meta.__all__
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = summeval.nothing


def test_prepared_references_pickle():
    for prepared in (
        summeval.suite(["rouge1", "tesla-s"]).prepare(["a b", "b c"]),
        summeval.metric("rouge2").prepare("a b c"),
    ):
        again = pickle.loads(pickle.dumps(prepared))
        assert pickle.dumps(again.score("a b")) == pickle.dumps(prepared.score("a b"))


def test_a_table_cannot_be_changed():
    table = summeval.score_batch(["a"], ["a"], ["rouge1"])
    with pytest.raises(ValueError, match="read-only"):
        table["rouge1"][0] = 7
    table.signature.clear()
    assert list(table.signature) == ["rouge1"]


def test_any_number_of_workers_is_taken():
    one = summeval.score_batch(["a b"] * 9, ["a c"] * 9, NAMES)
    assert table_bytes(summeval.score_batch(["a b"] * 9, ["a c"] * 9, NAMES, workers=2**70)) == (
        table_bytes(one)
    )


def test_a_thousand_references_are_counted_as_a_few():
    references = [f"w{i} w{i % 7} w{i % 11} x" for i in range(1000)]
    for aggregate in ("max", "average", "best"):
        metric = summeval.metric("rougeSU4", aggregate=aggregate, digits=None)
        many = metric.score("w3 w5 x w9", references)
        assert many == metric.prepare(references).score("w3 w5 x w9")
        if aggregate == "max":
            few = [metric.score("w3 w5 x w9", one) for one in references]
            assert many.value == max(score.value for score in few)


def test_unequal_options_sign_unequally():
    signatures = {
        summeval.metric("rouge1", **options).signature
        for options in (
            {},
            {"alpha": 0.5000001},
            {"tokenizer": str.split},
            {"tokenizer": lambda text: text.split("-"), "label": "hyphens"},
        )
    }
    assert len(signatures) == 4


def test_a_score_with_parts_unpacks_to_its_numbers() -> None:
    for name in ("tesla-s", "bipartite", "rouge1"):
        score = summeval.score("the cat", "the cat sat", [name])[name]
        precision, recall, fmeasure, *_ = score
        assert (precision, recall, fmeasure) == (score.precision, score.recall, score.fmeasure)
        assert list(score) == [score[field] for field in summeval.metric(name).fields]
        assert set(dict(score)) >= {"precision", "recall", "fmeasure"}


def test_values_and_explanations_are_those_of_each_metric():
    texts = ("the cat sat", ["the cat sat down", None], "rouge1 support")
    scores = summeval.score(*texts, source="the cat sat")
    values = summeval.values(*texts, source="the cat sat")
    assert values == {name: score.value for name, score in scores.items()}
    assert {type(value) for value in values.values()} == {float}
    told = summeval.explain("the cat sat", iter(texts[1]), texts[2], source=iter(["the cat sat"]))
    assert {name: one.value for name, one in told.items()} == values
    assert "+" in str(told["rouge1"])
    assert np.isnan(summeval.values(None, "a", ["rouge1"])["rouge1"])
    with pytest.raises(ValueError, match="nothing to explain"):
        summeval.explain("a", [None], ["rouge1"])
