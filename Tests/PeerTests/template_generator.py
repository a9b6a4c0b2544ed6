"""Templates generated at random from a grammar, the same for the same seed."""

import json
import random

NAMES = ["value", "value_json.n", "value_json.f", "value_json.s", "value_json.t", "value_json.z", "value_json.list", "value_json.o",
         "value_json.o.a", "value_json['s']", "value_json.list[0]", "value_json.missing", "missing", "value_json.objs", "value_json.num"]
LITERALS = ["0", "1", "2", "-3", "10", "1.5", "0.1", "2.0", "100", "''", "'a'", "'1'", "'21.5'", "'on'", "'a,b,c'", "'Hello World'", "true", "false",
            "none", "[]", "[1, 2, 3]", "['b', 'a']", "(1, 2)", "{}", "{'a': 1}", "{'b': 2, 'a': 'x'}", "[1.5, '2']"]
FILTERS = ["float", "float(0)", "int", "int(0)", "int(default=5)", "round", "round(1)", "round(2, 'floor')", "round(0, 'ceil')", "round(1, 'half')",
           "round(1, default=0)", "default('d')", "default('d', true)", "default", "is_defined", "abs", "title", "trim", "length", "count", "first",
           "last", "join", "join(',')", "map('string') | list", "map('int') | list", "map('float', 0) | list", "map('upper') | join(',')", "bool",
           "bool(false)", "iif", "iif('y', 'n')", "iif('y', 'n', 'none')", "min", "max", "sum", "sort", "reverse | list", "unique | list", "list", "string",
           "lower", "upper", "capitalize", "replace('a', 'b')", "replace('l', '', 1)", "tojson", "to_json", "from_json", "timestamp_utc",
           "timestamp_local(0)", "timestamp_custom('%Y')", "as_datetime", "as_timestamp(0)", "regex_match('a')", "regex_search('[0-9]')",
           "regex_replace('[0-9.]+', '#')", "regex_findall('[a-z]')", "base64_encode", "bitwise_and(3)", "bitwise_or(8)", "ord", "multiply(2)",
           "multiply(1.5, 0)", "add(1)", "log(10, 0)", "sqrt(0)", "is_number", "select('number') | list", "reject('none') | list",
           "selectattr('id', 'defined') | list | length", "map(attribute='id') | list", "items | list", "dictsort", "batch(2) | list", "wordcount",
           "truncate(5)", "center(7)", "flatten", "ordinal", "contains('a')", "attr('x')", "sort(reverse=true)", "sum(start=1)"]
METHODS = [".split(',')", ".split()", ".strip()", ".lower()", ".upper()", ".replace('o', '0')", ".startswith('H')", ".endswith('d')", ".get('a')",
           ".get('q', 0)", ".keys() | list", ".values() | list", ".items() | list", "[0]", "[-1]", "[1:]", "[:2]", "[::-1]", ".a", ".b.c", "['a']",
           ".find('o')", ".count('l')", ".title()", ".isdigit()", ".zfill(5)", ".format(1)", ".id", ".x.y", "[0].id", ".capitalize()", ".lstrip('H')"]
TESTS = ["defined", "not defined", "none", "not none", "number", "string", "mapping", "sequence", "iterable", "boolean", "integer", "float", "odd",
         "even", "divisibleby(3)", "eq 1", "in [1, 2]", "lower", "upper", "true", "false", "gt 1", "ne('a')", "search('a')", "list", "sameas none"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", ">", "<=", ">=", "and", "or", "in", "not in"]
PAYLOADS = ["5", "21.5", "ON", "", "x", '"text"', "[3, 1, 2]", "null", "true",
            json.dumps({"n": 21, "f": 21.55, "s": "Hello World", "t": True, "z": None, "list": [3, 1, 2], "o": {"a": 1, "b": {"c": "deep"}},
                        "objs": [{"id": 2}, {"id": 1}], "num": "42.23"}),
            json.dumps({"n": -7, "f": 0.0, "s": "", "t": False, "z": 0, "list": [], "o": {}, "objs": [], "num": "-0"}),
            json.dumps({"n": 1736064550, "f": 1e-7, "s": "21.5 °C", "t": "true", "z": "none", "list": ["1", "2.5", "x"], "o": {"a": None}, "num": "nan"})]


class Generator:
    def __init__(self, seed):
        self.dice = random.Random(seed)

    def expression(self, depth=0):
        kind = self.dice.randrange(12 if depth < 3 else 4)
        if kind < 3:
            return self.dice.choice(NAMES)
        if kind == 3:
            return self.dice.choice(LITERALS)
        if kind < 7:
            return f"{self.operand(depth)} | {self.dice.choice(FILTERS)}"
        if kind == 7:
            # Jinja evaluates a slice of a constant at compile time, and gives an empty result for a value without slices.
            method = self.dice.choice(METHODS)
            return f"{self.dice.choice(NAMES) if ':' in method else self.operand(depth)}{method}"
        if kind == 8:
            return f"{self.operand(depth)} {self.dice.choice(OPERATORS)} {self.operand(depth)}"
        if kind == 9:
            return f"({self.operand(depth)} is {self.dice.choice(TESTS)})"
        if kind == 10:
            return f"{self.operand(depth)} if {self.operand(depth)} else {self.operand(depth)}"
        return self.dice.choice(["not {}", "-{}", "float({}, 0)", "int({}, 0)", "iif({}, 'y', 'n')", "max({}, 1)", "[{}]", "{{'k': {}}}", "'%s' % ({})",
                                 "bool({}, 'd')", "is_number({})", "'{{}}'.format({})", "'%.1f' | format({})", "({}, 1)"]).format(self.operand(depth))

    def operand(self, depth):
        inner = self.expression(depth + 1)
        return inner if inner.replace("_", "").replace(".", "").isalnum() else f"({inner})"

    def template(self):
        one, two, three = (self.expression() for _ in range(3))
        dash = self.dice.choice(["", "", "-"])
        return self.dice.choice([
            "{{{{ {0} }}}}", "{{{{ {0} }}}}", "{{{{ {0} }}}}", "{{{{ {0} }}}}", "{{{{{0}}}}} {{{{{1}}}}}",
            "{{%{d} if {0} {d}%}} a {{{{ {1} }}}} {{%{d} else %}} b {{{{ {2} }}}} {{% endif {d}%}}",
            "{{% set x = {0} %}}{{{{ x | string }}}}{{{{ {1} }}}}",
            "{{% for i in {0} %}}{{{{ i }}}},{{{{ loop.index }}}};{{% else %}}none{{% endfor %}}",
            "{{% for i in {0} if {1} %}}{{{{ i }}}}{{{{ loop.last }}}}{{% endfor %}}",
            "{{{{ {0} }}}}{{# note #}}{{{{ {1} ~ 'x' }}}}",
        ]).format(one, two, three, d=dash)

    def rows(self, count):
        return [{"template": self.template(), "payload": self.dice.choice(PAYLOADS + PAYLOADS[-3:] * 5)} for _ in range(count)]
