"""Records what transformers' apply_chat_template makes of conversations, as token ids.

For two vocabularies: tests/goldens/tokenizer/smollm.gguf, and the GGUF file of
SmolLM2-135M-Instruct given as an argument. Both are byte-level BPE whose digits stand alone, as
SmolLM2's tokenizer.json has it. Writes smollm.json and smollm2.json beside this script.

usage: make_chat.py SMOLLM2.gguf
"""

import json
import pathlib
import sys

import gguf
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

HERE = pathlib.Path(__file__).resolve().parent
CONTROL, USER_DEFINED = 3, 4
MARKED = (
    "{% for m in messages %}{{ '<|start|>' + m.role + '\\n' + m.content + '<|end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|start|>assistant\\n' }}{% endif %}"
)
# A template that writes the BOS itself, trims, and tells turns apart by what follows.
TRIMMED = (
    "{{ bos_token }}{% for m in messages %}{% if m.role == 'user' %}[ {{ m.content | trim }} ]"
    "{% elif m.role == 'system' %}<<{{ m.content | trim }}>>\n"
    "{% else %} {{ m.content | trim }} {{ eos_token }}{% endif %}{% endfor %}"
)
ARGUMENTS = (
    "{% for t in tools or [] %}{{ t | tojson }}\n{% endfor %}{% if mood is defined %}{{ mood }}\n"
    "{% endif %}" + MARKED
)


def turns(*texts):
    roles = ["user", "assistant"]
    return [{"role": roles[i % 2], "content": t} for i, t in enumerate(texts)]


SYSTEM = {"role": "system", "content": "You answer briefly, in 2 or 3 words."}
CONVERSATIONS = [
    turns("Hello!"),
    turns("What is 2 + 2?", "4.", "And 1024 * 37?"),
    [SYSTEM] + turns("  Leading and trailing blanks \n\n", " kept? ", "\tTabs\tand\n\nlines\n"),
    [SYSTEM] + turns("Größe, naïve, 你好世界, こんにちは, สวัสดี, مرحبا, 🙂👩‍👩‍👧‍👦", "é vs e\u0301", "१२३ ½"),
    turns("def f(x):\n    return x**2  # code\n" * 3, "```python\nf(12)\n```", "", "empty before"),
    turns("don't you're I'll\u00a0nbsp\u3000ideographic", "it's", "1234567890" * 4),
]
TOOL = {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}


def load(path):
    """The tokenizer of the file as transformers has it, and the file's chat template."""
    fields = gguf.GGUFReader(path).fields

    def value(name):
        return fields[f"tokenizer.{name}"].contents() if f"tokenizer.{name}" in fields else None

    tokens, types = value("ggml.tokens"), value("ggml.token_type")
    merges = [tuple(m.split(" ")) for m in value("ggml.merges")]
    model = models.BPE({t: i for i, t in enumerate(tokens)}, merges)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    kinds = list(zip(tokens, types))
    tokenizer.add_special_tokens(
        [AddedToken(t, normalized=False) for t, kind in kinds if kind == CONTROL]
    )
    tokenizer.add_tokens([AddedToken(t, normalized=False) for t, k in kinds if k == USER_DEFINED])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=tokens[value("ggml.bos_token_id")],
        eos_token=tokens[value("ggml.eos_token_id")],
    )
    return fast, value("chat_template")


def case(tokenizer, template, messages, end, arguments=None, tools=None):
    ids = tokenizer.apply_chat_template(
        messages,
        chat_template=template,
        tools=tools,
        add_generation_prompt=end == "generation",
        continue_final_message=end == "continued",
        tokenize=True,
        return_dict=False,
        **(arguments or {}),
    )
    return {
        "template": template,
        "messages": messages,
        "end": end,
        "arguments": arguments or {},
        "tools": tools,
        "ids": ids,
    }


def cases(tokenizer, template):
    found = []
    for messages in CONVERSATIONS:
        for end in ("generation", "nothing"):
            found.append(case(tokenizer, template, messages, end))
        if messages[-1]["role"] == "user":
            messages = messages[:-1] if len(messages) > 2 else messages + turns("", "Well ")[1:]
        found.append(case(tokenizer, template, messages, "continued"))
    return found


def main():
    small, _ = load(HERE.parent / "tokenizer" / "smollm.gguf")
    found = cases(small, MARKED) + cases(small, TRIMMED)
    found.append(case(small, ARGUMENTS, CONVERSATIONS[0], "generation", {"mood": "calm"}, [TOOL]))
    found.append(case(small, ARGUMENTS, CONVERSATIONS[1], "nothing"))
    write("smollm", found)
    real, template = load(sys.argv[1])
    found = cases(real, template)
    for one in found:
        one["template"] = None  # the file's own
    write("smollm2", found)


def write(name, found):
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in found)
    (HERE / f"{name}.json").write_text(f"[\n{lines}\n]\n")


main()
