#!/usr/bin/env python3
"""Write a small Hugging Face model directory (config.json, model.safetensors) as a float32 GGUF.

usage: hf_to_gguf.py MODEL_DIR OUT.gguf
Knows llama (with default, linear and llama3 rope), qwen2, qwen3 and gemma3_text. Needs the PyPI
packages numpy, gguf and safetensors. The transforms are those that GGUF files of these families
carry: q and k rows of llama permuted so that rope pairs are interleaved, and 1 added to the norm
weights of gemma."""

import json
import pathlib
import sys

import gguf
import numpy as np
from safetensors.numpy import load_file

ARCHITECTURES = {"llama": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "gemma3_text": "gemma3"}
NAMES = {
    "input_layernorm": "attn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
# The second norm of a layer stands before the feed-forward block, except in gemma's sandwich.
PRE_NORM = {"post_attention_layernorm": "ffn_norm"}
SANDWICH = {
    "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}


def gguf_name(name, sandwich):
    top = {
        "model.embed_tokens.weight": "token_embd.weight",
        "model.norm.weight": "output_norm.weight",
        "lm_head.weight": "output.weight",
    }
    if name in top:
        return top[name]
    _, _, layer, rest = name.split(".", 3)
    stem, kind = rest.rsplit(".", 1)
    table = {**NAMES, **(SANDWICH if sandwich else PRE_NORM)}
    return f"blk.{layer}.{table[stem]}.{kind}"


def interleave_pairs(rows, heads):
    """New row 2i + s of a head is old row i + s * head_dim / 2."""
    shape = rows.shape
    return rows.reshape(heads, 2, shape[0] // heads // 2, *shape[1:]).swapaxes(1, 2).reshape(shape)


def transform(name, values, architecture, config):
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    if architecture == "llama" and (".attn_q." in name or ".attn_k." in name):
        return interleave_pairs(values, heads if ".attn_q." in name else kv_heads)
    if architecture == "gemma3" and "norm" in name:
        return values + np.float32(1)
    return values


def llama3_divisors(rope, head_dim):
    """What each frequency is divided by: 1 for short waves, the factor for long ones, and in
    between a blend (transformers, modeling_rope_utils.py)."""
    frequencies = 1.0 / rope["rope_theta"] ** (np.arange(0, head_dim, 2) / head_dim)
    waves = 2 * np.pi / frequencies
    low, high, factor = rope["low_freq_factor"], rope["high_freq_factor"], rope["factor"]
    smooth = (rope["original_max_position_embeddings"] / waves - low) / (high - low)
    blend = 1 / ((1 - smooth) / factor + smooth)
    return np.where(smooth > 1, 1.0, np.where(smooth < 0, factor, blend)).astype(np.float32)


def write_metadata(writer, config, architecture):
    rope = config["rope_parameters"]
    full = rope.get("full_attention", rope)
    heads = config["num_attention_heads"]
    head_dim = config.get("head_dim") or config["hidden_size"] // heads
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(head_dim)
    writer.add_value_length(head_dim)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(full["rope_theta"])
    if full["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(full["factor"])
    if full["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", llama3_divisors(full, head_dim))
    if architecture == "gemma3":
        writer.add_sliding_window(config["sliding_window"])
        writer.add_array(
            "gemma3.attention.sliding_window_pattern",
            [kind == "sliding_attention" for kind in config["layer_types"]],
        )
        writer.add_float32("gemma3.rope.freq_base_swa", rope["sliding_attention"]["rope_theta"])
        writer.add_float32("gemma3.attention.scale", config["query_pre_attn_scalar"] ** -0.5)


def convert(folder, out):
    folder = pathlib.Path(folder)
    config = json.loads((folder / "config.json").read_text())
    architecture = ARCHITECTURES[config["model_type"]]
    writer = gguf.GGUFWriter(out, architecture)
    write_metadata(writer, config, architecture)
    tied = config.get("tie_word_embeddings", False)
    for name, values in load_file(folder / "model.safetensors").items():
        if tied and name == "lm_head.weight":
            continue
        target = gguf_name(name, architecture == "gemma3")
        writer.add_tensor(
            target, transform(target, values.astype(np.float32), architecture, config)
        )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    convert(sys.argv[1], sys.argv[2])
