#!/usr/bin/env python3
"""Make the small models of this folder: NAME.gguf, NAME.tokens.json, NAME.logits.npy.

usage: make_models.py [OUT_DIR]
Needs the PyPI packages torch, transformers, numpy, gguf and safetensors. The logits (float32, every
position) are those of transformers in float32. Weights are random and large enough that the layers
matter; prompts are longer than every sliding window."""

import json
import pathlib
import sys
import tempfile

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from hf_to_gguf import convert

COMMON = dict(
    vocab_size=61,
    hidden_size=40,
    intermediate_size=72,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=256,
    initializer_range=0.15,
    head_dim=12,
    tie_word_embeddings=False,
    bos_token_id=1,
    eos_token_id=2,
    pad_token_id=0,
)
MODELS = {
    "llama": ("llama", {}),
    "llama_mha_tied": (
        "llama",
        {"num_key_value_heads": 4, "tie_word_embeddings": True, "head_dim": 10},
    ),
    "qwen2": ("qwen2", {"head_dim": 10}),
    "qwen3": ("qwen3", {"num_attention_heads": 6, "num_key_value_heads": 2, "head_dim": 8}),
    "gemma3": (
        "gemma3_text",
        {
            "num_hidden_layers": 7,
            "sliding_window": 9,
            "query_pre_attn_scalar": 20,
            "tie_word_embeddings": True,
        },
    ),
}


def randomize_vectors(model):
    """Norm weights and biases start as ones and zeros: an engine that forgets them looks right."""
    for name, parameter in model.named_parameters():
        if "norm" in name or name.endswith(".bias"):
            parameter.data += 0.3 * torch.randn_like(parameter)


def make(name, out):
    kind, changes = MODELS[name]
    torch.manual_seed(sum(map(ord, name)))
    config = AutoConfig.for_model(kind, **{**COMMON, **changes})
    model = AutoModelForCausalLM.from_config(
        config, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    randomize_vectors(model)
    tokens = torch.randint(3, config.vocab_size, (1, 48))
    with torch.no_grad():
        logits = model(tokens, use_cache=False).logits[0].numpy().astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        convert(folder, out / f"{name}.gguf")
    (out / f"{name}.tokens.json").write_text(json.dumps(tokens[0].tolist()) + "\n")
    np.save(out / f"{name}.logits.npy", logits)
    print(name, logits.shape, "largest logit", float(abs(logits).max()))


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for model_name in MODELS:
        make(model_name, folder)
