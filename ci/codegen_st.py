#!/usr/bin/env python3
"""Structured Text of `legwork codegen`: parsed by blark and by tree-sitter, executed from blark's tree.

    codegen_st.py NAME.st NAME_test.st ...

The function blocks and the test program become Python, statement by statement, from the tree that blark gives; the program
then runs once. It fails if a grammar refuses a file or a test vector disagrees. No compiler of a vendor has seen the text.
"""

import math
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
            self.put(depth, f"for n in range(int({first}), int({last}) + 1):")
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


def compiled(unit):
    writer = Writer(str(unit.name), type(unit).__name__ == "FunctionBlock")
    writer.put(0, "def body(v):")
    writer.statements(unit.body, 1)
    space = {"call": call, "run": run, "quotient": quotient}
    exec(compile("\n".join(writer.lines), str(unit.name), "exec"), space)
    return space["body"]


UNITS, BODIES = {}, {}


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
    memory = {"": str(unit.name)}
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


def main(paths):
    for path in paths:
        text = open(path, encoding="utf-8").read()
        second_parse(path, text)
        for unit in blark.parse_source_code(text).transform().items:
            UNITS[str(unit.name)] = unit
            BODIES[str(unit.name)] = compiled(unit)
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
    main(sys.argv[1:])
