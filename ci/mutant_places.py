"""Where a source can be changed: operators, signs, comparisons, conditions, bars and statements; see ci/mutants.py."""

import re
from dataclasses import dataclass

# rustfmt puts a space on both sides of a binary operator, or a line break before it.
OPERATOR = re.compile(r"(?<=[\w)\]}?])\s+(\+=|-=|[-+*/]) (?=[\w(&*-])")
SIGN = re.compile(r"(?<=[(,=\[]) ?-(?=[a-z(])")
COMPARISON = re.compile(r"(?<=[\w)\]}?]) (<=|>=|<|>) (?=[\w(&*-])")
CONDITION = re.compile(r"(?:\bif |&& |(?<![(,] )(?<!\()\|\| )(?!let\b)(?=[\w(!*])")
BAR = re.compile(r"(?<=[( ])(?!NAN\b|INFINITY\b)[A-Z][A-Z_]+(?=[,);. ])(?! =)")
STATEMENT = re.compile(r"^ *(?:ledger\.(?:compare|measure|require|fail)|count|note|asked|given|consistent|go_on|\w+\.push|\w+\.extend)\(", re.MULTILINE)
TYPE = re.compile(r"^\s*(pub )?(const |unsafe )?(impl|trait|type|where|struct|enum|use)\b|^\s*[A-Z]\w*: |\bdyn \w+ \+|: Copy|'static|^\s*const ")
CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Place:
    path: str  # below crates/
    line: int
    source: str  # the words of the line
    mark: str  # the operator and which one of all lines with these words
    begin: int
    end: int
    before: str
    after: str

    def name(self):
        return f"{self.path}: {self.source}\n    {self.mark}"

    def words(self):
        return f"{self.path}:{self.line}: {self.mark:10} {self.source}"


def group_end(text, at):
    """Behind the bracket that closes the one at a place."""
    close, open_, depth = CLOSING[text[at]], text[at], 0
    for k in range(at, len(text)):
        depth += (text[k] == open_) - (text[k] == close)
        if depth == 0:
            return k + 1
    raise ValueError(at)


def factor_end(text, at):
    """Behind an operand with its signs, fields, calls and indices; None if it is none."""
    while text[at] in "-&*!":
        at += 1
    if text[at] in "([":
        at = group_end(text, at)
    else:
        word = re.compile(r"\d[\w]*(\.\d\w*)?|[A-Za-z_]\w*(::(<[^;(){}]*?>|\w+))*").match(text, at)
        if not word or word[0] in ("if", "match", "unsafe", "move"):
            return None
        at = word.end()
    while at < len(text):
        dot = re.compile(r"\s*\.(?!\.)(\w+)(::<[^;(){}]*?>)?").match(text, at)
        if dot:
            at = dot.end()
        elif text[at] in "([":
            at = group_end(text, at)
        elif text[at] == "?" or text[at] == "!" and text[at + 1] in "([":
            at += 1
        else:
            cast = re.compile(r" as [\w:]+").match(text, at)
            return cast.end() if cast else at
    return at


def chain_end(text, at, operators):
    """Behind operands that these operators connect."""
    end = factor_end(text, at)
    more = re.compile(r"\s+(" + operators + r") ")
    while end is not None and (found := more.match(text, end)):
        end = factor_end(text, found.end())
    return end


def statement_end(text, at):
    """Behind the semicolon of a statement."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([{") - (text[k] in ")]}")
        if text[k] == ";" and depth == 0:
            return k + 1
        if depth < 0:
            return None
    return None


def changes(code, kinds):
    """Every change of a text: where it is told, its mark, the function, begin and end of what is wrapped."""
    if "operator" in kinds:
        for match in OPERATOR.finditer(code):
            operator, begin = match[1], match.end()
            if operator in ("+=", "-="):
                end = statement_end(code, begin)
                end = end and end - 1
            else:
                end = chain_end(code, begin, r"[*/%]") if operator in "+-" else factor_end(code, begin)
            yield match.start(1), operator, "invert" if operator in "*/" else "flip", begin, end
    if "sign" in kinds:
        for match in SIGN.finditer(code):
            at = code.index("-", match.start())
            yield at, "sign", "flip", at, factor_end(code, at)
    if "comparison" in kinds:
        for match in COMPARISON.finditer(code):
            end = chain_end(code, match.end(), r"[-+*/%]")
            # Nothing is less than the integer zero.
            for function in ("most",) if code[match.end() : end] == "0" else ("most", "least"):
                yield match.start(1), f"{match[1]} {function}", function, match.end(), end
    if "condition" in kinds:
        for match in CONDITION.finditer(code):
            whole = r"[-+*/%<>]|[<>=!]=" + ("|&&" if match[0] == "|| " else r"|&&|\|\|" if match[0] == "if " else "")
            yield match.start(), match[0].strip() + " not", "not", match.end(), chain_end(code, match.end(), whole)
    if "bar" in kinds:
        for match in BAR.finditer(code):
            yield match.start(), "wide", "wide", match.start(), match.end()
    if "statement" in kinds:
        for match in STATEMENT.finditer(code):
            begin = match.end() - len(match[0].lstrip())
            yield begin, "leave out", "", begin, statement_end(code, begin)


def places(path, text, kinds):
    """The places of a file below crates/ with this text, in their order."""
    # What is only there for tests stands at the end.
    tests = re.search(r"\n#\[cfg\(test\)\]\n(mod|fn) ", text)
    code = text[: tests.start()] if tests else text
    # Comments and texts of the same length without anything in them.
    code = re.sub(r"//[^\n]*|\"(\\.|[^\"\\])*\"", lambda found: " " * len(found[0]), code)
    found, counts = [], {}
    for at, mark, function, begin, end in sorted(changes(code, kinds)):
        start = code.rfind("\n", 0, at) + 1
        stop = code.find("\n", at)
        if TYPE.search(code[start:stop]) or end is None:
            continue
        source = text[start:stop].strip()
        count = counts[source, mark] = counts.get((source, mark), 0) + 1
        before, after = (f"crate::mutant::{function}(#, ", ")") if function else ("if !crate::mutant::is_on(#) { ", " }")
        found.append(Place(path, code.count("\n", 0, at) + 1, source, f"{mark} {count}", begin, end, before, after))
    return found


def by_hand(path, text, old, new):
    """The place of a whole expression that is changed into another one."""
    if text.count(old) != 1:
        raise SystemExit(f"error: `{old}` is not once in {path}")
    begin = text.index(old)
    line = text.count("\n", 0, begin) + 1
    return Place(path, line, f"{old} -> {new}", "by hand 1", begin, begin + len(old), f"(if crate::mutant::is_on(#) {{ {new} }} else {{ ", " })")
