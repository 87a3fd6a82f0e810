"""Make mutants of a module: each differs from it in one operator, constant, call or statement."""

import ast
import copy
from collections import Counter
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Add,
    ast.BitXor: ast.BitOr,
    ast.BitAnd: ast.BitOr,
    ast.RShift: ast.LShift,
}
TWINS = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}


@dataclass(frozen=True)
class Mutant:
    """One change to one file."""

    file: str
    line: int
    where: str  # the function, so that the name of a mutant outlives changes elsewhere
    what: str
    source: str  # of the whole file

    @property
    def name(self) -> str:
        return f"{self.file} {self.where}: {self.what}"


def mutants_of(file, source):
    """Return all mutants of a module, in the order of its lines."""
    tree = ast.parse(source)
    found, seen = [], Counter()
    for node, where in _nodes(tree, ""):
        for part, new in _changes(node) if where else []:  # constants of the module are tuned
            old, text = ast.unparse(part), ast.unparse(new)
            what = " ".join(f"{old} -> {text}".split())
            seen[where, what] += 1
            if seen[where, what] > 1:
                what += f" #{seen[where, what]}"
            found.append(Mutant(file, part.lineno, where, what, _spliced(source, part, text)))
    return sorted(found, key=lambda mutant: mutant.line)


def _nodes(node, where):
    """Yield the nodes whose change would change what a module does, and their functions."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Raise):
                continue  # what is said is none of its business
            name = getattr(child, "name", "") if isinstance(child, ast.stmt) else ""
            inner = ".".join(filter(None, (where, name)))
            if isinstance(child, ast.expr | ast.stmt) and child._fields:
                yield child, inner
            yield from _nodes(child, inner)


def _changes(node):
    """Return pairs: a part of the node, and what may stand in its place."""
    found = [(node, new) for new in VARIANTS.get(type(node), lambda _: [])(node)]
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not isinstance(node.test, ast.Compare):
        found.append((node.test, ast.UnaryOp(ast.Not(), node.test)))
    return found


def _comparison(node):
    return [
        _with(node, ops=[*node.ops[:k], new(), *node.ops[k + 1 :]])
        for k, op in enumerate(node.ops)
        for new in COMPARISONS[type(op)]
    ]


def _arithmetic(node):
    return [_with(node, op=ARITHMETIC[type(node.op)]())] if type(node.op) in ARITHMETIC else []


def _boolean(node):
    return [_with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())]


def _sign(node):
    return [node.operand] if isinstance(node.op, ast.Not | ast.USub) else []


def _call(node):
    if not isinstance(node.func, ast.Name) or node.func.id != "replace":
        return []
    words = node.keywords
    return [_with(node, keywords=words[:k] + words[k + 1 :]) for k in range(len(words))]


def _assignment(node):
    target = node.targets[0]
    again = isinstance(target, ast.Name) and _mentions(node.value, target.id)
    return [ast.Pass()] if again else []


def _statement(node):
    return [ast.Pass()] if isinstance(node.value, ast.Call) else []


VARIANTS = {
    ast.Compare: _comparison,
    ast.BinOp: _arithmetic,
    ast.BoolOp: _boolean,
    ast.UnaryOp: _sign,
    ast.Constant: lambda node: [ast.Constant(new) for new in _numbers(node.value)],
    ast.Name: lambda node: [ast.Name(TWINS[node.id])] if node.id in TWINS else [],
    ast.Attribute: lambda node: [_with(node, attr=TWINS[node.attr])] if node.attr in TWINS else [],
    ast.Call: _call,
    ast.Assign: _assignment,
    ast.AugAssign: lambda _: [ast.Pass()],
    ast.Expr: _statement,
}


def _numbers(value):
    if isinstance(value, bool):
        return [not value]
    if not isinstance(value, int | float):
        return []
    return list(dict.fromkeys(new for new in (2 * value, 0, value + 1) if new != value))


def _with(node, **fields):
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _mentions(value, name):
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(value))


def _spliced(source, node, text):
    """Return the source with ``text`` in the place of a node; all other lines stay."""
    lines = source.encode().splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno - 1
    head, tail = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    new = text if isinstance(node, ast.stmt) else f"({text})"
    return b"".join([*lines[:first], head, new.encode(), tail, *lines[last + 1 :]]).decode()
