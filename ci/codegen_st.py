#!/usr/bin/env python3
"""Structured Text of `legwork codegen`: parsed by blark and by tree-sitter, executed from blark's tree.

    codegen_st.py [--whole] NAME.st NAME_test.st ...

The function blocks and the test program become Python, statement by statement, from the tree that blark gives; the program
then runs once. It fails if a grammar refuses a file or a test vector disagrees. No compiler of a vendor has seen the text.

blark reads some sixty lines a second, and a regulator has ten thousand. The text has few kinds of statements, so each kind is
parsed once, with other names and numbers in it, and its tree serves for all of them. `--whole` gives blark the whole text as
well, and both ways have to come to the same Python.
"""

import math
import re
import sys

import blark
import tree_sitter
import tree_sitter_iec61131_3_st as second_grammar


def second_parse(path, text):
    """An error of the second grammar is a node of its tree."""
    parser = tree_sitter.Parser(tree_sitter.Language(second_grammar.language()))
    tree = parser.parse(text.encode())
    if tree.root_node.has_error:
        sys.exit(f"error: {path}: the second grammar does not accept it")


def square_root(x):
    return math.sqrt(x) if x >= 0.0 else math.nan


def quotient(a, b):
    """a / b of IEEE 754, which Python refuses for b = 0."""
    if b != 0.0:
        return a / b
    return math.nan if a == 0.0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)


FUNCTIONS = {"SQRT": square_root, "ABS": abs, "SIN": math.sin, "COS": math.cos, "ATAN": math.atan,
             "SEL": lambda g, no, yes: yes if g else no}
OPERATORS = {"+": "+", "-": "-", "*": "*", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "=": "==", "<>": "!=",
             "AND": "and", "OR": "or"}


class Writer:
    """Python source of one unit of organisation."""

    def __init__(self, own, is_block):
        self.own, self.is_block, self.lines = own, is_block, []

    def variable(self, node):
        kind = type(node).__name__
        if kind == "SimpleVariable":
            return f"v[{str(node.name)!r}]"
        if kind == "MultiElementVariable":
            name = node.name.name if hasattr(node.name, "name") else node.name
            element = node.elements[0]
            field = getattr(element, "element", element)
            field = getattr(field, "name", field)
            return f"v[{str(name)!r}][{str(field).lstrip('.')!r}]"
        raise ValueError(f"a variable that is {kind}")

    def expression(self, node):
        kind = type(node).__name__
        if kind in ("Real", "Integer"):
            return f"({float(str(node.value))!r})"
        if kind == "Boolean":
            return str(str(node.value).upper() == "TRUE")
        if kind == "ParenthesizedExpression":
            return f"({self.expression(node.expr)})"
        if kind == "UnaryOperation":
            sign = "not " if str(node.op).upper() == "NOT" else str(node.op)
            return f"({sign}{self.expression(node.expr)})"
        if kind == "BinaryOperation":
            left, right, op = self.expression(node.left), self.expression(node.right), str(node.op).upper()
            return f"quotient({left}, {right})" if op == "/" else f"({left} {OPERATORS[op]} {right})"
        if kind == "FunctionCall":
            name = getattr(node.name, "name", node.name)
            values = ", ".join(self.expression(p.value) for p in node.parameters)
            return f"call({str(name)!r}, {values})"
        return self.variable(node)

    def put(self, depth, text):
        self.lines.append("    " * depth + text)

    def statements(self, block, depth):
        if block is None or not block.statements:
            self.put(depth, "pass")
            return
        for node in block.statements:
            self.statement(node, depth)

    def statement(self, node, depth):
        kind = type(node).__name__
        if kind == "AssignmentStatement":
            self.put(depth, f"{self.variable(node.variables[0])} = {self.expression(node.expression)}")
        elif kind == "IfStatement":
            self.put(depth, f"if {self.expression(node.if_expression)}:")
            self.statements(node.statements, depth + 1)
            for other in node.else_ifs:
                self.put(depth, f"elif {self.expression(other.if_expression)}:")
                self.statements(other.statements, depth + 1)
            if node.else_clause is not None:
                self.put(depth, "else:")
                self.statements(node.else_clause.statements, depth + 1)
        elif kind == "ForStatement":
            first, last = self.expression(node.from_), self.expression(node.to)
            self.put(depth, f"for _ in range(int({first}), int({last}) + 1):")
            self.statements(node.statements, depth + 1)
        elif kind == "ExitStatement":
            self.put(depth, "break")
        elif kind in ("FunctionCallStatement", "FunctionCall"):
            name = getattr(node.name, "name", node.name)
            named = ", ".join(f"{str(getattr(p.name, 'name', p.name))!r}: {self.expression(p.value)}"
                              for p in node.parameters)
            self.put(depth, f"run(v[{str(name)!r}], {{{named}}})")
        else:
            raise ValueError(f"a statement that is {kind}")


WORDS = {"IF", "THEN", "ELSE", "ELSIF", "END_IF", "FOR", "TO", "DO", "END_FOR", "EXIT", "OR", "AND", "NOT", "TRUE", "FALSE"}
TOKENS = re.compile(r"[A-Za-z_]\w*|\d+\.\d+(?:E[-+]?\d+)?|\d+|:=|<=|>=|<>|\s+|.", re.DOTALL)
NUMBER = re.compile(r"\d+(\.\d+)?(E[-+]?\d+)?")
CALL = re.compile(r"(\w+)\((.*)\);")
UNIT = re.compile(r"(FUNCTION_BLOCK|FUNCTION|PROGRAM) .*?END_\1\n", re.DOTALL)
INNER = "what_stands_inside"
KINDS = {}


def whole_lines(unit):
    """The Python of the whole tree of a unit."""
    writer = Writer(str(unit.name), type(unit).__name__ == "FunctionBlock")
    writer.statements(unit.body, 0)
    return writer.lines


def kind_lines(kind):
    """The Python of a kind of statement, from the tree of a unit that has no other."""
    if kind not in KINDS:
        text = f"FUNCTION_BLOCK one_statement\nVAR\nEND_VAR\n{kind}\nEND_FUNCTION_BLOCK\n"
        KINDS[kind] = whole_lines(blark.parse_source_code(text).transform().items[0])
    return KINDS[kind]


def statement_lines(text):
    """The Python of one statement: that of its kind, with its own names and numbers."""
    if (call_of := CALL.fullmatch(text)) and ", " in call_of[2]:
        # A call of a block, argument by argument.
        each = [statement_lines(f"{call_of[1]}({given});")[0] for given in call_of[2].split(", ")]
        beginning = each[0][: each[0].index("{") + 1]
        return [beginning + ", ".join(line[len(beginning) : -2] for line in each) + "})"]
    tokens, names, numbers, kind = TOKENS.findall(text), [], {}, []
    for place, token in enumerate(tokens):
        called = place + 1 < len(tokens) and tokens[place + 1] == "("
        if token[0].isalpha() or token[0] == "_":
            if token in WORDS or called or token == INNER:
                kind.append(token)
            else:
                kind.append(f"z{len(names)}")
                names.append(token)
        elif found := NUMBER.fullmatch(token):
            # Another number that is written in the same way.
            power = found[2] and ("E-1" if "-" in found[2] else "E1")
            other = f"{70000 + len(numbers)}{'.25' if found[1] else ''}{power or ''}"
            numbers[repr(float(other))] = repr(float(token))
            kind.append(other)
        else:
            kind.append(token)
    lines = kind_lines("".join(kind))
    own = [re.sub(r"'z(\d+)'", lambda z: repr(names[int(z[1])]), line) for line in lines]
    return [re.sub(r"\((-?)(\d[\d.e+-]*)\)", lambda n: f"({n[1]}{numbers.get(n[2], n[2])})", line) for line in own]


def body_lines(lines):
    """The Python of a list of statements, one after the other; what stands in a loop for itself."""
    found, at = [], 0
    while at < len(lines):
        end = at
        if lines[at].lstrip().startswith(("IF ", "FOR ")):
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            word = lines[at].split()[0]
            end = next(k for k in range(at, len(lines)) if lines[k] == f"{indent}END_{word};")
        if lines[at].lstrip().startswith("FOR "):
            outer = statement_lines("\n".join([lines[at].strip(), f"    {INNER} := 0.0;", "END_FOR;"]))
            place = next(k for k, line in enumerate(outer) if INNER in line)
            found += outer[:place] + ["    " + line for line in body_lines(lines[at + 1 : end])] + outer[place + 1 :]
        else:
            indent = len(lines[at]) - len(lines[at].lstrip())
            found += statement_lines("\n".join(line[indent:] for line in lines[at : end + 1]))
        at = end + 1
    return found


def units(text):
    """The units of a text with their Python: blark's tree of the heading and the declarations, and of every kind of statement.
    Of declarations of the same type side by side blark sees the first; the names of the others are given."""
    for part in UNIT.finditer(re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)):
        lines = [line for line in part[0].splitlines() if line.strip()]
        first = max(k for k, line in enumerate(lines) if line == "END_VAR") + 1
        heading, others, before = [], [], None
        for line in lines[:first]:
            declared = re.fullmatch(r"    (\w+) : (L?REAL);", line)
            # A function is called with its inputs in their order: all of them are needed.
            if declared and declared[2] == before and part[1] != "FUNCTION":
                others.append(declared[1])
            else:
                heading.append(line)
            before = declared[2] if declared else None
        skeleton = "\n".join([*heading, "nothing := 0.0;", lines[-1], ""])
        yield blark.parse_source_code(skeleton).transform().items[0], body_lines(lines[first:-1]), others


def compiled(name, lines):
    space = {"call": call, "run": run, "quotient": quotient}
    text = "\n".join(["def body(v):", *("    " + line for line in lines or ["pass"])])
    exec(compile(text, name, "exec"), space)
    return space["body"]


UNITS, BODIES, OTHERS = {}, {}, {}


def call(name, *values):
    if name in FUNCTIONS:
        return FUNCTIONS[name](*values)
    unit = UNITS[name]
    inputs = [v for d in unit.declarations for v in names_of(d)]
    memory = dict(zip(inputs, values))
    BODIES[name](memory)
    return memory[name]


def run(instance, inputs):
    instance.update(inputs)
    BODIES[instance[""]](instance)


def instances(unit):
    """The variables of a unit; those that are function blocks with their own."""
    memory = {"": str(unit.name)} | dict.fromkeys(OTHERS[str(unit.name)], 0.0)
    for declarations in unit.declarations:
        for item in declarations.items:
            kind = str(getattr(item.init.spec, "type", item.init.spec)) if getattr(item, "init", None) is not None else ""
            words = kind.replace("=", " ").replace("'", " ").replace(",", " ").replace(")", " ").split()
            block = next((own for own in UNITS if own in words), None)
            for declared in item.variables:
                memory[str(declared.variable.name)] = instances(UNITS[block]) if block is not None else 0.0
    return memory


def names_of(declarations):
    for item in declarations.items:
        for declared in item.variables:
            yield str(declared.variable.name)


def main(paths, is_whole):
    for path in paths:
        text = open(path, encoding="utf-8").read()
        second_parse(path, text)
        whole = blark.parse_source_code(text).transform().items if is_whole else []
        found = list(units(text))
        if not found:
            sys.exit(f"error: {path}: no unit")
        for unit, lines, others in found:
            name = str(unit.name)
            declared = {own for d in unit.declarations for own in names_of(d)} | {name, *others}
            if unknown := {own for line in lines for own in re.findall(r"v\['(\w+)'\]", line)} - declared:
                sys.exit(f"error: {path}: {name} does not declare {', '.join(sorted(unknown))}")
            UNITS[name], BODIES[name], OTHERS[name] = unit, compiled(name, lines), others
        if is_whole and [(str(unit.name), whole_lines(unit)) for unit in whole] != [(str(unit.name), lines) for unit, lines, _ in found]:
            sys.exit(f"error: {path}: the whole tree is another than that of its statements")
    programs = [unit for unit in UNITS.values() if type(unit).__name__ == "Program"]
    if not programs:
        sys.exit("error: no test program")
    for unit in programs:
        memory = instances(unit)
        BODIES[str(unit.name)](memory)
        print(f"{unit.name}: worst error {memory['worst']:.2e}, {'FAILED' if memory['failed'] else 'passed'}")
        if memory["failed"] or math.isnan(memory["worst"]):
            sys.exit(1)


if __name__ == "__main__":
    main([word for word in sys.argv[1:] if word != "--whole"], "--whole" in sys.argv)
