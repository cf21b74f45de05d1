"""Trainers call rewards, here or from a service, as the real trainers do; errors are told."""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import pickle
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
from ecosystem import ecosystem
from shared import ROOT

from summeval.interop import openrlhf, verl
from summeval.interop.reward import Rewards
from summeval.interop.serve import app_of
from summeval.interop.shared.remote import RemoteRewards
from summeval.interop.trl import Reward

TEXTS = ["the cat sat", "a dog", "the cat sat", "it rains"]
GOLD = ["the cat sat down", "a dog ran", "a bird", "it rains"]
CHATS = [[{"role": "assistant", "content": text}] for text in TEXTS]


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """The address of a service in a thread."""
    pytest.importorskip("starlette", reason="starlette, of the extra serve, is not installed")
    uvicorn = pytest.importorskip("uvicorn", reason="uvicorn is not installed")
    server = uvicorn.Server(uvicorn.Config(app_of(), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


# TRL


@pytest.mark.parametrize("completions", [TEXTS, CHATS])
@pytest.mark.parametrize("column", ["references", "reference", "highlights"])
def test_trl_may_call_rewards_itself(column: str, completions: Any) -> None:
    rewards = pickle.loads(pickle.dumps(Rewards({"rouge1": 1, "rouge2": 2})))
    logged: dict[str, float] = {}
    given = {"prompts": ["sum up"] * 4, "completion_ids": [[1]] * 4, column: GOLD}
    more = {"trainer_state": None, "log_extra": print, "log_metric": logged.__setitem__}
    assert rewards(completions=completions, **given, **more) == rewards(TEXTS, GOLD)
    assert rewards.__name__ == "rouge1+rouge2"
    assert Rewards.__name__ == "Rewards"
    assert list(logged) == ["rouge1+rouge2/rouge1", "rouge1+rouge2/rouge2"]


def test_a_group_is_what_has_one_prompt() -> None:
    prompts = ["one", "two", "one", "two"]
    rewards = Rewards("rouge1", group="diversity.near_duplicates")
    assert rewards(completions=TEXTS, prompts=prompts, reference=GOLD) == rewards(
        TEXTS, GOLD, groups=prompts
    )
    assert rewards(completions=TEXTS, prompts=prompts, reference=GOLD) != rewards(TEXTS, GOLD)


def test_rewards_find_the_source_in_its_column() -> None:
    rewards = Rewards("support")
    found = rewards(completions=TEXTS, prompts=[""] * 4, article=GOLD)
    assert found == rewards(TEXTS, None, GOLD)
    assert rewards(completions=TEXTS, sources=GOLD, source=GOLD) == found
    with pytest.raises(KeyError, match="no column 'source'; it has: summary"):
        rewards(completions=TEXTS, summary=GOLD)
    with pytest.raises(KeyError, match="no column 'references'; it has: summary"):
        Rewards("rouge1")(completions=TEXTS, summary=GOLD)


def test_rewards_of_texts_refuse_other_arguments() -> None:
    with pytest.raises(TypeError, match="no argument 'reference'; pass texts"):
        Rewards("rouge1")(TEXTS, reference=GOLD)
    with pytest.raises(TypeError, match="no texts; pass texts"):
        Rewards("rouge1")(references=GOLD)


def test_a_refused_completion_ends_no_run() -> None:
    rewards = Rewards("rouge1", on_error="skip")
    with pytest.warns(RuntimeWarning, match=r"completions\[1\] is int"):
        assert rewards(completions=["the cat", 3], reference=["the cat"] * 2) == [1.0, 0.0]


def test_trl_trains_with_plain_rewards(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    trl = ecosystem("trl")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    example = importlib.import_module("grpo")
    rows = [{"prompt": one, "reference": other} for one, other in example.SUMMARIES.items()]
    tokenizer = example.make_tokenizer()
    trainer = trl.GRPOTrainer(
        model=example.make_model(tokenizer),
        reward_funcs=Rewards(["rouge1", "rouge2"], group="diversity.near_duplicates", weight=0.1),
        train_dataset=importlib.import_module("datasets").Dataset.from_list(rows),
        processing_class=tokenizer,
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            max_steps=2,
            per_device_train_batch_size=8,
            num_generations=4,
            max_completion_length=8,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=True,
            bf16=False,
            disable_tqdm=True,
        ),
    )
    trainer.train()
    steps = [step for step in trainer.state.log_history if "reward" in step]
    name = "rouge1+rouge2+diversity.near_duplicates"
    assert len(steps) == 2
    assert {f"rewards/{name}/mean", f"{name}/rouge1", f"{name}/rouge2"} <= steps[0].keys()


# verl


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": True}, "unknown option of reward_kwargs 'part'; did you mean parts"),
        ({"presets": "content"}, "did you mean preset"),
        ({"source_kye": "article"}, "did you mean source_key"),
        ({"metric": "rouge1"}, "did you mean metrics"),
        ({"stemer": "porter"}, "did you mean stemmer"),
        ({"options": 1}, "unknown option of reward_kwargs 'options'"),
        ({"url": "http://x", "clip": [0, 1]}, "unknown option of reward_kwargs 'clip'"),
    ],
)
def test_verl_names_the_option_that_was_meant(options: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        verl.compute_score("", "the cat", "the cat", **options)


@pytest.mark.parametrize(
    ("info", "has"),
    [
        ({"article": "x", "id": 1}, "it has 'article', 'id'"),
        ({}, "it has nothing"),
        (None, "it has nothing"),
    ],
)
def test_verl_tells_in_a_line_where_the_source_is_missing(info: Any, has: str) -> None:
    with pytest.raises(
        ValueError, match="extra_info of row 0 has no 'source'; put .*" + has
    ) as told:
        verl.compute_score("", "the cat", "the cat", info, metrics="support", source_key="source")
    assert "\n" not in str(told.value)


def test_verl_compares_the_solutions_of_a_prompt() -> None:
    options = {"metrics": "rouge1", "group": "diversity.near_duplicates"}
    rewards = Rewards("rouge1", group="diversity.near_duplicates", missing=0.0)
    order = [0, 1, 0, 1]
    infos = [{"index": number} for number in order]
    found = verl.compute_scores(["x"] * 4, TEXTS, GOLD, infos, **options)
    assert found == rewards(TEXTS, GOLD, groups=order)
    assert found != verl.compute_scores(["x"] * 4, TEXTS, GOLD, **options)
    same = ["a cat", "a dog", "a cat", "a dog"]
    found = verl.compute_scores(["x"] * 4, TEXTS, same, **options)
    assert found == rewards(TEXTS, same, groups=same)
    with pytest.raises(ValueError, match="of which compute_score sees one; name compute_scores"):
        verl.compute_score("x", "the cat", "the cat", **options)


def test_the_reward_loop_of_verl_takes_the_parts() -> None:
    manager = ecosystem("verl.experimental.reward_loop.reward_manager.naive").NaiveRewardManager
    torch, protocol = ecosystem("torch"), ecosystem("verl").DataProto

    class Words:
        """A tokenizer of which a token is a word."""

        def decode(self, ids: Any, skip_special_tokens: bool) -> str:
            return " ".join(TEXTS[0].split()[int(one)] for one in ids)

    def score(**given: Any) -> Any:
        return verl.compute_score(**given, metrics=["rouge1", "rouge2"], parts=True)

    fields = ("data_source", "reward_model", "extra_info")
    numpy = importlib.import_module("numpy")
    values = ("news", {"ground_truth": GOLD[0]}, {"index": 3})
    arrays = {name: numpy.array([one], object) for name, one in zip(fields, values, strict=True)}
    batch = {
        "responses": torch.tensor([[0, 1, 2]]),
        "attention_mask": torch.tensor([[1, 1, 1, 1]]),
        "prompts": torch.tensor([[0]]),
    }
    made = object.__new__(manager)
    made.tokenizer, made.compute_score, made.is_async_reward_score = Words(), score, False
    made.reward_router_address = made.reward_model_tokenizer = None

    async def run() -> Any:
        made.loop = asyncio.get_running_loop()
        return await made.run_single(protocol.from_dict(tensors=batch, non_tensors=arrays))

    told = asyncio.run(run())
    wanted = score(data_source="", solution_str=TEXTS[0], ground_truth=GOLD[0])
    assert told == {"reward_score": wanted["score"], "reward_extra_info": wanted}


# OpenRLHF


def test_openrlhf_logs_the_first_error(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", object())  # which an error comes before
    reward = pickle.loads(pickle.dumps(openrlhf.Reward("rouge1")))
    caplog.set_level(logging.ERROR)
    for _ in range(3):
        with pytest.raises(ValueError, match="does not hold"):
            reward(["the cat"], ["Sum up this text:"], ["the cat"])
    assert [(one.name, one.levelname) for one in caplog.records] == [
        ("summeval.interop.openrlhf", "ERROR")
    ]
    assert "drops errors; told once: ValueError: queries[0] does not hold" in caplog.text


class Tokenizer:
    """A tokenizer of which a token is a character."""

    def __call__(self, text: str, **_: Any) -> Any:
        torch = importlib.import_module("torch")
        return {"input_ids": torch.tensor([[ord(one) for one in text]])}

    def decode(self, ids: Any, skip_special_tokens: bool) -> str:
        return "".join(map(chr, ids))


class Engine:
    """A model that always writes the same."""

    async def generate(self, ids: Any, params: Any, multi_modal_data: Any) -> Any:
        written = SimpleNamespace(token_ids=[*map(ord, TEXTS[0])], finish_reason="stop")
        return SimpleNamespace(outputs=[written])


def executed(url: str, label: Any) -> Any:
    """What OpenRLHF's own executor makes of one prompt."""
    agent = ecosystem("openrlhf.utils.agent")
    given = "Sum up:", label, SimpleNamespace(max_tokens=20, logprobs=None), 60
    given += Tokenizer(), Engine()
    return asyncio.run(agent.SingleTurnAgentExecutor(url).execute(*given))


def test_openrlhf_asks_the_service(service: str) -> None:
    told = executed(f"{service}/reward?metrics=rouge1", GOLD[0])
    assert told["reward"] == Rewards("rouge1")(TEXTS[:1], GOLD[:1])


def test_openrlhf_reads_the_file(tmp_path: Any) -> None:
    line = "from summeval.interop.openrlhf import Reward\nreward_func = Reward('rouge1')\n"
    (tmp_path / "reward.py").write_text(line)
    told = executed(str(tmp_path / "reward.py"), GOLD[0])
    assert told["reward"].tolist() == pytest.approx(Rewards("rouge1")(TEXTS[:1], GOLD[:1]))
    assert list(told["extra_logs"]) == ["rouge1"]


# Trainers that call an address


def test_remote_rewards_are_those_of_rewards(service: str) -> None:
    remote = RemoteRewards(service, {"rouge1": 2, "tesla-s": 1})
    assert remote.judge(TEXTS, GOLD) == Rewards({"rouge1": 2, "tesla-s": 1}).judge(TEXTS, GOLD)
    assert RemoteRewards(f"{service}/", preset="content")(TEXTS, GOLD) == Rewards.preset("content")(
        TEXTS, GOLD
    )
    assert RemoteRewards(service, "support")(TEXTS, None, GOLD) == Rewards("support")(
        TEXTS, None, GOLD
    )
    assert RemoteRewards(service, "rouge1", missing=-1.0)(["a"], [None]) == [-1.0]


def test_verl_asks_the_service(service: str) -> None:
    options = {"metrics": ["rouge1", "rouge2"], "parts": True, "url": service}
    found = verl.compute_score("x", TEXTS[0], GOLD[0], **options)
    assert found == verl.compute_score("x", TEXTS[0], GOLD[0], **{**options, "url": None})
    assert verl.compute_scores(["x"], TEXTS[:1], [None], metrics="rouge1", url=service) == [0.0]
    preset = {"preset": "faithful", "source_key": "article"}
    info = {"article": GOLD[0]}
    assert verl.compute_score("x", TEXTS[0], None, info, **preset, url=service) == pytest.approx(
        verl.compute_score("x", TEXTS[0], None, info, **preset)
    )


def test_an_environment_of_nemo_rl_asks_the_service(service: str) -> None:
    remote = RemoteRewards(service, "rougeLsum")

    def step(message_log_batch: list[Any], metadata: list[Any]) -> list[float | None]:
        """The rewards of `EnvironmentInterface.step`; the messages are those of NeMo RL."""
        answers = [log[-1]["content"] for log in message_log_batch]
        return remote(answers, [one["ground_truth"] for one in metadata])

    logs = [[{"role": "user", "content": "Sum up"}, *chat] for chat in CHATS]
    found = step(logs, [{"ground_truth": gold} for gold in GOLD])
    assert found == Rewards("rougeLsum")(TEXTS, GOLD)


def test_what_the_service_refuses_is_told(service: str) -> None:
    with pytest.raises(ValueError, match=r"/reward: unknown metric 'ruge1'; did you mean rouge1"):
        RemoteRewards(service, "ruge1")(TEXTS, GOLD)
    with pytest.raises(ValueError, match="url is 'file:///etc/passwd'; give that of the service"):
        RemoteRewards("file:///etc/passwd")
    with pytest.raises(ConnectionError, match="is `summeval serve` running there"):
        RemoteRewards("http://127.0.0.1:9", tries=1)(TEXTS, GOLD)


def answers(*given: tuple[int, str]) -> Iterator[tuple[str, list[int]]]:
    """An address that gives these answers one after the other, and what was asked."""
    left, asked = [*given], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            status, body = left.pop(0)
            asked.append(status)
            self.send_response(status)
            self.send_header("retry-after", "0")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()


GOOD = json.dumps({"rewards": [1.0], "parts": {"rouge1": [None]}})


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ([(429, '{"error": "busy"}'), (503, "<html>"), (200, GOOD)], None),
        ([(500, "<html>")], "/reward: status 500$"),
        ([(422, '{"error": "no"}')], "/reward: no$"),
        ([(200, "<html>")] * 3, "Expecting value.*; is `summeval serve` running there"),
        ([(200, '{"rewards": [1.0')] * 3, "; is `summeval serve` running there"),
        ([(200, "")] * 3, "; is `summeval serve` running there"),
        ([(200, "[]")], "answers otherwise than `summeval serve`"),
        ([(200, '{"rewards": [1, 2], "parts": {}}')], "answers otherwise than `summeval serve`"),
    ],
)
def test_answers_of_all_kinds(
    given: Any, error: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    for url, asked in answers(*given):
        remote = RemoteRewards(url, "rouge1", tries=3)
        if error is None:
            assert remote(["the cat"], ["the cat"]) == [1.0]
        else:
            with pytest.raises((ValueError, ConnectionError), match=error):
                remote(["the cat"], ["the cat"])
        assert asked == [status for status, _ in given]


def test_reward_and_rewards_agree() -> None:
    own = Reward("rouge1", reference_column="highlights")
    given = {"completions": CHATS, "highlights": GOLD}
    assert own(**given) == Rewards("rouge1")(**given)
