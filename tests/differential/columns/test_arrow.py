"""Arrow columns of pyarrow, polars, pandas and duckdb give the texts that these libraries list."""

import gc
import threading

import pytest
from every import every
from hypothesis import given, settings
from hypothesis import strategies as st

from summeval._core.columns import columns

pa = pytest.importorskip("pyarrow", minversion="18")  # the first to know every type

TEXTS = ["the cat", None, "", "longer than the twelve bytes of a view: é", None, "x", "the cat"]
LISTS = [["a", None], None, [], ["longer than twelve bytes", "b", "c"], [None], ["a", "d"]]
STRINGS = [pa.string(), pa.large_string(), pa.string_view()]
BINARIES = [pa.binary(), pa.large_binary(), pa.binary_view()]
LIST_TYPES = [pa.list_, pa.large_list, pa.list_view, pa.large_list_view]


def lists_of(rows):
    """What a column of lists gives: a null row has no texts."""
    return [row or [] for row in rows]


def singles(rows):
    """What a column of texts gives as references."""
    return [[] if row is None else [row] for row in rows]


def some_slices(array):
    """Slices at odd places, of slices and of nothing; bitmaps start within a byte."""
    return [array, array[1:], array[:-1], array[2:5], array[1:][2:], array[3:3]]


@pytest.mark.parametrize("kind", STRINGS, ids=str)
def test_every_string_type_and_slice_is_read(kind):
    for array in some_slices(pa.array(TEXTS, kind)):
        assert columns.texts(array, "c").to_list() == array.to_pylist()
        assert columns.references(array, "r").to_list() == singles(array.to_pylist())


@pytest.mark.parametrize("kind", BINARIES, ids=str)
def test_binary_columns_are_utf8(kind):
    array = pa.array(TEXTS, kind)
    assert columns.texts(array, "c").to_list() == TEXTS


@every("kind", [*STRINGS, *BINARIES], ids=str)
@every("list_type", LIST_TYPES, ids=lambda make: make.__name__)
def test_every_list_type_and_slice_is_read(list_type, kind):
    whole = pa.array(LISTS, list_type(kind))
    for array, rows in zip(some_slices(whole), some_slices(LISTS), strict=True):
        assert columns.references(array, "r").to_list() == lists_of(rows)


def test_lists_of_fixed_size_are_read():
    rows = [["a", "b"], None, [None, "c"], ["d", "e"]]
    whole = pa.array(rows, pa.list_(pa.string(), 2))
    for array, expected in zip(some_slices(whole), some_slices(rows), strict=True):
        assert columns.references(array, "r").to_list() == lists_of(expected)


def test_null_rows_that_span_texts_have_none():
    values = pa.array(["a", "b", "c", "d"])
    mask = pa.array([False, True, False])
    array = pa.ListArray.from_arrays(pa.array([0, 1, 3, 4], pa.int32()), values, mask=mask)
    assert columns.references(array, "r").to_list() == [["a"], [], ["d"]]


def test_list_views_may_overlap_and_go_back():
    values = pa.array(["a", "b", "c"])
    starts, sizes = pa.array([1, 0, 2, 0], pa.int32()), pa.array([2, 2, 0, 3], pa.int32())
    array = pa.ListViewArray.from_arrays(starts, sizes, values)
    assert columns.references(array, "r").to_list() == array.to_pylist()


@pytest.mark.parametrize("width", [8, 16, 32, 64])
@pytest.mark.parametrize("sign", ["int", "uint"])
def test_dictionaries_of_every_index_type_are_read(sign, width):
    indices = pa.array([2, None, 0, 1, 2, 3], getattr(pa, f"{sign}{width}")())
    values = pa.array(["skipped", "longer than twelve bytes", None, "c", "d"])[1:]
    for array in some_slices(pa.DictionaryArray.from_arrays(indices, values)):
        assert columns.texts(array, "c").to_list() == array.to_pylist()


@pytest.mark.parametrize("kind", STRINGS, ids=str)
def test_dictionaries_of_every_string_type_are_read(kind):
    indices = pa.array([1, None, 0, 1], pa.int8())
    array = pa.DictionaryArray.from_arrays(indices, pa.array(["a", "b" * 20], kind))
    assert columns.texts(array, "c").to_list() == ["b" * 20, None, "a", "b" * 20]


def test_lists_of_a_dictionary_are_read():
    kind = pa.list_(pa.dictionary(pa.int8(), pa.string()))
    array = pa.array([["a", "b"], None, ["b", None]], kind)
    assert columns.references(array, "r").to_list() == [["a", "b"], [], ["b", None]]


@pytest.mark.parametrize("ends", [pa.int16(), pa.int32(), pa.int64()], ids=str)
def test_run_ends_and_their_slices_are_read(ends):
    values = pa.array(["a", None, "b" * 20])
    for array in some_slices(pa.RunEndEncodedArray.from_arrays(pa.array([2, 3, 7], ends), values)):
        assert columns.texts(array, "c").to_list() == array.to_pylist()


def test_structs_of_one_column_are_read():
    mask = pa.array([False, True, False, False, True, False, False])
    whole = pa.StructArray.from_arrays([pa.array(TEXTS)], names=["text"], mask=mask)
    for array in some_slices(whole):
        rows = [row and row["text"] for row in array.to_pylist()]
        assert columns.texts(array, "c").to_list() == rows
        assert columns.references(array, "r").to_list() == singles(rows)


def test_structs_of_one_list_column_are_read():
    mask = pa.array([True, False, False, False, False, True])
    whole = pa.StructArray.from_arrays([pa.array(LISTS)], names=["text"], mask=mask)
    for array in some_slices(whole):
        rows = [row and row["text"] for row in array.to_pylist()]
        assert columns.references(array, "r").to_list() == lists_of(rows)


def test_columns_without_any_text_are_null():
    assert columns.texts(pa.nulls(3), "c").to_list() == [None] * 3
    assert columns.references(pa.nulls(3), "r").to_list() == [[]] * 3
    assert columns.references(pa.array([[None], []]), "r").to_list() == [[None], []]


def test_empty_columns_have_no_rows():
    for kind in STRINGS:
        assert columns.texts(pa.array([], kind), "c").to_list() == []
        assert columns.texts(pa.chunked_array([], kind), "c").to_list() == []
        assert columns.references(pa.chunked_array([], pa.list_(kind)), "r").to_list() == []


def test_tables_batches_and_readers_of_one_column_are_read():
    table = pa.table({"text": pa.chunked_array([TEXTS[:3], [], TEXTS[3:]])})
    batch = pa.record_batch({"text": TEXTS})
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
    for source in (table, batch, reader):
        assert columns.texts(source, "c").to_list() == TEXTS
    assert columns.texts(table.slice(2), "c").to_list() == TEXTS[2:]
    assert columns.texts(table["text"].slice(2, 3), "c").to_list() == TEXTS[2:5]
    table = pa.table({"text": pa.chunked_array([LISTS[:3], LISTS[3:]])})
    assert columns.references(table.slice(1), "r").to_list() == lists_of(LISTS[1:])


def test_a_column_outlives_its_source():
    source = pa.array([f"{i} texts" for i in range(1000)])
    column = columns.texts(source, "c")
    del source
    pa.default_memory_pool().release_unused()
    assert column.to_list()[999] == "999 texts"


def test_the_memory_of_a_source_is_given_back():
    gc.collect()
    before = pa.total_allocated_bytes()
    column = columns.texts(pa.array(["text" * 100] * 1000), "c")
    assert pa.total_allocated_bytes() > before
    del column
    assert pa.total_allocated_bytes() == before


def test_threads_read_one_array_at_once():
    source = pa.array(TEXTS * 1000)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(columns.texts(source, "c").to_list()))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [TEXTS * 1000] * 4


@pytest.mark.parametrize(
    ("read", "source", "message"),
    [
        (columns.texts, pa.array([1, 2]), "c: format 'l' is not text; cast it to a string type"),
        (columns.texts, pa.chunked_array([], pa.int32()), "c: format 'i' is not text; cast it to"),
        (columns.texts, pa.array(LISTS), "c: format '+l' is a list where one text is expected"),
        (columns.references, pa.array([LISTS]), "c: format '+l' is a list where one text is exp"),
        (columns.references, pa.array([[1]]), "c: format 'l' is not text"),
        (
            columns.texts,
            pa.table({"id": [1], "text": ["a"]}),
            "c: the table has 2 columns ('id', 'text'); select the one that holds the texts",
        ),
        (
            columns.texts,
            pa.table({f"c{i}": ["a"] for i in range(20)}),
            "c: the table has 20 columns ('c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', ...);",
        ),
    ],
)
def test_columns_that_hold_no_text_are_named(read, source, message):
    with pytest.raises(TypeError) as caught:
        read(source, "c")
    assert str(caught.value).startswith(message)


def test_a_reader_that_fails_gives_its_reason():
    schema = pa.schema({"text": pa.string()})

    def batches():
        yield pa.record_batch({"text": ["a"]}, schema=schema)
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(RuntimeError, match=r"c: the Arrow stream failed with code .*disk is gone"):
        columns.texts(reader, "c")


ROWS = st.lists(st.none() | st.text(max_size=24), max_size=24)
ROWS_OF_LISTS = st.lists(st.none() | st.lists(st.none() | st.text(max_size=24), max_size=4))


@st.composite
def chunked(draw, rows, types):
    """A chunked array whose chunks are slices of arrays."""
    kind = draw(types)
    chunks = []
    for _ in range(draw(st.integers(0, 3))):
        array = pa.array(draw(rows), kind)
        start = draw(st.integers(0, len(array)))
        chunks.append(array.slice(start, draw(st.integers(0, len(array)))))
    return pa.chunked_array(chunks, kind)


@given(chunked(ROWS, st.sampled_from(STRINGS)))
def test_texts_are_what_pyarrow_lists(source):
    assert columns.texts(source, "c").to_list() == source.to_pylist()


@given(chunked(ROWS, st.sampled_from(STRINGS[:2])))
def test_dictionaries_are_what_pyarrow_lists(source):
    assert columns.texts(source.dictionary_encode(), "c").to_list() == source.to_pylist()


@settings(max_examples=200)
@given(
    chunked(
        ROWS_OF_LISTS,
        st.builds(lambda make, kind: make(kind), *map(st.sampled_from, (LIST_TYPES, STRINGS))),
    )
)
def test_lists_are_what_pyarrow_lists(source):
    assert columns.references(source, "r").to_list() == lists_of(source.to_pylist())


def test_polars_columns_are_read():
    pl = pytest.importorskip("polars")
    for source in (
        pl.Series("text", TEXTS),
        pl.DataFrame({"text": TEXTS}),
        pl.Series("text", TEXTS).cast(pl.Categorical),
        pl.concat([pl.Series("text", TEXTS[:2]), pl.Series("text", TEXTS[2:])], rechunk=False),
    ):
        assert columns.texts(source, "c").to_list() == TEXTS
    assert columns.texts(pl.Series(TEXTS)[2:], "c").to_list() == TEXTS[2:]
    for source in (pl.Series("text", LISTS), pl.DataFrame({"text": LISTS})):
        assert columns.references(source, "r").to_list() == lists_of(LISTS)
    with pytest.raises(TypeError, match="the table has 2 columns"):
        columns.texts(pl.DataFrame({"id": TEXTS, "text": TEXTS}), "c")


def test_pandas_columns_are_read():
    pd = pytest.importorskip("pandas")
    for source in (
        pd.Series(TEXTS),
        pd.Series(TEXTS, dtype=object),
        pd.Series(TEXTS, list("abcdefg")),
    ):
        assert columns.texts(source, "c").to_list() == TEXTS
        assert columns.texts(source[2:], "c").to_list() == TEXTS[2:]
    assert columns.references(pd.Series(LISTS), "r").to_list() == lists_of(LISTS)


def test_a_pandas_column_of_several_types_is_read_item_by_item():
    pd = pytest.importorskip("pandas")
    mixed = pd.Series([["a", "b"], "c", None])
    assert columns.references(mixed, "r").to_list() == [["a", "b"], ["c"], []]
    with pytest.raises(TypeError, match=r"c\[1\] is int, expected str or None"):
        columns.texts(pd.Series(["a", 3]), "c")


def test_a_pandas_frame_is_read_where_it_has_one_column():
    pd = pytest.importorskip("pandas", minversion="2.2")
    assert columns.texts(pd.DataFrame({"text": TEXTS}), "c").to_list() == TEXTS
    with pytest.raises(TypeError, match=r"the table has 2 columns \('id', 'text'\)"):
        columns.texts(pd.DataFrame({"id": TEXTS, "text": TEXTS}), "c")


def test_duckdb_relations_are_read():
    duckdb = pytest.importorskip("duckdb")
    rows = [f"text {row}" for row in range(5000)]
    relation = duckdb.sql("select 'text ' || i as text from range(5000) as t(i)")
    if not hasattr(relation, "__arrow_c_stream__"):
        pytest.skip("this duckdb exports no Arrow stream")
    assert columns.texts(relation, "c").to_list() == rows
    relation = duckdb.sql("select [text, null] as texts from relation")
    assert columns.references(relation, "r").to_list() == [[row, None] for row in rows]
