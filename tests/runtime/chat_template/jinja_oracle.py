"""Renders snippets with the Python package jinja2, set up as transformers does, for jinja.cpp.

The environment is that of transformers.utils.chat_template_utils, written anew from what it does:
immutable sandbox, trim_blocks, lstrip_blocks, break and continue, tojson without HTML escapes,
raise_exception, strftime_now, {% generation %}.

usage: jinja_oracle.py OUTPUT.json SEED COUNT      makes jobs, and what jinja2 makes of each
"""

import datetime
import json
import pathlib
import random
import resource
import sys

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.sandbox

# Each statement, filter, test and method with its arguments, by hand.
SNIPPETS = pathlib.Path(__file__).resolve().parent / "snippets"
NOW = datetime.datetime(2026, 11, 29, 12, 34, 56)


class Generation(jinja2.ext.Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        call = self.call_method("_render")
        return jinja2.nodes.CallBlock(call, [], [], body).set_lineno(line)

    def _render(self, caller):
        return caller()


class Dict:
    def __call__(self, *args, **kwargs):
        return dict(*args, **kwargs)

    def fromkeys(self, *args, **kwargs):
        return dict.fromkeys(*args, **kwargs)


class Namespace(jinja2.utils.Namespace):
    def __init__(*args, **kwargs):
        self, attributes = args[0], dict(*args[1:], **kwargs)
        for name in attributes:
            Namespace.check(name)
        jinja2.utils.Namespace.__init__(self, attributes)

    def __setitem__(self, name, value):
        Namespace.check(name)
        jinja2.utils.Namespace.__setitem__(self, name, value)

    @staticmethod
    def check(name):
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError(name)


def environment():
    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                          sort_keys=sort_keys)

    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    env.globals["dict"] = Dict()
    env.globals["namespace"] = Namespace
    return env


# What every job's template sees besides its own variables.
VARIABLES = {
    "n": None, "t": True, "f": False, "i": 7, "neg": -3, "x": 2.5, "big": 123456789012345678,
    "s": "Hello, World", "empty": "", "uni": "naïve ΣΑΣ Straße 日本 🙂", "blank": "  a b\t\n c  ",
    "html": "<b>\"it's\" & </b>", "lines": "one\ntwo\n\n  three\r\nfour",
    "l": [3, 1, 2], "words": ["b", "A", "c", "a"],
    "mixed": [1, "1", 1.0, None, True, [1], {"a": 1}],
    "el": [], "d": {"b": 2, "a": 1, "C": [1, {"x": None}]}, "ed": {},
    "people": [{"name": "Ann", "age": 31, "city": {"n": "Oslo"}, "tags": ["x"]},
               {"name": "bob", "age": 22, "city": {"n": "rome"}, "tags": []},
               {"name": "Cid", "age": 31, "city": {"n": "Rome"}, "tags": ["x", "y"]}],
    "keys": {"items": 1, "get": 2, "keys": 3, "x y": 4, "0": 5, "values": [6]},
    "nested": [[1, 2], [3, [4, 5]], []],
}


def expressions(text):
    """The expressions of a text: separated by ` | `, or by line ends outside of strings."""
    for part in text.strip("\n").replace("\n", " | ").split(" | "):
        if part:
            yield part


class Writer:
    """Writes random expressions and templates."""

    NAMES = ["i", "neg", "x", "s", "uni", "blank", "html", "lines", "l", "words", "mixed", "el",
             "d", "ed", "people", "keys", "nested", "n", "t", "f", "empty", "nope"]
    LITERALS = ["0", "1", "-1", "2", "2.5", "'a'", "','", "'l'", "''", "none", "true", "false",
                "[]", "{}", "[1, 2]", "('a', 1)", "{'a': 1, 'b': [2]}", "'é日'", "'%s-%s'",
                "'x y z'"]
    OPERATORS = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", "<=", ">", ">=", "in",
                 "not in", "and", "or"]
    METHODS = ["strip", "split", "upper", "lower", "title", "items", "keys", "values", "get",
               "startswith", "endswith", "replace", "find", "count", "index", "join", "splitlines",
               "capitalize", "rsplit", "lstrip", "rstrip", "isdigit", "isalpha", "format", "copy",
               "partition", "zfill", "center", "swapcase"]
    TESTS = ["defined", "undefined", "none", "string", "number", "mapping", "sequence", "iterable",
             "odd", "even", "true", "false", "boolean", "integer", "float", "lower", "upper",
             "callable", "divisibleby 2", "in l", "eq 1", "sameas none", "gt 1", "ne 'a'"]

    def __init__(self, rng, filters):
        self.rng = rng
        self.filters = filters

    def pick(self, values):
        return self.rng.choice(values)

    def arguments(self, depth):
        count = self.pick([0, 0, 1, 1, 1, 2, 3])
        return ", ".join(self.expression(depth - 2) for _ in range(count))

    def expression(self, depth=3):
        if depth <= 0:
            return self.pick(self.NAMES if self.rng.random() < 0.6 else self.LITERALS)
        inner = lambda: self.expression(depth - 1)
        kind = self.rng.randrange(14)
        if kind < 3:
            return f"{inner()} {self.pick(self.OPERATORS)} {inner()}"
        if kind < 6:
            name = self.pick(self.filters)
            given = f"({self.arguments(depth)})" if self.rng.random() < 0.4 else ""
            last = "|list" if name in LAZY else ""
            return f"({inner()})|{name}{given}{last}"
        if kind == 6:
            return f"({inner()}).{self.pick(self.METHODS)}({self.arguments(depth)})"
        if kind == 7:
            return f"{inner()} is {self.pick(['', 'not '])}{self.pick(self.TESTS)}"
        if kind == 8:
            return f"({inner()})[{inner()}]"
        if kind == 9:
            bounds = [self.pick(["", "", "0", "1", "-1", "2", "-3", "9"]) for _ in range(2)]
            step = self.pick(["", "", ":", ":2", ":-1"])
            return f"({inner()})[{bounds[0]}:{bounds[1]}{step}]"
        if kind == 10:
            return f"({inner()} if {inner()} else {inner()})"
        if kind == 11:
            return f"[{inner()}, {inner()}]"
        if kind == 12:
            return f"{self.pick(['not ', '-', '+'])}({inner()})"
        return f"({inner()}).{self.pick(['name', 'age', 'a', 'C', 'items', '0', 'city', 'upper'])}"

    def tag(self, inside):
        return "{%" + self.pick(["", "", "", "-", "+"]) + f" {inside} " \
            + self.pick(["", "", "", "-", "+"]) + "%}"

    def text(self):
        return self.pick(["a", " ", "\n", "  \n", "b\n  ", "\t", "\n\n", "x ", " y", "", "é"])

    def statement(self, depth):
        body = lambda: self.template(depth - 1)
        kind = self.rng.randrange(9)
        if kind == 0 or depth <= 0:
            return self.tag(f"set {self.pick(['v', 'w', 's'])} = {self.expression(1)}")
        if kind in (1, 2):
            other = self.tag("else") + body() if self.rng.random() < 0.5 else ""
            return self.tag(f"if {self.expression(1)}") + body() + other + self.tag("endif")
        if kind in (3, 4):
            some = f" if {self.expression(1)}" if self.rng.random() < 0.3 else ""
            inner = self.pick(["{{ v }}", "{{ loop.index }}{{ loop.last }}", "{{ loop.nextitem }}",
                               "{% if loop.first %}{% continue %}{% endif %}",
                               "{% if v %}{% break %}{% endif %}", "{{ loop.length }}"])
            other = self.tag("else") + body() if self.rng.random() < 0.3 else ""
            source = self.pick(["l", "words", "nested", "d", "people", "mixed", "uni", "el",
                                "d.items()"])
            return (self.tag(f"for v in {source}{some}") + inner + body() + other
                    + self.tag("endfor"))
        if kind == 5:
            return (self.tag("macro m(a, b=i)") + "{{ a }}{{ b }}" + body() + self.tag("endmacro")
                    + "{{ m(" + self.arguments(2) + ") }}")
        if kind == 6:
            return self.tag("set v") + body() + self.tag("endset") + "[{{ v }}]"
        if kind == 7:
            return self.tag(f"filter {self.pick(['upper', 'trim', 'indent', 'length'])}") + body() \
                + self.tag("endfilter")
        return self.tag(f"with w = {self.expression(1)}") + body() + self.tag("endwith")

    def template(self, depth=2):
        parts = []
        for _ in range(self.rng.randint(1, 3)):
            parts.append(self.text())
            roll = self.rng.random()
            if roll < 0.4:
                parts.append("{{" + self.pick(["", "-"]) + f" {self.expression(1)} "
                             + self.pick(["", "-"]) + "}}")
            elif roll < 0.9:
                parts.append(self.statement(depth))
            else:
                parts.append("{#" + self.pick(["", "-"]) + " c " + self.pick(["", "-", "+"]) + "#}")
        return "".join(parts) + self.text()


# Filters that give generators: printing one shows an address.
LAZY = {"map", "select", "reject", "selectattr", "rejectattr", "items", "batch", "slice", "unique",
        "reverse"}


def templates(rng, count):
    snippets = {path.stem: path.read_text(encoding="utf-8") for path in SNIPPETS.glob("*.txt")}
    yield from snippets["statements"].rstrip("\n").split("\n")
    for name in ("whitespace", "statements"):
        lines = snippets[name].rstrip("\n").split("\n")
        for start in range(len(lines)):
            size = rng.randint(2, 6)
            yield "\n".join(lines[start:start + size])
    for name in ("expressions", "filters", "methods"):
        for expression in expressions(snippets[name]):
            yield "{{ " + expression + " }}"
            yield "{% set q = " + expression + " %}{% if q %}yes{% endif %}|{{ [q] }}"
    refused = {"random", "urlize", "pprint"}
    writer = Writer(rng, sorted(set(environment().filters) - refused))
    for _ in range(count):
        yield "{{ " + writer.expression() + " }}"
        yield writer.template()


def is_known_difference(template, result):
    """What this project does otherwise on purpose, or what differs from run to run."""
    text, error = result.get("text", ""), result.get("error", "")
    lower = text.lower()
    return (" at 0x" in lower or " object>" in lower or "j)" in lower or "<function" in lower
            or "bound method" in lower or any(len(w) > 38 and w.strip("-").isdigit() for w in
                                             text.replace(",", " ").replace("]", " ").split())
            or "|random" in template or "|urlize" in template
            or "name 'inf' is not" in error or "name 'nan' is not" in error
            or any(0xD800 <= ord(c) <= 0xDFFF for c in text) or "autoescape" in template)


def render(env, template, variables):
    try:
        return {"text": env.from_string(template).render(**json.loads(json.dumps(variables)))}
    except jinja2.exceptions.SecurityError as error:
        return {"security": str(error)}
    except RecursionError:
        raise
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error}"}
        if type(error) is jinja2.exceptions.TemplateError:
            result["raised"] = str(error)
        return result


def main():
    output, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    # jinja2 itself knows no limits.
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    env, jobs, seen = environment(), [], set()
    for template in templates(rng, count):
        if template in seen:
            continue
        seen.add(template)
        result = render(env, template, VARIABLES)
        if not is_known_difference(template, result):
            jobs.append({"template": template, **result})
    with open(output, "w", encoding="utf-8") as file:
        json.dump({"variables": VARIABLES, "jobs": jobs}, file, ensure_ascii=False)


if __name__ == "__main__":
    main()
