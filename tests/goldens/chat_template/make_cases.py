"""Renders the templates beside this file with jinja2 3.1 for a few conversations: cases.json.

usage: make_cases.py
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "runtime" / "chat_template"))
import jinja_oracle  # noqa: E402

LIGHT = {"type": "function", "function": {
    "name": "set_light", "description": "Turns <a> lamp \"on\" & off",
    "parameters": {"type": "object", "properties": {
        "room": {"type": "string", "enum": ["hall", "küche"]},
        "level": {"type": "number", "minimum": 0, "maximum": 1.5}}, "required": ["room"]}}}


def call(arguments, identity="abcdefgh1"):
    return {"id": identity, "type": "function",
            "function": {"name": "set_light", "arguments": arguments}}


CONVERSATIONS = {
    "one question": {"messages": [{"role": "user", "content": "  Is it dark?\n"}]},
    "system": {"messages": [{"role": "system", "content": "Be brief. "},
                            {"role": "user", "content": "Ist es dunkel? 暗い？"}]},
    "turns": {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"},
                           {"role": "user", "content": "<|im_end|> {{ x }} {% y %}"}]},
    "reasoning": {"messages": [
        {"role": "user", "content": "2+2"},
        {"role": "assistant", "content": "<think>\nfour?\n</think>\n\n4"},
        {"role": "user", "content": "sure?"},
        {"role": "assistant", "content": "Yes", "reasoning_content": "\nstill four\n"}],
        "add_generation_prompt": False},
    "tools": {"messages": [{"role": "user", "content": "Light in the hall"}], "tools": [LIGHT]},
    "call": {"messages": [
        {"role": "user", "content": "Light"},
        {"role": "assistant", "content": None,
         "tool_calls": [call({"room": "küche", "level": 0.5})]},
        {"role": "tool", "content": "{\"ok\": true}"},
        {"role": "assistant", "content": "Done"}], "tools": [LIGHT]},
    "two calls": {"messages": [
        {"role": "user", "content": "Both"},
        {"role": "assistant", "content": "", "tool_calls": [
            call({"room": "hall"}), call("{\"room\": \"küche\"}", "abcdefgh2")]},
        {"role": "tool", "content": "1"}, {"role": "tool", "content": "2"}]},
    "short id": {"messages": [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": "", "tool_calls": [call({}, "1")]}]},
    "parts": {"messages": [{"role": "user", "content": [
        {"type": "text", "text": " look "}, {"type": "image"}, {"type": "text", "text": "here"}]}]},
    "two users": {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]},
    "nobody": {"messages": []},
    "no content": {"messages": [{"role": "user"}]},
    "thinking off": {"messages": [{"role": "user", "content": "q"}], "enable_thinking": False},
}


def main():
    env, cases = jinja_oracle.environment(), []
    for path in sorted(HERE.glob("*.jinja")):
        for name, conversation in CONVERSATIONS.items():
            variables = {"tools": None, "documents": None, "add_generation_prompt": True,
                         "bos_token": "<s>", "eos_token": "</s>", **conversation}
            result = jinja_oracle.render(env, path.read_text(), variables)
            cases.append({"template": path.name, "name": name, "variables": variables, **result})
    (HERE / "cases.json").write_text(json.dumps(cases, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
