"""Rows of figures as lines and as tables."""
import statistics

OURS = ("nnz", "nnz -r")
# Over a layout of its own, not over the encoding that the others are given.
INSPECTED = "mkl-inspected"


def least(row, name):
    return row["times"][name]["min"] if name in row.get("times", {}) else None


def ratio(row, name, to="nnz"):
    """How many times nnz's time a peer takes, where both were measured."""
    peer, ours = least(row, name), least(row, to)
    return peer / ours if peer is not None and ours is not None else None


def best_product(row):
    """The quickest of the others over the same encoding, but plain C."""
    names = [name for name in row["times"] if name not in (*OURS, INSPECTED, "C")]
    return min(names, key=lambda name: least(row, name), default=None)


def milliseconds(ns):
    return f"{ns / 1e6:.3g}" if ns is not None else ""


def line(row):
    place = f"{row['kernel']:13} {row['input']:22} {row['threads']} thr"
    if "skipped" in row:
        return f"{place}  left out: {row['skipped']}"
    names = [f"{name} {milliseconds(least(row, name))}" for name in row["times"]]
    wrong = "".join(f"  WRONG {text}" for text in row["wrong"])
    return f"{place}  {'  '.join(names)} ms{wrong}"


def tables(rows, absent):
    parts = [summary(rows)]
    for threads in sorted({row["threads"] for row in rows}):
        chosen = [row for row in rows if row["threads"] == threads]
        title = f"{threads} thread{'s' * (threads > 1)}"
        missing = "; ".join(f"{name}: {reason}" for name, reason in absent.get(threads, {}).items())
        parts.append(f"### {title}\n\n{f'Not here: {missing}.' + chr(10) * 2 if missing else ''}{figures(chosen)}")
    return "\n\n".join(parts) + "\n"


def figures(rows):
    names = [name for name in (*OURS, "C", "scipy", "mkl", INSPECTED, "numba", "eigen", "mlir")
             if any(name in row.get("times", {}) for row in rows)]
    head = f"| kernel | input | {', ms | '.join(names)}, ms | best product / nnz (/ nnz -r) | C / nnz (/ nnz -r) |"
    lines = [head, "|" + "---|" * (len(names) + 4)]
    for row in rows:
        lines.append(f"| {row['kernel']} | {row['input']} | {cells(row, names)} |")
    return "\n".join(lines)


def cells(row, names):
    if "skipped" in row:
        return " | ".join([f"left out: {row['skipped']}", *[""] * (len(names) + 1)])
    best = best_product(row)
    texts = [f"{best} {ratios(row, best)}" if best else "", ratios(row, "C")]
    return " | ".join([*(milliseconds(least(row, name)) for name in names), *texts])


def ratios(row, name):
    first, second = ratio(row, name), ratio(row, name, "nnz -r")
    text = f"{first:.2f}" if first is not None else ""
    return f"{text} ({second:.2f})" if second is not None else text


def summary(rows):
    """Per kernel: how the best product and plain C stand to nnz over all inputs, and what a second thread brings."""
    head = "| kernel | threads | inputs | best product / nnz: least, median, most | within 10 % or ahead |"
    head += " with -r: least, median | C / nnz: least, median | gain by threads, median |"
    lines = [head, "|" + "---|" * 8]
    measured = [row for row in rows if "times" in row]
    for kernel, threads in dict.fromkeys((row["kernel"], row["threads"]) for row in measured):
        chosen = [row for row in measured if (row["kernel"], row["threads"]) == (kernel, threads)]
        lines.append(f"| {kernel} | {threads} | {len(chosen)} | {' | '.join(summed(chosen))} | {gain(chosen, measured)} |")
    return "\n".join(lines)


def summed(rows):
    def of(name_of, to):
        found = [ratio(row, name_of(row), to) for row in rows if name_of(row)]
        return [r for r in found if r is not None]

    best, relaxed, c = of(best_product, "nnz"), of(best_product, "nnz -r"), of(lambda _: "C", "nnz")
    near = f"{sum(r > 0.9 for r in best)} of {len(best)}" if best else ""
    return [spread(best, True), near, spread(relaxed, False), spread(c, False)]


def spread(found, most):
    if not found:
        return ""
    return ", ".join(f"{r:.2f}" for r in [min(found), statistics.median(found), *([max(found)] if most else [])])


def gain(chosen, measured):
    """The median of one thread's time / these threads' time."""
    single = {(row["kernel"], row["input"]): least(row, "nnz") for row in measured if row["threads"] == 1}
    found = [single[row["kernel"], row["input"]] / least(row, "nnz") for row in chosen
             if row["threads"] > 1 and (row["kernel"], row["input"]) in single]
    return f"{statistics.median(found):.2f}" if found else ""
