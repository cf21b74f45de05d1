"""`summeval read SET`: small files in the layout of each set in, rows out, which studies read."""

from __future__ import annotations

import html
import json
import zipfile

import pytest

from summeval.cli import main as program
from summeval.cli.main import main
from summeval.table.sets import SETS, read_set


def lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def summeval(root):
    judges = [{"coherence": 2, "relevance": 4}, {"coherence": 3, "relevance": 5}]
    one = {"id": "dm-test-1", "decoded": "rain fell .", "references": ["rain", "it rained"]}
    one |= {"filepath": "dailymail/stories/1.story", "turker_annotations": [{"coherence": 1}]}
    rows = [one | {"model_id": name, "expert_annotations": judges} for name in ("M0", "M1")]
    return lines(root / "model_annotations.aligned.jsonl", [rows[0] | {"text": "Rain."}, rows[1]])


def litepyramid(root):
    """Two topics and two systems; labels and units are between tabs."""
    files = {
        "ids.txt": "cnndm1\ncnndm2\n",
        "documents.txt": "It rained .\nDogs bark .\n",
        "references.txt": "rain\ndogs",
        "SCUs.txt": "It rained.\tIt fell.\nDogs bark.\n",
        "summaries/abs_a.summary": "rain fell .\nno dogs .\n",
        "summaries/ext_b.summary": "rain .\ndogs",
        "labels/abs_a.label": "1\t1\n0\n",
        "labels/ext_b.label": "1\t0\n1",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def newsroom(root):
    path = root / "newsroom-human-eval.csv"
    head = "ArticleID,ArticleTitle,System,ArticleText,SystemSummary"
    head += ",CoherenceRating,FluencyRating,InformativenessRating,RelevanceRating"
    article = '"<p>It rained &amp; poured.</p><p>Dogs, too.</p>"'
    rows = [f"7,Rain,{system},{article},<p>Rain.</p>,{n},4,3,2" for system in "ab" for n in (1, 4)]
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def qags(root):
    def sentence(text, *votes):
        responses = [{"worker_id": n, "response": vote} for n, vote in enumerate(votes)]
        return {"sentence": text, "responses": responses}

    said = [sentence("Rain.", "yes", "no", "yes"), sentence("Dogs.", "no", "no", "yes")]
    rows = [{"article": "It rained.", "summary_sentences": said[:n]} for n in (2, 1)]
    return lines(root / "mturk_cnndm.jsonl", rows)


def frank(root):
    key = {"hash": "b71b", "model_name": "bart", "split": "test"}
    text = key | {"article": "It rained.", "summary": "Rain.", "reference": "It rained ."}
    said = {"dataset": "cnndm", "Factuality": 0.5, "EntE": 1.0, "Flip_EntE": 0.5}
    (root / "data").mkdir()
    (root / "data" / "benchmark_data.json").write_text(json.dumps([text]))
    (root / "data" / "human_annotations.json").write_text(json.dumps([key | said]))
    return root


def aggrefact(root):
    path = root / "aggre_fact_final.csv"
    head = ",dataset,origin,id,doc,summary,model_name,label,cut,DAE_score"
    rows = [f"{n},XSumFaith,xsum,12,It rained.,{text},bert,{n % 2},val,0.5"
            for n, text in enumerate(("Rain.", "Dogs.", "Rain."))]  # fmt: skip
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def rank19(root):
    one = {"article_id": "67c3", "article_sent": "it rained.", "correct_sent": "rain."}
    one |= {"incorrect_sent": "dogs.", "correct_sent_id": "84-0", "incorrect_sent_id": "40-0"}
    path = root / "val_sentence_pairs.json"
    path.write_text(json.dumps([one, one | {"incorrect_sent": "no rain."}], indent=1))
    return path


def dialsummeval(root):
    judges = [{"consistency": n, "relevance": 3, "fluency": 5, "coherence": 4} for n in (5, 5, 2)]
    one = {"id": "13611791", "dialogue": "| Ann: Hi! | Bo: Hi.", "summary": "They greet."}
    return lines(root / "human_judgment.jsonl", [one | {"annotations": judges, "model_id": "A"}])


def opinsummeval(root):
    said = {"R1_F1": 0.3, "annot1": {"asp_rel": 2.0, "readblty": 4.0}}
    said |= {"annot2": {"asp_rel": 3.0, "readblty": 4.0}}
    lines(root / "scores.jsonl", [{"bart": said, "case": 1}])
    one = {"revs": {"rev1": "Good.", "rev2": "Bad."}, "summ": "Mixed.", "case": 1}
    path = root / "get_non_gpt_scores" / "14model_outputs.jsonl"
    lines(path, [one | {"model_output": {"bart": "Good and bad."}}])
    return root


def squality(root):
    def answer(text, rating):
        names = ("correctness", "selection", "overall")
        means = {f"{name}-rating": rating + n for n, name in enumerate(names)}
        return {"response": text, "reviews": [], "overall": means | {"overall-ranking": 1}}

    answers = {"bart": answer("It rained.", 20.5), "human": answer("Rain fell.", 90)}
    path = root / "all-responses.jsonl"
    return lines(path, [{"passage-id": "50827", "questions": {"0": answers}}])


def workbook(path, sheets):
    """An Excel workbook: texts shared, with fonts, and in place; numbers; cells left out."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    shared, parts = [], {}

    def cell(place, value):
        if isinstance(value, int):
            return f'<c r="{place}"><v>{value}</v></c>'
        if len(value) % 2:
            return f'<c r="{place}" t="inlineStr"><is><t>{html.escape(value)}</t></is></c>'
        shared.append(value)
        return f'<c r="{place}" t="s"><v>{len(shared) - 1}</v></c>'

    for number, rows in enumerate(sheets.values(), 1):
        lines = []
        for line, row in enumerate(rows, 1):
            cells = [cell(f"{'ABCDEFG'[k]}{line}", v) for k, v in enumerate(row) if v is not None]
            lines.append(f'<row r="{line}">{"".join(cells)}</row>')
        data = f"<sheetData>{''.join(lines)}</sheetData>"
        parts[f"xl/worksheets/sheet{number}.xml"] = f'<worksheet xmlns="{main}">{data}</worksheet>'
    named = [f'<sheet name="{n}" r:id="r{k}"/>' for k, n in enumerate(sheets, 1)]
    book = f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{"".join(named)}</sheets>'
    parts["xl/workbook.xml"] = f"{book}</workbook>"
    links = [
        f'<Relationship Id="r{k}" Target="worksheets/sheet{k}.xml"/>'
        for k in range(1, len(sheets) + 1)
    ]
    linked = f'<Relationships xmlns="{package}">{"".join(links)}</Relationships>'
    parts["xl/_rels/workbook.xml.rels"] = linked
    texts = [
        f"<si><r><t>{html.escape(t[:1])}</t></r><r><t>{html.escape(t[1:])}</t></r>"
        "<rPh><t>not this</t></rPh></si>"
        for t in shared
    ]
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{main}">{"".join(texts)}</sst>'
    with zipfile.ZipFile(path, "w") as file:
        for name, text in parts.items():
            file.writestr(name, text)


def polytope(root):
    """The sheets and columns that the loaders of others read."""
    head = ["ID", "Source", "Target"]
    for system, errors in (("BART", [(1, "Addition")]), ("Summa", [(1, None), (2, "Omission")])):
        segments = [head, [1, "It rained & poured.", f"{system} says rain."], [None, None, None]]
        segments += [[2, "Dogs bark.", f"{system} says dogs."]]
        log = [["ID", "Subtypes", "Severity"], *([n, kind, "Major"] for n, kind in errors)]
        path = root / f"Human_Annotation_Summarization_{system}.xlsm"
        workbook(path, {"Guide": [["words"]], "Error Log": log, "Scores per segment": segments})
    return root


def rose(root):
    """The fields that the authors' notebook shows."""
    said = {"acu_labels": [1, 0], "acu": 0.5, "normalized_acu": 0.4}
    one = {"source": "It rained.", "reference": "Rain .\nIt fell .", "example_id": "012a"}
    one |= {"reference_acus": ["It rained", "It fell"], "count_id": 53}
    one["annotations"] = {"bart": said, "gold": said | {"acu": 1, "ref_free": 3.5}}
    one["system_outputs"] = {"bart": "Rain fell.", "gold": "It rained and fell."}
    return lines(root / "cnndm_test.jsonl", [one])


MADE = {
    **{"summeval": summeval, "realsumm": litepyramid, "pyrxsum": litepyramid, "qags": qags},
    **{"newsroom": newsroom, "frank": frank, "aggrefact": aggrefact, "rank19": rank19},
    **{"dialsummeval": dialsummeval, "opinsummeval": opinsummeval, "squality": squality},
    **{"polytope": polytope, "rose": rose},
}
ROWS = {  # of each the first: topic, system, candidate, references, source, scores
    "summeval": ("dm-test-1", "M0", "rain fell .", ["rain", "it rained"], "Rain.",
                 {"coherence": 2.5, "relevance": 4.5}),
    "realsumm": ("cnndm1", "abs_a", "rain fell .", ["rain"], "It rained .",
                 {"litepyramid_recall": 1.0}),
    "newsroom": ("7", "a", "Rain.", [], "It rained & poured.\nDogs, too.",
                 {"coherence": 2.5, "fluency": 4.0, "informativeness": 3.0, "relevance": 2.0}),
    "qags": ("0", "mturk_cnndm", "Rain. Dogs.", [], "It rained.", {"consistency": 0.5}),
    "frank": ("b71b", "bart", "Rain.", ["It rained ."], "It rained.",
              {"Factuality": 0.5, "EntE": 1.0}),
    "aggrefact": ("XSumFaith/12", "bert", "Rain.", [], "It rained.", {"label": 0.0}),
    "rank19": ("0", "correct", "rain.", [], "it rained.", {"correct": 1.0}),
    "dialsummeval": ("13611791", "A", "They greet.", [], "Ann: Hi!\nBo: Hi.",
                     {"consistency": 4.0, "relevance": 3.0, "fluency": 5.0, "coherence": 4.0}),
    "opinsummeval": ("1", "bart", "Good and bad.", ["Mixed."], ["Good.", "Bad."],
                     {"asp_rel": 2.5, "readblty": 4.0}),
    "squality": ("50827-0", "bart", "It rained.", ["Rain fell."], None,
                 {"correctness": 20.5, "coverage": 21.5, "overall": 22.5}),
    "polytope": ("1", "BART", "BART says rain.", [], "It rained & poured.",
                 {"faultless": 0.0, "addition": 0.0, "omission": 1.0}),
    "rose": ("012a", "bart", "Rain fell.", ["Rain .\nIt fell ."], "It rained.",
             {"acu": 0.5, "normalized_acu": 0.4}),
}  # fmt: skip
ROWS["pyrxsum"] = ROWS["realsumm"]


@pytest.mark.parametrize("name", [name for name, one in SETS.items() if not one.in_folder])
def test_a_folder_where_a_file_is_meant_is_told(name, tmp_path, capsys):
    assert main(["read", name, str(tmp_path)]) == 1
    line = capsys.readouterr().err
    assert f"{tmp_path}: is a folder; pass {SETS[name].what}" in line


def test_each_set_is_a_command():
    assert set(SETS) == set(program.SETS) == set(MADE)


@pytest.mark.parametrize("name", SETS)
def test_the_first_row_of_each_set(tmp_path, capsys, name):
    assert main(["read", name, str(MADE[name](tmp_path))]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    row = json.loads(printed.out.splitlines()[0])
    names = ("topic", "system", "candidate", "references", "source", "scores")
    assert tuple(row[name] for name in names) == ROWS[name]
    keys = [(one["topic"], one["system"]) for one in map(json.loads, printed.out.splitlines())]
    assert len(set(keys)) == len(keys)


def test_judges_of_a_summary_are_averaged_and_other_summaries_are_apart(tmp_path):
    assert len(read_set("newsroom", str(newsroom(tmp_path))).rows) == 2
    rows = read_set("aggrefact", str(aggrefact(tmp_path))).rows
    assert [(row["system"], row["candidate"]) for row in rows] == [
        ("bert", "Rain."),
        ("bert (2)", "Dogs."),
    ]
    assert rows[1]["scores"] == {"label": 1.0}


def test_labels_stay_with_their_summaries(tmp_path):
    rows = read_set("realsumm", str(litepyramid(tmp_path))).rows
    found = {(row["system"], row["topic"]): row["scores"]["litepyramid_recall"] for row in rows}
    assert list(found.values()) == [1.0, 0.0, 0.5, 1.0]


def test_workbooks_may_be_passed_one_by_one_and_summaries_without_errors_count(tmp_path, capsys):
    polytope(tmp_path)
    rows = read_set("polytope", str(tmp_path)).rows
    found = [(row["system"], row["topic"], row["scores"]["faultless"]) for row in rows]
    assert found == [("BART", "1", 0), ("BART", "2", 1), ("Summa", "1", 1), ("Summa", "2", 0)]
    alone = read_set("polytope", str(tmp_path / "Human_Annotation_Summarization_Summa.xlsm")).rows
    assert [row["scores"] for row in alone] == [
        {"faultless": 1.0, "omission": 1.0},
        {"faultless": 0.0, "omission": 0.0},
    ]
    (tmp_path / "text.xlsm").write_text("no workbook")
    workbook(tmp_path / "other.xlsx", {"Guide": [["words"]]})
    for name, message in {
        "text.xlsm": "is no Excel workbook (File is not a zip file)",
        "other.xlsx": "has no sheet 'Error Log' (there is 'Guide')",
    }.items():
        assert main(["read", "polytope", str(tmp_path / name)]) == 1
        assert f"{name}: {message}" in capsys.readouterr().err


def test_the_study_reads_what_was_read(tmp_path, capsys):
    out = str(tmp_path / "rows.jsonl")
    assert main(["read", "rank19", str(rank19(tmp_path)), "-o", out]) == 0
    assert main(["study", "metrics", out, "-m", "support", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (row,) = (one for one in found["agreement"] if one["metric"] == "support.explained")
    assert (row["human"], row["topics"]) == ("correct", 2)
    assert row["correlation"] > 0


@pytest.mark.parametrize("name", SETS)
def test_a_wrong_file_is_refused_in_one_line(tmp_path, capsys, name):
    wrong = lines(tmp_path / "wrong.jsonl", [{"id": "1", "summary": "rain"}])
    path = tmp_path if SETS[name].in_folder else wrong
    assert main(["read", name, str(path)]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    told = ("wrong.jsonl: is not laid out as", "no file", "holds no judgements")
    assert any(one in line for one in told)


def test_labels_that_lack_a_line_are_refused(tmp_path, capsys):
    litepyramid(tmp_path)
    (tmp_path / "labels" / "abs_a.label").write_text("1\t1\n")
    assert main(["read", "realsumm", str(tmp_path)]) == 1
    assert "is not laid out as realsumm" in capsys.readouterr().err


def test_what_is_not_there_is_said(tmp_path, capsys):
    assert main(["read", "qags", str(tmp_path / "none.jsonl")]) == 1
    assert "none.jsonl" in capsys.readouterr().err
