"""Train a language model by GRPO with a preset of rewards that is hard to game, and log its parts.

    pip install summeval torch trl
    python examples/grpo_preset.py [--steps 60] [--model FOLDER]

The model comes from a folder on disk; without --model a tiny one with weights at random is made
there first, so that nothing is downloaded and a minute on the CPU is enough. The reward is the
preset "overall", compared with the summary and with the note itself. TRL logs each of its parts:
what the completion says of the summary, what the note accounts for, order of words, ending, length,
and so on. What it takes to use this with a model and data of yours is the lines with `Reward`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import datasets
import tokenizers
import torch
import transformers
import trl

from summeval.interop.trl import Reward

NOTES = [
    {
        "prompt": "note one",
        "source": "the cat sat down . it was tired . a bird sang in the tree .",
        "summary": "the cat sat down .",
    },
    {
        "prompt": "note two",
        "source": "a dog ran home . it rained all day . the dog was wet .",
        "summary": "a dog ran home .",
    },
    {
        "prompt": "note three",
        "source": "the birds sing at dawn . the cat hears them . it can not fly .",
        "summary": "the birds sing at dawn .",
    },
]


def make_model(folder: Path) -> None:
    """Write a model of 0.1 million weights and its tokenizer of whole words into a folder."""
    texts = [text for note in NOTES for text in note.values()]
    words = ["<pad>", "<eos>", *sorted({word for text in texts for word in text.split()})]
    vocabulary = {word: number for number, word in enumerate(words)}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<pad>"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token="<pad>", eos_token="<eos>"
    ).save_pretrained(folder)
    config = transformers.GPT2Config(
        vocab_size=len(words),
        n_positions=32,
        n_embd=64,
        n_layer=2,
        n_head=2,
        resid_pdrop=0.0,
        embd_pdrop=0.0,
        attn_pdrop=0.0,
        bos_token_id=1,
        eos_token_id=1,
        pad_token_id=0,
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)


def train(model: Path, steps: int, seed: int = 1) -> list[dict[str, float]]:
    """What TRL logs at each step: the mean reward and the mean of each part."""
    transformers.set_seed(seed)
    torch.set_num_threads(1)
    reward = Reward(
        preset="overall",
        reference_column="summary",
        source_column="source",
        on_error="skip",  # no completion ends the training
    )
    with tempfile.TemporaryDirectory() as folder:
        trainer = trl.GRPOTrainer(
            model=transformers.AutoModelForCausalLM.from_pretrained(model, local_files_only=True),
            reward_funcs=reward,
            train_dataset=datasets.Dataset.from_list(NOTES),
            processing_class=transformers.AutoTokenizer.from_pretrained(
                model, local_files_only=True
            ),
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
    return [step for step in trainer.state.log_history if "reward" in step]


def main() -> None:
    """Train, and print how the reward and its parts rise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--model", type=Path, help="folder of a model; a tiny one if left out")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.model is None:
            transformers.set_seed(1)
            make_model(Path(folder))
        steps = train(arguments.model or Path(folder), arguments.steps)
    part = max(1, len(steps) // 6)
    for begin in range(0, len(steps), part):
        some = steps[begin : begin + part]
        print(f"steps {begin + 1:3}-{begin + len(some):3}")
        for name in ("reward", *(name for name in some[0] if name.startswith("overall/"))):
            print(f"    {name:24} {sum(step[name] for step in some) / len(some):.3f}")


if __name__ == "__main__":
    main()
