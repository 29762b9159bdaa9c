"""Snippets of Jinja: each statement, expression, filter, test and method with its arguments."""

STATEMENTS = r"""
{% if i > 5 %}big{% elif i %}some{% else %}none{% endif %}
{% if el %}a{% elif empty %}b{% endif %}|{% if undefined_thing %}x{% else %}y{% endif %}
{% if i == 7: %}colon{% endif %}
{% if 1, 0 %}tuple{% endif %}
{% for v in l %}{{ loop.index }}/{{ loop.length }}:{{ v }}{{ "," if not loop.last }}{% endfor %}
{% for v in l %}{{ loop.index0 }} {{ loop.revindex }} {{ loop.revindex0 }} {{ loop.first }} {{ loop.last }};{% endfor %}
{% for v in l %}[{{ loop.previtem }}<{{ v }}>{{ loop.nextitem }}]{% endfor %}
{% for v in l %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }}{% endfor %}
{% for v in l %}{{ loop.cycle("odd", "even") }} {{ loop.depth }} {{ loop.depth0 }};{% endfor %}
{% for v in [1, 1, 2, 2, 1] %}{{ loop.changed(v) }} {% endfor %}
{% for v in [1, 1, 2] %}{{ loop.changed() }}{{ loop.changed(v, i) }} {% endfor %}
{% for v in el %}x{% else %}empty{% endfor %}
{% for v in l %}{{ v }}{% else %}empty{% endfor %}
{% for v in l if v > 1 %}{{ loop.index }}/{{ loop.length }}={{ v }} {% endfor %}
{% for v in l if v > 9 %}{{ v }}{% else %}nothing{% endfor %}
{% for v in l if v != 2 %}{{ v }}{{ loop.last }}{{ loop.nextitem }} {% endfor %}
{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}
{% for k, v in d|dictsort %}{{ k }}={{ v }};{% endfor %}
{% for (a, b), c in [((1, 2), 3), ("xy", "z")] %}{{ a }}{{ b }}{{ c }};{% endfor %}
{% for a, b in [[1, 2], [3]] %}{{ a }}{{ b }}{% endfor %}
{% for a, b in [[1, 2, 3]] %}{{ a }}{% endfor %}
{% for a in 5 %}{{ a }}{% endfor %}
{% for a in none %}{{ a }}{% endfor %}
{% for a in undefined_thing %}{{ a }}{% else %}none{% endfor %}
{% for c in uni %}{{ c }}.{% endfor %}
{% for k in d %}{{ k }}{% endfor %}
{% for v in 1, 2, 3 %}{{ v }}{% endfor %}
{% for v in (1, 2, 3) %}{{ v }}{% endfor %}
{% for v in range(3) %}{{ v }}{% endfor %}{% for v in range(5, 0, -2) %}{{ v }}{% endfor %}
{% for v in l %}{% if v == 1 %}{% continue %}{% endif %}{{ v }}{% endfor %}
{% for v in l %}{% if v == 1 %}{% break %}{% endif %}{{ v }}{% else %}never{% endfor %}
{% for v in l %}{% continue %}{% else %}all skipped{% endfor %}
{% for v in l %}{% break %}{% else %}left at once{% endfor %}
{% for a in nested %}{% for b in a %}{% if b is iterable %}{% break %}{% endif %}{{ b }}{% endfor %};{% endfor %}
{% for a in l %}{% for b in l %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}
{% for v in nested recursive %}{{ loop.depth }}{{ "[" ~ loop(v) ~ "]" if v is iterable else v }}{% endfor %}
{% for v in [1, [2, [3]]] recursive %}{% if v is number %}{{ v }}{% else %}({{ loop(v) }}){% endif %}{% else %}E{% endfor %}
{% for v in l %}{{ loop(v) }}{% endfor %}
{% for v in l %}{% set loop = 1 %}{% endfor %}
{% for loop in l %}{% endfor %}
{% for v in l %}{% set q = v %}{% endfor %}{{ q }}
{% set q = 1 %}{% for v in l %}{{ q }}{% set q = v %}{{ q }};{% endfor %}{{ q }}
{% set ns = namespace(q=0) %}{% for v in l %}{% set ns.q = ns.q + v %}{% endfor %}{{ ns.q }}
{% set ns = namespace() %}{% set ns.a = 1 %}{{ ns.a }}{{ ns.b }}{{ ns }}
{% set ns = namespace({"a": 1}, b=2) %}{{ ns.a }}{{ ns.b }}{{ ns["a"] }}
{% set ns = namespace(a=1) %}{{ ns.a.b.c }}
{% set ns = namespace(_a=1) %}
{% set ns = namespace() %}{% set ns._a = 1 %}
{% set i.a = 1 %}
{% set d.a = 1 %}
{% set undefined_thing.a = 1 %}
{% set ns = namespace(self=1, items=2) %}{{ ns.self }}{{ ns.items }}
{% set a = 1 %}{% set a, b = 2, a %}{{ a }}{{ b }}
{% set (a, b) = [1, 2] %}{{ a }}{{ b }}
{% set a = 1, %}{{ a }}
{% set a %}text {{ i }}{% endset %}[{{ a }}]{{ a is string }}
{% set a | upper | replace("E", "3") %}text{% endset %}{{ a }}
{% set ns = namespace() %}{% set ns.a %}block{% endset %}{{ ns.a }}
{% set a %}{% set b = 1 %}{% endset %}{{ b }}
{% for v in l %}{% set c %}{% if v == 1 %}{% break %}{% endif %}{{ v }}{% endset %}{{ c }}{% endfor %}
{% set a = 1 if f %}{{ a }}{{ a is defined }}
{% set true = 1 %}
{% set 1 = 2 %}
{% set a.b.c = 2 %}
{% set a[0] = 2 %}
{{ s }}{% set s = 1 %}{{ s }}
{% for v in l %}{{ s }}{% endfor %}{% set s = 1 %}
{% for v in [1] %}{% for w in [1] %}{{ s }}{% endfor %}{% set s = 2 %}{{ s }}{% endfor %}{{ s }}
{% if f %}{% set s = 2 %}{% endif %}{{ s }}
{% if t %}{% set s = 2 %}{% endif %}{{ s }}
{% macro m() %}{{ s }}{% endmacro %}{{ m() }}{% set s = 2 %}{{ m() }}
{% macro m() %}{{ later }}{% endmacro %}{{ m() }}{% set later = 2 %}{{ m() }}
{% macro m(a, b=2, c=none) %}{{ a }}-{{ b }}-{{ c }};{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(1, c=4) }}{{ m(a=5) }}{{ m() }}
{% macro m(a) %}{{ a is defined }}{{ a }}{% endmacro %}{{ m() }}
{% macro m(a) %}{{ a.b }}{% endmacro %}{{ m() }}
{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, 2) }}{{ m() }}
{% macro m(a=b, b=1) %}{{ a }}{{ b }}{% endmacro %}{{ m() }}{{ m(b=3) }}
{% macro m(a, b=1, c) %}{% endmacro %}
{% macro m(a, a) %}{% endmacro %}
{% macro m() %}{% endmacro %}{{ m(1) }}
{% macro m() %}{% endmacro %}{{ m(x=1) }}
{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}{{ m() }}
{% macro m(a) %}{{ a }}{{ varargs|join("+") }}{% endmacro %}{{ m(1, 2, 3) }}
{% macro m(varargs) %}{{ varargs }}{% endmacro %}{{ m(1) }}
{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}body {{ i }}{% endcall %}
{% macro m() %}{{ caller(1, b=2) }}{% endmacro %}{% call(a, b=3, c=4) m() %}{{ a }}{{ b }}{{ c }}{% endcall %}
{% macro m() %}{{ caller }}{% endmacro %}{{ m() }}
{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}
{% macro m() %}x{% endmacro %}{% call m() %}y{% endcall %}
{% macro m(caller) %}{{ caller() }}{% endmacro %}
{% macro m(caller=none) %}{{ caller }}{% endmacro %}{{ m() }}
{% macro m(a, caller=none) %}{{ a }}{{ caller() if caller }}{% endmacro %}{% call m(1) %}c{% endcall %}{{ m(2) }}
{% call i %}{% endcall %}
{% call i|upper() %}{% endcall %}
{% call undefined_thing() %}{% endcall %}
{% macro m(n) %}{{ n }}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(5) }}
{% macro m(n) %}{% set x = n %}{% if n %}{{ m(n - 1) }}{% endif %}{{ x }}{% endmacro %}{{ m(3) }}
{% macro m() %}{% set inner = 1 %}{% endmacro %}{{ m() }}{{ inner }}
{% macro m(a) %}m{% endmacro %}{{ m.name }}{{ m.arguments }}{{ m.catch_kwargs }}{{ m.catch_varargs }}{{ m.caller }}
{% macro m() %}{% endmacro %}{{ m }}{{ m is callable }}
{% for v in l %}{% macro m() %}{{ v }}{% endmacro %}{{ m() }}{% endfor %}
{% macro outer() %}{% macro inner() %}in{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}{{ inner }}
{% macro m(x) %}{{ x }}{% endmacro %}{{ m("<")|upper }}{{ m(1) + m(2) }}{{ m(1) is string }}
{% macro m() %}{% for a in l %}{{ loop.index }}{% endfor %}{% endmacro %}{% for q in [1] %}{{ m() }}{% endfor %}
{% macro m() %}{{ break_me }}{% break %}{% endmacro %}
{% for v in l %}{% macro m() %}{% break %}{% endmacro %}{% endfor %}
{% break %}
{% continue %}
{% with a = 1, b = 2 %}{{ a }}{{ b }}{% endwith %}{{ a }}
{% with a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}{% endwith %}
{% with %}{% set a = 1 %}{{ a }}{% endwith %}{{ a }}
{% with a, b = (1, 2) %}{{ a }}{{ b }}{% endwith %}
{% with s = s ~ "!" %}{{ s }}{% endwith %}{{ s }}
{% filter upper %}text {{ s }}{% endfilter %}
{% filter replace("a", "b") | upper %}banana{% endfilter %}
{% filter nofilter %}{% endfilter %}
{% filter indent(2) %}
a
b
{% endfilter %}
{% raw %}{{ not }} {% a %} {# b #}{% endraw %}!
{%- raw -%}  {{ x }}  {%- endraw -%}  !
{% raw %}
  a
  {% endraw %}
b
{% raw %}{% endraw %}|{% raw %}{% raw %}{% endraw %}
{% raw %}unclosed
{# comment #}a{#- b -#}  c  {#- {{ d }} #}
{# unclosed
{% block b %}in {{ s }}{% endblock %}{{ self.b() }}
{% block b %}x{% endblock b %}{% block c %}{% set q = 1 %}{{ q }}{% endblock %}{{ q }}
{% set q = 5 %}{% for v in [1] %}{% block b %}{{ q }}{{ v }}{% endblock %}{% endfor %}
{% for v in [1] %}{% block b scoped %}{{ v }}{{ loop.index }}{% endblock %}{% endfor %}
{% block b %}{% endblock %}{% block b %}{% endblock %}
{% block b %}{{ super() }}{% endblock %}
{% block b required %}{% endblock %}
{{ self.nothing() }}{{ self }}
{% generation %}gen {{ i }}{% endgeneration %}!
{% generation %}{% set g = 1 %}{{ g }}{% endgeneration %}{{ g }}
{% for v in l %}{% generation %}{{ v }}{{ loop.index }}{% endgeneration %}{% endfor %}
{% for v in l %}{% generation %}{% break %}{% endgeneration %}{% endfor %}
{% print i, s %}{% print %}
{% autoescape false %}{{ html }}{% set q = 1 %}{% endautoescape %}{{ q }}
{% include "a" %}
{% import "a" as b %}
{% from "a" import b %}
{% extends "a" %}
{% unknown %}
{% endif %}
{% if %}{% endif %}
{% if i %}
{% for %}{% endfor %}
{% for a b %}{% endfor %}
{% if i %}{% endfor %}
{% else %}
{% %}
{{ }}
{{ i
{{ i }
{% if i
{{ raise_exception("stop " ~ i) }}
{{ raise_exception() }}
{{ raise_exception(none) }}
{% if f %}{{ raise_exception("no") }}{% endif %}ok
{{ strftime_now("%Y-%m-%d %H:%M:%S %f %j %a %A %b %B %d %e %y %p %I %% %D %F %T %U %W %u %w %C %G %V %h %R %x %X %c %n %t") }}
{{ strftime_now("%-d %-m é %Z%z.") }}{{ strftime_now("") }}{{ strftime_now("plain") }}
{{ strftime_now() }}
{{ strftime_now(5) }}
{% set c = cycler("a", "b") %}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.next() }}{{ c.reset() }}{{ c.next() }}
{{ cycler() }}
{% set j = joiner() %}{{ j() }}a{{ j() }}b{{ j() }}{% set k = joiner("|") %}{{ k() }}{{ k() }}
{{ dict(a=1) }}{{ dict({"b": 1}, c=2) }}{{ dict([("a", 1), ["b", 2]]) }}{{ dict() }}{{ dict.fromkeys("ab", 1) }}
{{ dict(1) }}
{{ dict([1]) }}
{{ dict([(1, 2, 3)]) }}
{{ range(3) }}{{ range(1, 5, 2)|list }}{{ range(0)|list }}{{ range(5)[1] }}{{ range(5)[1:3] }}{{ range(3)|length }}{{ 2 in range(3) }}
{{ range(0, 3, 0) }}
{{ range(200000) }}
{{ range("a") }}
{{ range(2.0) }}
{{ range() }}
"""

WHITESPACE = r"""
  {% if t %}
    a
  {% endif %}
b
  {%- if t -%}
    a
  {%- endif -%}
b
  {%+ if t %}
    a
  {%+ endif %}
b
a {% if t +%}
 b
{% endif +%}
c
x  {{- i -}}  y  {{ i -}}  z  {{- i }}  w
  {{ i }}
  {{ s }}

a
    {# comment #}
b
    {#- comment -#}
b
    {#+ comment +#}
b
{% if t %}

a

{% endif %}

b
a{% if t %}   {% endif %}   {% if t %}
  {% endif %}	{% if t %}x{% endif %}
{% set a = 1 %}
{% set b = 2 %}  
{{ a }}{{ b }}
"""

EXPRESSIONS = r"""
i + 1 | i - 8 | i * 2 | i / 2 | i // 2 | i % 4 | i ** 2 | -i | +i | -i ** 2 | 2 ** 3 ** 2 | neg // 2 | neg % 5 | 7 % -3
7 // -3 | -7 // 2 | 1 / 3 | 6 / 3 | 2 ** -1 | 2 ** 0.5 | 10 ** 20 | 10 ** 37 | 7.5 // 2 | 7.5 % 2 | -7.5 % 2 | 7 % 2.5
1 / 0 | 1 // 0 | 1 % 0 | 1.0 / 0 | 0 ** -1 | x % 0 | x // 0.0 | t + t | t * 3 | t / 2 | -t | +t | 1 + 2.5 | big * big
1 + "a" | "a" + 1 | none + 1 | l + [4] | l + (1,) | (1, 2) + (3,) | "a" * 3 | 3 * "ab" | "a" * -1 | l * 2 | 2 * (1, 2) | "a" * 2.0
l - l | d + d | -s | +s | s / 2 | undefined_thing + 1 | 1 + undefined_thing | -undefined_thing | "a" + undefined_thing
i ~ s ~ none ~ t ~ x ~ l | "" ~ undefined_thing ~ "x" | 1 ~ 2 | i ~ i + 1 | 2 * 3 ~ 4
i == 7 | i == 7.0 | i == "7" | t == 1 | f == 0 | none == none | none == 0 | s == "Hello, World" | l == [3, 1, 2] | l == (3, 1, 2)
d == {"a": 1, "b": 2, "C": [1, {"x": none}]} | undefined_thing == undefined_thing | undefined_thing == none | i != 7 | s != "x"
i < 8 | i <= 7 | i > 7.5 | i >= 7 | 1 < 2 < 3 | 1 < 3 < 2 | 3 > 2 > 1 == 1 | "a" < "b" | "B" < "a" | "é" > "z" | [1, 2] < [1, 3] | (1,) < (1, 2)
1 < "a" | none < 1 | l < (1,) | d < d | undefined_thing < 1 | 1 < undefined_thing | big < 1e18 | big == 123456789012345678.0
1 in l | 4 not in l | "a" in d | "ell" in s | 1 in s | "" in s | none in mixed | 1 in none | 1 in i | "a" in undefined_thing | [1] in mixed | undefined_thing in l
not i | not el | not none | not not s | i and s | el and s | i or s | el or empty or none | not i == 7 | not i in l | t and not f | el or 0
i if t | i if f | i if f else s | 1 if f else 2 if f else 3 | (1 if f else 2) ~ 3 | i if t else undefined_thing.x
"a" "b" 'c' | 'it\'s' | "q\"q" | "a\nb\tc" | 'a\\b' | "\x41\u00e9\U0001f600\101\7" | "\é\q" | "\
" | 'multi
line'
1_000 | 0x1F | 0b101 | 0o17 | 1e3 | 1.5e-3 | 1_0.5 | 1e400 | 00 | 0_0 | 1.0 | 100000000000000000000.0 | 1e16 | 1e15 | 0.0001 | 0.00001 | 1.e3
123456789012345680.0 | 0.1 + 0.2 | 1e100 | -0.0 | 5e-324 | 1.7976931348623157e308 | 3.0 | 2.50 | 1/3
[] | [1, "a", none, true, 2.0] | [1,] | () | (1,) | (1, 2) | {} | {"a": 1, 2: "b", none: [1], true: {}} | {1: "a", 1.0: "b", true: "c"} | {"a": {"b": ["c"]}}
{[1]: 2} | {(1, 2): 3} | {"a": 1, "a": 2} | ["it's", 'say "hi"', "both ' and \"", "new\nline", "é", "\x00\x7f\u200b", "日本"]
l[0] | l[-1] | l[5] | l[-4] | l["a"] | l[0.0] | l[t] | l[none] | s[0] | s[-1] | s[99] | uni[2] | uni[-1] | d["a"] | d["z"] | d[l] | d.a | d.z | d.C[1].x | d.C.0 | d.C.1.x
none.a | none["a"] | i.a | i[0] | t[0] | undefined_thing.a | undefined_thing["a"] | undefined_thing[0] | d.z.y | l.0 | l.9 | (1, 2)[1] | nested.1.1.0 | keys.items | keys["items"] | keys.get | keys["x y"] | keys.values
l[1:] | l[:2] | l[:-1] | l[::2] | l[::-1] | l[5:] | l[-2:] | l[2:0] | l[2:0:-1] | l[::0] | l["a":] | l[1.0:] | l[none:none] | l[t:] | s[7:] | s[::-1] | s[1:10:3] | uni[6:9] | uni[::-1]
(1, 2, 3)[1:] | d[1:] | i[1:] | none[1:] | undefined_thing[1:] | range(10)[2:8:3]|list | range(10)[::-1]|list | s[-5:-2] | s[100:] | s[-100:3] | s[:undefined_thing] | l[-100:100:7] | l[100::-1] | l[:-100:-1]
l[1, 2] | d[1, 2] | {(1, 2): "t"}[1, 2] | l[1:2, 3] | l[] | s.upper().lower()[1:]|length | "a.b".split(".")[1] | ("a" ~ "b").upper() | [1, 2].0
1.real | i.real | x.real | i.__class__ | s.__class__ | s.__len__ | l.__class__.__mro__ | i.__class__.x | d.__class__ | "".__class__.__base__ | i["__class__"] | cycler.__init__ | range.__doc__
s() | i() | none() | undefined_thing() | d.z() | s.nothing() | s.upper | l() | s.upper(1) | s.split(",", 1, 2) | s.split(nope=1) | dict(a=1, a=2)
i is defined | undefined_thing is defined | d.z is defined | d.z is undefined | none is none | i is not none | s is string | i is string | i is number | x is number | t is number | t is integer | i is integer | x is float | x is integer | i is float
t is boolean | i is boolean | t is true | f is false | 1 is true | 0 is false | d is mapping | l is mapping | l is sequence | s is sequence | d is sequence | i is sequence | l is iterable | s is iterable | i is iterable | none is iterable | undefined_thing is iterable | undefined_thing is sequence
undefined_thing is string | undefined_thing is none | undefined_thing is mapping | i is odd | i is even | x is odd | s is odd | none is even | i is divisibleby 7 | i is divisibleby(2) | i is divisibleby 0 | s is lower | "abc" is lower | "ABC" is upper | "" is lower | 5 is upper | "Ǆ" is upper | "ǅ" is upper
range is callable | s is callable | s.upper is callable | undefined_thing is callable | i is sameas 7 | i is sameas 8 | l is sameas l | none is sameas none | t is sameas 1 | "upper" is filter | "nope" is filter | "odd" is test | 5 is filter | s is escaped | (s|safe) is escaped | (s|e) is escaped
1 is in l | 1 is in [2] | "a" is in "abc" | i is eq 7 | i is equalto 8 | i is ne 7 | i is gt 6 | i is lt 6 | i is ge 7 | i is le 7 | i is greaterthan 3 | i is lessthan 3 | i is eq | i is defined(1) | i is nosuch | i is not nosuch | i is eq(other=7) | i is not in l | i is string is string
i is defined and s is string | i is defined or f | not i is defined | i is defined == t | i if i is defined else 1 | i is divisibleby i - 4 | (i is eq 7) ~ "x" | l is eq [3, 1, 2] | i is eq {} | i is eq "a" "b" | i is odd.x
i|nosuch | (i|nosuch) if f else 1 | i|string|length | i | string ~ "x" | -i|abs | (-i)|abs | i + 1|string|length | not i|string | s|upper|lower | l|first + 1 | (l|first) + 1 | s|replace("l", "L")|upper() | s|upper.x | 2 ** 3|float | "%s"|format(i) ~ 1 | l|join|int + 1
*l | [*l] | dict(**d) | dict(*[d]) | range(*[1, 4])|list | dict(a=1, **{"b": 2}) | dict(**{"a": 1, "a": 2}) | dict(**{1: 2}) | dict(**l) | range(*5) | range(1, *[4]) | "{} {}".format(*l[:2]) | "{a}".format(**d) | m(**d, 1) | m(a=1, 2)
loop | self | super() | varargs | caller | true | True | TRUE | none | None | null | and | in | is | (1 | 2) | 1 & 2 | a ! b | a ? b | a; b | 'unclosed | "a' | a.1.b | a..b | .a | 1.5.x | @ | $x | `x` | a => b | a := 1 | lambda x: x | [x for x in l] | i++ | i--1 | {a | (1 | a) | [1 | l[
_x | _x.y | é | {"é": 1}.é | x1 | 1x | i if | else | i else | 1 if 2 else | ({}).get | {}.x.y | [1 2] | (1 2) | {1} | {1: } | {1: 2 3: 4} | [, ] | (,) | s s | 1 1
"""

FILTERS = r"""
neg|abs | x|abs | t|abs | s|abs | none|abs | undefined_thing|abs
d|attr("a") | s|attr("upper") | people[0]|attr("name") | d|attr("items") is callable | undefined_thing|attr("a") | d|attr | d|attr(1)
l|batch(2)|list | range(7)|batch(3, "x")|list | range(6)|batch(3, "x")|list | s|batch(5)|list | l|batch(0)|list | l|batch|list | 5|batch(2)|list | l|batch(linecount=2, fill_with=none)|list | l|batch(-1)|list
"hello WORLD"|capitalize | uni|capitalize | 5|capitalize | "ǆa"|capitalize | ""|capitalize | none|capitalize | undefined_thing|capitalize
s|center(20) ~ "|" | s|center(21) ~ "|" | "ab"|center(5) ~ "|" | "abc"|center(6) ~ "|" | s|center(3) | s|center ~ "|" | s|center(-1) | 5|center(4) ~ "|" | s|center(width=15) ~ "|" | s|center("a")
s|count | l|length | d|length | uni|length | i|length | none|length | undefined_thing|length | (l|map("string"))|length | range(5)|length | d.keys()|length | x|count
undefined_thing|default("x") | d.z|default(1) | empty|default("x") | empty|default("x", true) | none|default("x") | none|default("x", boolean=true) | 0|d(1, 1) | undefined_thing|default | d.z.y|default(1) | undefined_thing|d(default_value=5) | s|default("x") | el|default([1], true)
d|dictsort | d|dictsort(true) | d|dictsort(false, "value") | ed|dictsort | {"b": 1, "a": 2}|dictsort(by="value") | {"b": 1, "a": 2}|dictsort(reverse=true) | d|dictsort(by="x") | {"B": 1, "a": 2, "b": 3}|dictsort | {"B": 1, "a": 2, "b": 3}|dictsort(case_sensitive=true) | l|dictsort | {1: 2, "a": 3}|dictsort | undefined_thing|dictsort
html|e | html|escape | html|forceescape | html|e|e | html|e|forceescape | none|e | i|e | l|e | undefined_thing|e | html|safe|e | (html|e)|length
1|filesizeformat | 0|filesizeformat | 999|filesizeformat | 1000|filesizeformat | 1000000|filesizeformat | 1500000|filesizeformat | 1024|filesizeformat(true) | 1048576|filesizeformat(binary=true) | "2000"|filesizeformat | 1e30|filesizeformat | x|filesizeformat | -5|filesizeformat | 999999|filesizeformat | s|filesizeformat | none|filesizeformat | 1e12|filesizeformat(true)
l|first | el|first | s|first | empty|first | d|first | i|first | none|first | undefined_thing|first | range(3)|first | (l|map("string"))|first | uni|last | l|last | el|last | s|last | d|last | i|last | (l|map("string"))|last | undefined_thing|last | d.items()|last | range(3)|last
"3.5"|float | "x"|float | "x"|float(1.5) | i|float | t|float | none|float | none|float(default=2) | " 1e3 "|float | "1_0"|float | "inf"|float | "-Infinity"|float | "nan"|float | "0x10"|float | undefined_thing|float | l|float | "١٢"|float | ""|float | "1__0"|float | "_1"|float
"12"|int | "12.7"|int | "x"|int | "x"|int(5) | x|int | -2.7|int | t|int | none|int | "0x1F"|int(0, 16) | "1F"|int(base=16) | "0b11"|int(0, 2) | "0o17"|int(0, 8) | "0b11"|int(0, 0) | "012"|int(7, 0) | " 42 "|int | "1_000"|int | "-5"|int | "+5"|int | "--5"|int | undefined_thing|int | l|int | "1e3"|int | "inf"|int | "nan"|int | ("inf"|float)|int | ("nan"|float)|int | "٣"|int | ""|int | "z"|int(0, 36) | "1"|int(0, 99) | big|int | 1e20|int
"%s is %d"|format("a", 5) | "%(a)s"|format(a=1) | "%s"|format(l) | "%s %s"|format(1) | "%s"|format(1, 2) | "%s"|format(1, a=2) | "%5.2f|%-6d|%06.1f|%+d|% d"|format(x, i, x, i, i) | "%x %X %o %#x %#o"|format(255, 255, 8, 255, 8) | "%e %E %g %G"|format(x, x, x, 1e10) | "%c%c"|format("a", 98) | "%r %a"|format("é'", "é") | "%%"|format() | "%d"|format("a") | "%d"|format(2.9) | "%x"|format(2.9) | "%.2s|%5s|%-5s|"|format("abc", "a", "b") | "%*d"|format(5, 3) | "%.*f"|format(2, x) | "%z"|format(1) | "%"|format(1) | "%(a"|format(a=1) | "%s"|format(undefined_thing) | "%d"|format(undefined_thing) | "%i %u"|format(t, -3) | "%.3d|%5.3d|%05d|%-05d|"|format(5, 5, 5, 5) | "%s" | "%5%|"|format() | "%f"|format("inf"|float) | "%.0f %.0f %.0f"|format(0.5, 1.5, 2.5) | "%#.3g %g %g"|format(1.0, 1e-5, 123456789) | "%ld"|format(3) | 5|format(1)
people|groupby("age") | people|groupby("age")|map("first")|list | people|groupby("city.n")|map("first")|list | people|groupby("city.n", case_sensitive=true)|map(attribute="grouper")|list | people|groupby("zz", default="none")|map("first")|list | (people|groupby("age"))[0].list|length | people|groupby("zz") | people|groupby("tags.0", default="-")|map("first")|list | l|groupby("a") | people|groupby
lines|indent | lines|indent(2) | lines|indent(2, true) | lines|indent(2, true, true) | lines|indent("> ") | lines|indent(width="--", first=true) | lines|indent(0) | lines|indent(-3) | ""|indent ~ "|" | "a\n"|indent ~ "|" | "\n\na"|indent(1, blank=true) ~ "|" | 5|indent | html|safe|indent("<") | "a\x0bb"|indent | undefined_thing|indent
d|items|list | ed|items|list | undefined_thing|items|list | l|items|list | (l|items) is iterable | none|items|list
l|join | l|join(", ") | words|join("-") | el|join | s|join(".") | people|join(", ", attribute="name") | people|join(attribute="age", d="/") | nested|join("|") | mixed|join(";") | d|join | i|join | none|join | undefined_thing|join | l|join(1) | [undefined_thing, 1]|join("-") | [html|safe, "<"]|join("&") | people|join("", "city.n")
l|list | s|list | d|list | range(3)|list | i|list | none|list | undefined_thing|list | (1, 2)|list | d.values()|list | d.items()|list
uni|lower | uni|upper | 5|lower | none|upper | "ǅ"|lower | "ß"|upper | "ŉ ǰ ΐ ﬃ"|upper | "İI"|lower | "ΑΣ"|lower | "ΑΣ Σ ΑΣΑ ΑΣ."|lower | html|safe|upper | undefined_thing|upper
l|map("string")|list | words|map("upper")|list | people|map(attribute="name")|list | people|map(attribute="city.n")|join(",") | people|map(attribute="zz")|list | people|map(attribute="zz", default="-")|list | people|map(attribute="tags.0", default=0)|list | l|map|list | l|map("nosuch")|list | l|map("replace", "1", "x")|list | nested|map("length")|list | nested|map("first")|list | l|map(attribute=0)|list | nested|map(attribute=0)|list | nested|map(attribute="0")|list | undefined_thing|map("upper")|list | none|map("upper")|list | 5|map("upper")|list | l|map("float")|map("round", 1)|list | l|map(attribute="a", bad=1)|list | words|map("default", "x")|list | words|map("center", 3)|list | (l|map("length")) is defined
l|max | l|min | words|max | words|min | words|max(true) | words|min(case_sensitive=true) | el|max | el|min | people|max(attribute="age") | people|min(attribute="name") | mixed|max | s|max | d|min | undefined_thing|max | i|max | (el|max) is defined | [1, 2.5, true]|max | [[1, 2], [1, 3]]|max
d|pprint | l|pprint | s|pprint | people|pprint | {"k" * 30: ["v" * 30] * 4, "a": {"b": "c" * 90}}|pprint | ("word " * 30)|pprint | (("a" * 30, "b" * 30, "c" * 30),)|pprint | range(40)|list|pprint | undefined_thing|pprint | ("line one\n" * 10)|pprint | {"b": 1, "a": {"d": 1, "c": 2}}|pprint | ["x y " * 30, 1]|pprint | ("x" * 100)|pprint | {"key": "some long text with spaces " * 5}|pprint | ("a" * 90,)|pprint | none|pprint | [[["deep" * 10] * 3] * 2]|pprint
l|select("odd")|list | l|select|list | mixed|select("string")|list | mixed|select|list | l|select("gt", 1)|list | l|select("==", 1)|list | l|select(">=", 2)|list | words|select("in", ["a", "b"])|list | l|select("nosuch")|list | l|reject("odd")|list | l|reject|list | l|reject("divisibleby", 3)|list | undefined_thing|select|list | none|select|list | 5|select("odd")|list | words|select("upper")|list | words|reject("lower")|list
people|selectattr("tags")|map(attribute="name")|list | people|selectattr("age", "gt", 30)|map(attribute="name")|list | people|selectattr("city.n", "equalto", "Oslo")|list | people|rejectattr("tags")|map(attribute="name")|list | people|rejectattr("age", "eq", 31)|list | people|selectattr("zz", "defined")|list | people|selectattr("zz", "undefined")|list|length | people|selectattr("zz")|list | people|selectattr|list | l|selectattr("a")|list | people|selectattr("name", "in", ["Ann"])|list|length | people|rejectattr("zz", "none")|list|length
s|replace("l", "L") | s|replace("l", "L", 1) | s|replace("", "-") | s|replace("l", "L", 0) | s|replace("x", "y") | 555|replace(5, 6) | s|replace("l") | s|replace(old="l", new="1", count=2) | uni|replace("ï", "i") | html|safe|replace("<", "&") | html|replace("<"|safe, ">"|safe) | none|replace("None", "n") | "aaa"|replace("aa", "b") | undefined_thing|replace("a", "b") | s|replace("l", "L", -1) | s|replace("l", "L", none) | "ab"|replace("", "-", 2)
l|reverse|list | s|reverse | uni|reverse | (1, 2)|reverse|list | d|reverse|list | i|reverse | range(3)|reverse|list | (l|map("string"))|reverse | el|reverse|list | d.items()|reverse|list | undefined_thing|reverse|list | none|reverse | html|safe|reverse
42.55|round | 42.55|round(1) | 42.55|round(1, "floor") | 42.55|round(1, "ceil") | 42|round | 2.5|round | 3.5|round | -2.5|round | 0.5|round | 1234.5|round(-2) | 1250|round(-2) | 1350|round(-2) | -1250|round(-2) | 2.675|round(2) | 1.005|round(2) | 42.5|round(0, "ceil") | 42.1|round(0, "floor") | -42.1|round(method="floor") | 5|round(2, "ceil") | s|round | none|round | t|round | 1e20|round | 1e20|round(2, "floor") | 42.5|round(method="x") | 42.55|round("a") | 2.5|round(precision=0)|int | 15|round(-1) | 25|round(-1) | 1.15|round(1) | undefined_thing|round | 0.1|round(20) | 7|round(-1, "floor")
html|safe | (html|safe) ~ "<" | (html|safe) + "<" | "<" + (html|safe) | (html|safe) * 2 | (html|safe)[0:3] + "<" | "%s"|safe|format("<") | ("%s"|safe) % "<" | (html|safe).upper() + "<" | [html|safe] | ("<"|safe).join(["<", "a"|safe]) | (html|safe).replace("b", "<") | ("a,b"|safe).split(",") | (html|safe) == html | {html|safe: 1}[html] | (html|safe)|tojson | (html|safe)|string + "<" | (html|safe)|trim + "<" | ("{}"|safe).format("<") | ("{}"|safe).format("<"|safe) | "{}".format("<"|safe) + "<" | none|safe | 5|safe + "<" | (html|safe)|lower + "<" | (html|safe)|title + "<" | (html|safe)|capitalize + "<" | (html|e) ~ "<" | (s|safe).center(20, "-") + "<" | ("%d %r"|safe) % (1, "<") | ("<"|safe) in "a<b" | (html|safe)|replace("b", "<") + "<" | (html|safe)|join | (html|safe)|first + "<" | (html|safe)|list + ["<"] | ("%(a)s"|safe)|format(a="<") | ("a"|safe) + 1 | (s|safe)|truncate(8, true, "<") | (s|safe).partition(",") | (s|safe)|e + "<"
l|slice(2)|list | range(10)|slice(3)|list | range(10)|slice(3, "x")|list | s|slice(2)|list | l|slice(0)|list | l|slice(-1)|list | l|slice|list | range(9)|slice(3, "x")|list | el|slice(2)|list
l|sort | l|sort(true) | words|sort | words|sort(case_sensitive=true) | people|sort(attribute="age")|map(attribute="name")|list | people|sort(attribute="age,name", reverse=true)|map(attribute="name")|list | people|sort(attribute="city.n")|map(attribute="name")|list | mixed|sort | d|sort | s|sort | el|sort | i|sort | undefined_thing|sort | nested[:2]|sort | [true, 0, 2.5]|sort | people|sort(false, false, "name")|map(attribute="name")|list | people|sort(attribute="zz") | people|sort | [[2, "b"], [1, "z"]]|sort(attribute=1) | [undefined_thing, undefined_thing]|sort | ["b", undefined_thing]|sort
i|string | l|string | s|string | none|string | undefined_thing|string | (i|string) is string | x|string
"<p>Hi  <b>there</b>\n you</p>"|striptags | html|striptags | "a<!-- c -->b"|striptags | "a < b"|striptags | "&lt;x&gt; &amp;amp; &quot;"|striptags | 5|striptags | "<a"|striptags | "&nbsp;x"|striptags | none|striptags
l|sum | el|sum | people|sum(attribute="age") | people|sum("age", 100) | l|sum(start=10) | words|sum | nested[:1]|sum(start=[]) | [0.1, 0.2]|sum | [t, t]|sum | l|sum(start="a") | undefined_thing|sum | [1, none]|sum | i|sum
"hello world-foo (bar) [baz] {qux} <zip>"|title | "it's o'neil"|title | uni|title | "ǆ"|title | "a  b\tc\nd"|title | 5|title | ""|title | "HELLO"|title | "3rd x1y"|title
d|tojson | l|tojson | s|tojson | html|tojson | uni|tojson | uni|tojson(ensure_ascii=true) | d|tojson(indent=2) | d|tojson(indent=0) | ed|tojson(indent=2) | nested|tojson(indent=1) | d|tojson(sort_keys=true) | d|tojson(separators=(",", ":")) | d|tojson(separators=[", ", " = "], indent=1) | none|tojson | t|tojson | x|tojson | 1e20|tojson | 1.0|tojson | ("nan"|float)|tojson | ("inf"|float)|tojson | (1, 2)|tojson | {1: 2, none: 3, true: 4, 1.5: 5}|tojson | {(1, 2): 3}|tojson | undefined_thing|tojson | [undefined_thing]|tojson | range(3)|tojson | "\x00\x1f\x7f\"\\/\b\f\n\r\t"|tojson | "\x7f\x80"|tojson(true) | d|tojson(indent="--") | d|tojson(true, 1) | d.items()|tojson | (l|map("string"))|tojson | d|tojson(indent=true) | d|tojson(bad=1) | d|tojson(separators="ab") | d|tojson(separators=",") | namespace(a=1)|tojson | d|tojson(indent=-1) | {"b": 1, 2: 3}|tojson(sort_keys=true) | d|tojson(indent=none) | "</script>'&"|tojson
blank|trim ~ "|" | s|trim("Hd") | "xxaxx"|trim("x") | "xyax"|trim("yx") | 5|trim | s|trim(none) | "\u00a0\u3000a\u2028"|trim ~ "|" | "\x1c\x1fa\x85"|trim ~ "|" | "\u200ba"|trim|length | s|trim(chars="H") | none|trim | undefined_thing|trim ~ "|" | s|trim(5) | "日本日"|trim("日")
s|truncate(8) | s|truncate(8, true) | s|truncate(8, false, "~") | s|truncate(5, true, "..", 0) | s|truncate(12) | s|truncate(8, true, "", 0) | s|truncate(2) | s|truncate | (s * 30)|truncate | s|truncate(8, leeway=0) | s|truncate(length=9, killwords=true, end="!", leeway=1) | uni|truncate(8, true) | 5|truncate | none|truncate | s|truncate(8, leeway=-1) | "foo bar baz qux"|truncate(11) | "foo bar baz qux"|truncate(11, false, "...", 0) | "foo bar baz qux"|truncate(9)
[1, 2, 1, 3]|unique|list | ["a", "A", "b"]|unique|list | ["a", "A", "b"]|unique(true)|list | people|unique(attribute="age")|map(attribute="name")|list | mixed[:5]|unique|list | mixed|unique|list | "aAbB"|unique|list | undefined_thing|unique|list | i|unique|list | [1, 1.0, true]|unique|list | people|unique(false, "city.n")|list|length
"a b/c?d=é&~"|urlencode | {"a b": "c&d", "é": 1}|urlencode | [("a", 1), ("b", "x y")]|urlencode | 5|urlencode | none|urlencode | uni|urlencode | ""|urlencode | "a+b"|urlencode | {"a/b": "c/d"}|urlencode | l|urlencode | undefined_thing|urlencode
"Hello, World! It's 3rd."|wordcount | uni|wordcount | ""|wordcount | 5|wordcount | "a_b c-d"|wordcount
"The quick brown fox jumps over the lazy dog"|wordwrap(10) | "The quick brown fox"|wordwrap(5, false) | "Extraordinarily-long hyphen-ated words"|wordwrap(8) | "Extraordinarily-long hyphen-ated words"|wordwrap(8, break_on_hyphens=false) | "abc def"|wordwrap(3, wrapstring="<br>") | lines|wordwrap(4) | "a--b---c word--word"|wordwrap(4) | ""|wordwrap(5) ~ "|" | "  lead trail  "|wordwrap(6) ~ "|" | s|wordwrap(0) | "supercalifragilistic"|wordwrap(6) | "supercali-fragilistic"|wordwrap(12) | uni|wordwrap(6) | s|wordwrap | 5|wordwrap | "a  b   c"|wordwrap(3) | "x-y-z well-known a-1 1-a --opt"|wordwrap(2)
{"class": "a b", "id": none, "x": 1, "q": "<\">"}|xmlattr | {"a": 1}|xmlattr(false) | {}|xmlattr ~ "|" | {"a b": 1}|xmlattr | {"a": undefined_thing}|xmlattr ~ "|" | l|xmlattr | {"a>": 1}|xmlattr | {"a": 1, "b": "é"}|xmlattr(autospace=true)
"a b"|upper|lower | s|upper("x") | s|lower(a=1) | l|join(",", nope=1) | s|replace("a", "b", "c", "d") | l|first(1) | l|length() | s|random | s|urlize | d|d | 5|string(1)
"""

METHODS = r"""
blank.strip() ~ "|" | blank.lstrip() ~ "|" | blank.rstrip() ~ "|" | s.strip("Hd") | s.lstrip("eH") | s.rstrip("dl") | s.strip(none) | s.strip(5) | s.strip("a", "b") | s.strip(chars="H") | "日本".strip("本") | "xx".strip("x") ~ "|"
s.split() | s.split(",") | s.split(", ") | s.split("l") | s.split("l", 1) | s.split(maxsplit=1) | s.split(sep="o", maxsplit=1) | s.split("") | s.split(none) | blank.split() | blank.split(none, 1) | empty.split() | empty.split(",") | s.split("x") | s.split("l", -1) | s.split("l", 0) | s.split(5) | "a,,b".split(",") | "  a  b ".split(" ") | uni.split(" ") | blank.split(maxsplit=0)
s.rsplit("l", 1) | s.rsplit() | s.rsplit(none, 1) | blank.rsplit(none, 1) | "a,b,c".rsplit(",", 1) | "a,b,c".rsplit(",") | s.rsplit("") | "aaa".rsplit("aa", 1) | "aaa".split("aa") | "  a b  ".rsplit(maxsplit=0) | empty.rsplit(",")
lines.splitlines() | lines.splitlines(true) | lines.splitlines(keepends=true) | "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g\rh\r\ni\n".splitlines() | empty.splitlines() | "\n".splitlines() | "a\n\nb".splitlines(0)
s.replace("l", "L") | s.replace("l", "L", 1) | s.replace("", "-") | "".replace("", "x") | s.replace("l") | s.replace(1, 2) | s.replace("o", "") | "aaa".replace("a", "b", 2) | s.replace("l", "L", -1) | s.replace("l", "L", 0) | "é".replace("", "-")
s.find("o") | s.find("x") | s.rfind("o") | s.find("o", 5) | s.find("o", 5, 8) | s.find("") | s.find("", 99) | s.index("o") | s.index("x") | s.rindex("l") | uni.find("Σ") | uni.find("日") | uni.rfind("Σ") | s.find("l", -3) | s.find("l", -99, -1) | s.find(1) | s.find() | s.find("o", none, none) | s.rfind("") | s.find("H", 1)
s.count("l") | s.count("") | s.count("l", 3) | s.count("l", 0, 4) | s.count("x") | "aaa".count("aa") | uni.count("Σ") | uni.count("") | s.count("", 13) | s.count("", 14) | s.count("l", -4, -1)
s.startswith("He") | s.startswith("he") | s.startswith(("x", "H")) | s.startswith("l", 2) | s.startswith("l", 2, 3) | s.startswith("") | s.startswith(5) | s.startswith([1]) | s.startswith(("x", 5)) | s.endswith("ld") | s.endswith(("x", "d")) | s.endswith("o", 0, 5) | s.endswith("") | s.startswith("", 50) | s.startswith(()) | s.endswith("World", -5) | s.startswith(none)
", ".join(["a", "b"]) | "".join(l) | "-".join("abc") | ",".join([]) | ",".join(d) | ",".join(words|map("upper")) | ",".join(5) | ",".join(["a", none]) | "é".join(("a", "b")) | ",".join(undefined_thing)
s.upper() | s.lower() | s.title() | s.capitalize() | s.swapcase() | s.casefold() | uni.upper() | uni.lower() | uni.title() | uni.swapcase() | uni.casefold() | "ßﬁ".title() | "ßﬁ".capitalize() | "they're o'neil 3rd x1y".title() | "ΑΣ".lower() | "ΑΣ".swapcase() | "ǆ".title() | "ŉ".upper() | "ẞ".casefold() | "İ".lower()|length | "ὈΔΥΣΣΕΎΣ".lower() | "ᾳ".upper() | "ᾳ".title() | "ﬆ".upper()
"abc".isalpha() | "ab1".isalpha() | "".isalpha() | "é日".isalpha() | "12".isdigit() | "1²".isdigit() | "1²".isdecimal() | "½".isnumeric() | "½".isdigit() | "五".isnumeric() | "٣".isdecimal() | " \t\n\u3000".isspace() | "".isspace() | "a1".isalnum() | "a_".isalnum() | "½a".isalnum() | "abc".islower() | "aB".islower() | "1".islower() | "ª".islower() | "AB1".isupper() | "Ⅷ".isupper() | "Hello World".istitle() | "Hello world".istitle() | "HELLO".istitle() | "A1b".istitle() | "a\n".isprintable() | "é ".isprintable() | "\u00a0".isprintable() | "".isprintable() | "é".isascii() | "".isascii() | "ab_1".isidentifier() | "1a".isidentifier() | "é".isidentifier() | "".isidentifier() | "a b".isidentifier()
"5".zfill(3) | "-5".zfill(4) | "+5".zfill(4) | "abc".zfill(2) | "".zfill(2) | "--5".zfill(5) | "é".zfill(3) | s.center(20, "*") | s.center(19, "*") | s.ljust(15, ".") | s.rjust(15) ~ "|" | s.ljust(3) | s.center(20, "ab") | s.center(20, "é") | s.center() | s.ljust("a") | "ab".center(5) ~ "|" | "abc".center(6) ~ "|" | s.rjust(15, 5)
s.partition(",") | s.partition("x") | s.rpartition("o") | s.rpartition("x") | s.partition("") | s.partition(1) | s.removeprefix("He") | s.removeprefix("x") | s.removesuffix("ld") | s.removesuffix("") | s.removesuffix("x") | "a\tb\n\tc".expandtabs() | "a\tb".expandtabs(4) | "a\tb".expandtabs(0) | "\t\té\t|".expandtabs(3)
"{} {}".format(1, "a") | "{0} {1} {0}".format(1, 2) | "{a} {b}".format(a=1, b=[2]) | "{:>5}|{:<5}|{:^5}|{:*^7}".format("a", "b", "c", "d") | "{:05d} {:+d} {: d} {:,} {:_}".format(42, 42, 42, 1234567, 1234567) | "{:.2f} {:8.3f} {:e} {:g} {:%}".format(x, x, x, x, 0.256) | "{:x} {:X} {:#x} {:b} {:#b} {:o} {:c}".format(255, 255, 255, 5, 5, 8, 97) | "{!r} {!s} {!a}".format("é", "b", "é") | "{{}}".format() | "{0[a]} {0[b]}".format(d) | "{0.a}".format(d) | "{0[0]} {0[1]}".format(l) | "{:{}}|".format("a", 5) | "{:{w}.{p}f}".format(x, w=8, p=2) | "{} {0}".format(1) | "{2}".format(1) | "{z}".format(a=1) | "{".format() | "}".format() | "{:d}".format("a") | "{:d}".format(2.5) | "{:s}".format(1) | "{:.3}".format("abcdef") | "{:.3}|{:.3}|{:.3}".format(3.0, 123.0, 1234.5) | "{:10}|".format(x) | "{:10}|{:<10}|{:^10}|".format(i, i, i) | "{}".format(none) | "{:5}".format(none) | "{}".format(t) | "{:5}|{:d}".format(t, t) | "{}".format(undefined_thing) | "{:>+8.2f}|{:=+8d}|{:08.2f}|{:0>8}".format(x, i, neg, i) | "{:,.2f} {:_x} {:010,}".format(1234567.891, 65535, 1234) | "{0!x}".format(1) | "{:.2f}".format("inf"|float) | "{:05}|{:<05}".format("ab", "cd") | "{:-^+10.1f}".format(x) | "{0.__class__}".format(1) | "{:n} {:.3n}".format(i, x) | "{:#.3g}|{:#x}|{:#010x}".format(1.0, 255, 255) | "{a[b]}".format(a={"b": "c"}) | "{:%}|{:.0%}".format(0.5, 0.123) | "{:+}|{: }|{:-}".format(i, i, i) | "{:z.1f}".format(-0.01) | "{0:{1}{2}}".format("x", ">", 4) | "{:é^5}".format("a") | "{a}".format_map({"a": 1}) | "{a}".format_map(l) | "{:,d} {:,}".format(-1234567, 1234.5)
"%s" % s | "%s %s" % (1, 2) | "%(a)s" % {"a": 1} | "%s" % l | "%s" % (l,) | "%d%%" % 5 | "%s %s" % l | "x" % l | "x" % 5 | "%s" % none | "%s" % undefined_thing | "%(a)s" % {} | "%(a)s %(b)s" % {"a": 1, "b": 2} | "%5s|%-5s|%.1s" % ("a", "b", "cd") | "%(x)5.1f|" % {"x": 2.25} | "%s" % {"a": 1} | "%s %s" % {"a": 1} | "%(a)s" % 5 | "é%s" % "日"
l.index(1) | l.index(9) | l.index(3, 1) | l.count(1) | l.copy() | (1, 2, 1).count(1) | (1, 2).index(2) | (1, 2).append(3) | l.nothing | el.count(1) | mixed.index(none) | mixed.count(1) | range(5).index(3) | range(5).count(2)
d.keys() | d.values() | d.items() | d.keys()|list | d.get("a") | d.get("z") | d.get("z", 5) | d.get("z", default=5) | d.get() | d.get(l) | d.copy() | d.items()|first | d.keys()|sort | "a" in d.keys() | ("a", 1) in d.items() | 1 in d.values() | d.keys()[0] | d.values()|map("string")|list | ed.items()|list | ed.keys() | d.keys()|length | d.nothing | d.get("C")[1].get("x", 1) | d.keys() is sequence | d.items() is iterable | d.keys() == d.keys()
i.bit_length() | x.is_integer() | 2.0.is_integer() | i.conjugate() | i.numerator | i.denominator | i.imag | x.imag | t.real
"""
