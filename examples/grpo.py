"""Train a small language model by GRPO on the CPU, with ROUGE as its reward.

    pip install summeval torch trl
    python examples/grpo.py [--steps 60]

The model is made here, with weights at random: two layers and a vocabulary of sixteen words, so
that nothing is downloaded and a minute is enough. It is asked for the summary of one of three
notes; the reward is ROUGE-Lsum against the summary, half of ROUGE-2, and less for more than
eight words. What it takes to use this with a model of yours is the three lines with `Reward`.
"""

from __future__ import annotations

import argparse
import tempfile

import datasets
import tokenizers
import torch
import transformers
import trl

from summeval.interop.reward import LengthPenalty
from summeval.interop.trl import Reward

SUMMARIES = {
    "note one": "the cat sat down",
    "note two": "a dog ran home",
    "note three": "birds sing at dawn",
}
WORDS = sorted({word for pair in SUMMARIES.items() for text in pair for word in text.split()})


def make_tokenizer() -> transformers.PreTrainedTokenizerFast:
    """A tokenizer of whole words."""
    vocabulary = {word: number for number, word in enumerate(["<pad>", "<eos>", *WORDS])}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<pad>"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token="<pad>", eos_token="<eos>"
    )


def make_model(tokenizer: transformers.PreTrainedTokenizerFast) -> transformers.GPT2LMHeadModel:
    """A model of 0.1 million weights."""
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer),
        n_positions=32,
        n_embd=64,
        n_layer=2,
        n_head=2,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=tokenizer.eos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return transformers.GPT2LMHeadModel(config)


def train(steps: int, seed: int = 1) -> list[float]:
    """The mean reward of each step."""
    transformers.set_seed(seed)
    torch.set_num_threads(1)
    reward = Reward(
        {"rougeLsum": 1.0, "rouge2": 0.5},
        reference_column="summary",
        length_penalty=LengthPenalty(limit=8, buffer=4, weight=0.2),
    )
    rows = [{"prompt": prompt, "summary": summary} for prompt, summary in SUMMARIES.items()]
    tokenizer = make_tokenizer()
    with tempfile.TemporaryDirectory() as folder:
        trainer = trl.GRPOTrainer(
            model=make_model(tokenizer),
            reward_funcs=reward,
            train_dataset=datasets.Dataset.from_list(rows),
            processing_class=tokenizer,
            args=trl.GRPOConfig(
                output_dir=folder,
                max_steps=steps,
                per_device_train_batch_size=48,
                num_generations=16,
                max_completion_length=8,
                learning_rate=3e-3,
                lr_scheduler_type="constant",
                temperature=1.0,
                beta=0.0,
                logging_steps=1,
                save_strategy="no",
                report_to="none",
                use_cpu=True,
                bf16=False,
                disable_tqdm=True,
                seed=seed,
            ),
        )
        trainer.train()
    return [step["reward"] for step in trainer.state.log_history if "reward" in step]


def main() -> None:
    """Train, and print how the reward rises."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60)
    rewards = train(parser.parse_args().steps)
    part = max(1, len(rewards) // 6)
    for begin in range(0, len(rewards), part):
        some = rewards[begin : begin + part]
        print(f"steps {begin + 1:3}-{begin + len(some):3}: mean reward {sum(some) / len(some):.3f}")


if __name__ == "__main__":
    main()
