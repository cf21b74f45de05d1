"""Citations: each metric has papers, and BibTeX is well formed and agrees with the pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from every import every
from shared import ROOT

import summeval
from summeval.cli.main import main
from summeval.metrics.bibliography import cited, keys, known, paper, read_bibtex
from summeval.metrics.registry import INDEX, UNLISTED

NAMES = [*(name for family in INDEX for name in family.names), "rougeS2", "rougeSU9", "rougeW-1.5"]
NEEDED = {
    "inproceedings": {"author", "title", "booktitle", "year"},
    "article": {"author", "title", "journal", "volume", "pages", "year"},
    "misc": {"author", "title", "year", "note"},
}
PAGES = sorted((ROOT / "docs" / "metrics").glob("*.md"))


def entries(text: str) -> dict[str, tuple[str, dict[str, str]]]:
    """The entries of a .bib file: kind and fields by key. Braces must pair, keys be new."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    at = 0
    while (start := text.find("@", at)) >= 0:
        kind, key = re.match(r"@(\w+)\{([\w-]+),\n", text[start:]).groups()  # type: ignore[union-attr]
        depth, end = 0, text.index("{", start)
        while True:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        assert key not in found
        lines = text[start:end].splitlines()[1:-1]
        fields = {}
        for line in lines:
            name, value = re.fullmatch(r"  (\w+) = \{(.*)\},", line).groups()  # type: ignore[union-attr]
            assert name not in fields
            assert value
            fields[name] = value
        found[key] = kind, fields
        at = end
    return found


@every("name", NAMES)
def test_every_metric_has_a_paper(name: str) -> None:
    entry = cited(name)
    assert entry is not None, f"{name} is not in the bibliography"
    assert entry.papers
    assert entry.shown
    assert "@misc{summeval-package," in (told := summeval.cite(name))
    assert {one.key for one in entry.papers} <= set(entries(told))


def test_families_without_a_listed_name_have_papers_too() -> None:
    for family in UNLISTED:
        assert cited(family.others.partition("(")[0]) is not None
    assert cited("no-metric") is None


def test_every_entry_is_used_and_every_name_is_known() -> None:
    every = (*NAMES, *known(), "judge", "judge-key-facts", "entailment")
    used = {one.key for name in every for one in cited(name).papers}  # type: ignore[union-attr]
    assert used == set(keys())
    others = {"pyramid", "nouveau-rouge", "combination", "lite-pyramid", "diversity"}
    others |= {"consensus", "entailment", "judge-claims"}
    assert {*known()} <= {*NAMES, *others}


@every("key", keys())
def test_an_entry_is_whole(key: str) -> None:
    ((found, (kind, fields)),) = entries(paper(key).bibtex).items()
    assert found == key
    assert NEEDED[kind] <= set(fields)
    assert all(value.isascii() for value in fields.values())
    assert re.fullmatch(r"[a-z-]+-\d{4}-[a-z]+|summeval-package", key)
    if key != "summeval-package":
        assert fields.keys() & {"url", "doi"}
        assert fields["year"] == key.split("-")[-2] == str(paper(key).year)
        assert re.fullmatch(r"\d+--\d+", fields.get("pages", "1--2"))
    if "url" in fields:
        assert re.fullmatch(r"https?://\S+", fields["url"])
    if "doi" in fields:
        assert re.fullmatch(r"10\.\d{4,9}/\S+", fields["doi"])


def test_accents_are_those_of_latex() -> None:
    assert r"author = {Amig{\'o}, Enrique and Gonzalo" in paper("amigo-2005-qarla").bibtex
    assert r"Pe{\~n}as, Anselmo" in paper("amigo-2005-qarla").bibtex
    assert "title = {{QARLA}: A Framework" in paper("amigo-2005-qarla").bibtex


def page_of(name: str) -> str | None:
    """The sources of the page that lists a name."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        listed = re.search(r"^Names?: (.*?)(?:\n\n|\.\s)", text, re.M | re.S)
        if listed and f"`{name}`" in listed[1]:
            return text.partition("\n## Source\n")[2].partition("\n## ")[0]
    return None


@every("name", NAMES)
def test_the_pages_name_the_same_papers(name: str) -> None:
    sources = page_of(name)
    if sources is None:
        assert name in ("rougeS2", "rougeSU9", "rougeW-1.5", "rougeW")
        return
    plain = re.sub(r"\W+", " ", sources).lower()
    for one in cited(name).papers:  # type: ignore[union-attr]
        if one.key == "summeval-package":
            assert re.search(r"own\b", sources)
            continue
        assert re.sub(r"\W+", " ", one.title).lower().strip() in plain
        assert str(one.year) in plain
        for author in one.authors[:4]:
            family = author.partition(",")[0]
            assert re.sub(r"\W+", " ", family).lower() in plain


def test_a_paper_comes_once_and_summeval_last() -> None:
    found = entries(summeval.cite("rouge1,rouge2 tesla-s,bertscore,rougeL"))
    wanted = ["lin-2004-rouge", "lin-2012-combining", "zhang-2020-bertscore", "summeval-package"]
    assert list(found) == wanted
    assert found["summeval-package"][1]["author"] == "{summeval developers}"
    assert summeval.__version__ in found["summeval-package"][1]["note"]


def test_the_sentence_has_what_the_brief_of_a_reviewer_asks_for() -> None:
    told = summeval.cite(["rouge1", "tesla-s"], "text").splitlines()[0]
    assert told.startswith(
        "We report ROUGE-1 F (Lin, 2004) and TESLA-S F (Lin et al., 2012), computed with summeval "
        f"{summeval.__version__} (signatures: rouge1|"
    )
    assert told.endswith(f"|v:{summeval.__version__}).")
    two = summeval.cite("simetrix", "text")
    assert "Jensen-Shannon divergence (Louis and Nenkova, 2009; Louis and Nenkova, 2013)" in two


def test_the_sentence_reads_as_one_and_names_the_model() -> None:
    told = summeval.cite("bertscore,support,extractiveness,pyramid-position", "text")
    first = told.split(", computed", maxsplit=1)[0]
    assert first == (
        "We report BERTScore F with all-MiniLM-L6-v2 (Zhang et al., 2020), the share of the summary"
        " that its source explains, extractive fragment coverage (Grusky et al., 2018) and P of the"
        " Pyramid over positions (Galley, 2006)"
    )
    assert "\nbertscore-minilm: bertscore-minilm|model:minilm" in told
    large = summeval.metric("bertscore", model="roberta-large")
    assert large.name == "bertscore"
    assert summeval.cite([large], "text").startswith("We report BERTScore F with roberta-large (Z")
    assert summeval.metric("bertscore", label="mine").name == "mine"


def test_latex_is_escaped_and_an_at_sign_begins_no_entry() -> None:
    made = summeval.metric("rouge1", tokenizer=str.split, label="100%_@{x}")
    told = summeval.cite([made])
    assert list(entries(told)) == ["lin-2004-rouge", "summeval-package"]
    assert r"\texttt{rouge1|\allowbreak{}aggregate:\allowbreak{}max|" in told
    comments = [line for line in told.splitlines() if line.startswith("% ")]
    assert len(comments) == 2
    assert "@" not in "".join(comments)


def test_metrics_of_others_are_cited_within() -> None:
    made = summeval.metric("queen", metrics=["rouge1", "tesla-s"])
    found = entries(summeval.cite([made]))
    assert list(found) == [
        "amigo-2005-qarla",
        "lin-2004-rouge",
        "lin-2012-combining",
        "summeval-package",
    ]


def test_json_has_all_of_it() -> None:
    found = json.loads(summeval.cite("preset:classic", "json"))
    assert [one["metric"] for one in found["metrics"]] == ["rouge1", "rouge2", "rougeLsum"]
    assert found["metrics"][0]["signature"] == str(summeval.metric("rouge1").signature)
    assert found["metrics"][0]["papers"] == ["lin-2004-rouge"]
    assert [one["key"] for one in found["bibliography"]] == list(entries(found["bibtex"]))
    assert found["sentence"].startswith("We report ROUGE-1 F, ROUGE-2 F and ROUGE-Lsum F (Lin")
    assert r"\citep{lin-2004-rouge}" in found["latex"]


def test_the_file_citation_cff_agrees() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    ours = paper("summeval-package")
    assert re.findall(r"^  - name: (.*)$", text, re.M) == list(ours.authors)
    assert re.findall(r'^title: "(.*)"$', text, re.M) == [ours.title]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("rogue1", "unknown metric 'rogue1'; did you mean rouge1"),
        ("preset:slow", "unknown preset:slow; known: preset:classic"),
        (",", "NAMES is empty; pass one or more metrics"),
    ],
)
def test_a_wrong_name_is_bad_usage(wrong: str, message: str, capsys: Any) -> None:
    assert main(["cite", wrong]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"summeval: {message}")


def test_the_command_takes_options_as_score_does(tmp_path: Path, capsys: Any) -> None:
    options = ["--option", "rouge.stemmer=porter", "--tokenizer", "unicode", "--format", "text"]
    assert main(["cite", "rouge1,rouge2", "rouge1", *options]) == 0
    signed = summeval.metric("rouge1", stemmer="porter", tokenizer="unicode").signature
    assert f"\nrouge1: {signed}\n" in (printed := capsys.readouterr().out)
    assert printed.count("\nrouge1: ") == 1
    path = tmp_path / "metrics.bib"
    assert main(["cite", "bewte", "-o", str(path)]) == 0
    assert list(entries(path.read_text("utf-8"))) == [
        "tratz-2008-summarization",
        "summeval-package",
    ]
    assert main(["cite", "ROUGE-1", "rouge1", "--format", "json"]) == 0
    printed = capsys.readouterr()
    assert printed.err == "summeval: ROUGE-1 is rouge1\n"
    assert len(json.loads(printed.out)["metrics"]) == 1
    assert main(["cite", "rouge1", "--option", "tesla.gap=2"]) == 2
    assert "concerns none of the metrics" in capsys.readouterr().err


def test_what_needs_a_model_or_annotations_is_cited_without_a_signature(capsys: Any) -> None:
    assert main(["cite", "pyramid", "combination", "rouge1", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["metrics"]
    assert [bool(one["signature"]) for one in found] == [False, False, True]
    assert "needs a model file" in found[1]["note"]


def test_what_must_be_fitted_is_cited_by_its_name(capsys: Any) -> None:
    assert main(["cite", "cider-d", "bleu"]) == 0
    assert "vedantam" in capsys.readouterr().out.lower()


def test_bibtex_of_others_is_read() -> None:
    text = (
        "@article{doe2020,\n author = {Jane Doe and {The Group}},\n year=2020, title = {A {B} c}}"
    )
    (found,) = read_bibtex("mine", [text])
    assert (found.key, found.short, found.title) == (
        "doe2020",
        "Doe and The Group, 2020",
        "A {B} c",
    )
    assert found.bibtex == text
    for wrong in ("Doe 2020", "@misc{a, title = {x}", "@misc{a, title = {x}} @misc{b}", "", None):
        with pytest.raises(ValueError, match="is no BibTeX entry"):
            read_bibtex("mine", [wrong])  # type: ignore[list-item]
