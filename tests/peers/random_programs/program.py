"""A program: statements in order, and the tensors that they make."""
from dataclasses import dataclass

from .statements import Loop, Type, Writer


@dataclass(frozen=True)
class Made:
    name: str
    type: Type


class Program:
    def __init__(self):
        self.statements, self.made, self.count = [], [], 0

    def fresh(self):
        self.count += 1
        return f"%t{self.count}"

    def add(self, statement):
        self.statements.append(statement)
        made = Made(statement.name, statement.type)
        self.made.append(made)
        return made

    def say(self, statement):
        """Adds a statement that makes no tensor."""
        self.statements.append(statement)

    def text(self):
        """Before each statement that prints, a line with its number."""
        writer = Writer()
        number = 0
        for statement in self.statements:
            if not hasattr(statement, "name"):
                writer.line(f'vector.print str "#{number}\\n"')
                number += 1
            statement.emit(writer)
        return writer.text()

    def run(self):
        """What is printed, by the oracle."""
        env = {"printed": []}
        for statement in self.statements:
            statement.run(env)
        return env["printed"]

    def needed(self):
        """The program without statements that nothing printed depends on."""
        wanted, kept = set(), []
        for statement in reversed(self.statements):
            if not hasattr(statement, "name") or statement.name in wanted:
                kept.append(statement)
                wanted.update(statement.uses)
        pruned = Program()
        pruned.statements, pruned.count = kept[::-1], self.count
        return pruned

    def with_one(self, wanted):
        """The program that prints by this statement alone."""
        alone = Program()
        alone.statements = [one for one in self.statements if hasattr(one, "name") or one is wanted]
        return alone.needed()

    def kinds(self):
        """What it has of each kind, for the count of what was covered."""
        found = set()
        for statement in self.statements:
            found.update(statement.kinds())
            for kind in types_of(statement):
                found.add(f"element {kind.element.name}")
                found.add(f"rank {kind.rank}")
                found.update(formats(kind.encoding))
        return found


def types_of(statement):
    single = [getattr(statement, name) for name in ("type", "source_type") if hasattr(statement, name)]
    inner = [kind for each in getattr(statement, "body", []) for kind in types_of(each)]
    return single + list(getattr(statement, "input_types", [])) + list(getattr(statement, "source_types", [])) + inner


def formats(encoding):
    if encoding is None:
        return ["no encoding"]
    found = [f"level {level.format}" for level in encoding.levels]
    found += [f"property {word}" for level in encoding.levels for word in level.properties]
    found += ["blocks"] if encoding.blocks else []
    found += ["slices"] if encoding.slices else []
    found += ["widths"] if any(encoding.widths) else []
    found += ["explicitVal"] if encoding.explicit else []
    found += ["implicitVal"] if encoding.implicit else []
    if [level.dim for level in encoding.levels if level.part != "mod"] != sorted(level.dim for level in encoding.levels if level.part != "mod"):
        found.append("permuted dimensions")
    return found
