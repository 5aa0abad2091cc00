#!/usr/bin/env python3
"""Times the requests of nnz's language server on large texts of both languages, and what it takes of memory.

    tests/bench/requests.py [--nnz target/release/nnz] [--lines 1000 10000 100000]

Prints a row per request: median, 95th percentile, and processor time of the server on average, in milliseconds, of an MLIR
text and of one in nnz notation. The processor time tells something on a busy machine, too. An edit is sent as the whole text
or as the words that change, in the first and in the last lines; the time begins when the message is ready to be sent.
"""
import argparse, statistics, time
from lsp import Server, generate as mlir, percentile


def notation(lines):
    """As many lines of nnz notation: definitions, kernels and values."""
    head = ["A : tensor<64x48xf64, CSR> = random(density = 0.1)", "x : tensor<48xf64> = random()"]
    body = []
    while len(head) + len(body) < lines:
        k = len(body)
        body += [f"y{k}(i) = A(i, j) * x(j)", f"z{k}(i) = y{k}(i) + 2.0 * y{k}(i)", f"s{k} : f64 = sum(i, z{k}(i))", ""]
    return "\n".join(head + body) + "\n"


def texts(lines):
    yield "mlir", mlir(lines), "level = 1", "level = 0", "@convert0(%A: ", "sparse_tensor.convert %A"
    yield "nnz", notation(lines), "2.0", "3.0", "A : tens", "A(i, j)"


def position(text, of):
    before = text[: text.index(of)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def requests(text, name, kernel, lines):
    """What is asked: a method, its parameters, and how often."""
    document = {"textDocument": {"uri": "file:///bench." + name}}
    a_screen = {"range": {"start": {"line": lines // 2, "character": 0}, "end": {"line": lines // 2 + 60, "character": 0}}}
    definition = {"position": position(text, kernel[0])}
    everywhere = {**definition, "context": {"includeDeclaration": True}}
    yield "completion", "completion", {**document, "position": position(text, kernel[1])}, 20
    yield "hover of a kernel", "hover", {**document, "position": position(text, kernel[1])}, 60
    yield "definition", "definition", {**document, **definition}, 60
    yield "references", "references", {**document, **everywhere}, 20
    yield "code lenses", "codeLens", document, 10
    yield "semantic tokens, all", "semanticTokens/full", document, 10
    yield "semantic tokens, a screen", "semanticTokens/range", {**document, **a_screen}, 20
    yield "symbols", "documentSymbol", document, 10
    yield "folding", "foldingRange", document, 10
    yield "formatting", "formatting", {**document, "options": {"tabSize": 2, "insertSpaces": True}}, 10


def edits(server, uri, words, count, message):
    """Milliseconds from sending an edit to its diagnostics; the second of `words` is there at the end."""
    times = []
    for k in range(count):
        frame = server.frame(message(*words) if k % 2 else message(*reversed(words)))
        begin = server.post(frame)
        times.append((server.published(uri, server.version) - begin) * 1e3)
    return times


def whole_texts(server, uri, text, word):
    """Makes messages that put one word in the place of the other by sending all of the text."""
    return lambda old, new: server.change(uri, text.replace(word, new, 1))


def words_alone(server, uri, text, at):
    """Makes messages that send no more than the words."""
    line = text.count("\n", 0, at)
    character = at - text.rfind("\n", 0, at) - 1

    def message(old, new):
        place = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + len(old)}}
        change = server.change(uri, new)
        change["params"]["contentChanges"] = [{"range": place, "text": new}]
        return change

    return message


def all_edits(server, uri, text, words):
    """Each kind of edit, and its times."""
    old, new = words
    by_word = lambda at: lambda: edits(server, uri, (new, old), 40, words_alone(server, uri, text, at))
    yield "edit, the whole text sent", lambda: edits(server, uri, (new, old), 40, whole_texts(server, uri, text, old))
    yield "edit, a word at the top", by_word(text.index(old))
    yield "edit, a word at the end", by_word(text.rindex(old))


def cancelled(server, uri, text):
    """Milliseconds from a request that is cancelled at once, on a text that is not checked yet, to its answer."""
    tokens = {"id": 0, "method": "textDocument/semanticTokens/full", "params": {"textDocument": {"uri": uri}}}
    server.id += 1
    cancel = {"method": "$/cancelRequest", "params": {"id": server.id}}
    begin = time.perf_counter()
    server.send(server.change(uri, text + "\n" * (server.version % 2)), {**tokens, "id": server.id}, cancel)
    answered, shown = None, False
    while not (answered and shown):
        at, message = server.inbox.get(timeout=60)
        shown |= message.get("params", {}).get("version") == server.version
        if message.get("id") == server.id and "method" not in message:
            answered = (at - begin) * 1e3
    return answered


def timed(server, ask):
    """The times that `ask` gives, and the processor time for each."""
    begin = server.processor_ms()
    times = ask()
    return times, (server.processor_ms() - begin) / len(times)


def measure(command, lines):
    rows, memory = {}, {}
    for name, text, old, new, *kernel in texts(lines):
        server, uri = Server(command), "file:///bench." + name
        server.open(uri, text, name)
        for label, edit in all_edits(server, uri, text, (old, new)):
            rows.setdefault(label, {})[name] = timed(server, edit)
        for label, method, parameters, count in requests(text, name, kernel, lines):
            ask = lambda: server.request("textDocument/" + method, parameters)[0] * 1e3
            rows.setdefault(label, {})[name] = timed(server, lambda: [ask() for _ in range(count)])
        memory[name] = server.resident_mb()
        stop = timed(server, lambda: [cancelled(server, uri, text) for _ in range(10)])
        rows.setdefault("a cancelled request", {})[name] = stop
        server.stop()
    return rows, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nnz", default="target/release/nnz")
    parser.add_argument("--lines", type=int, nargs="+", default=[1000, 10000])
    arguments = parser.parse_args()
    for lines in arguments.lines:
        rows, memory = measure([arguments.nnz, "lsp"], lines)
        columns = "".join(f"{name:>10}" for name in ["mlir p50", "p95", "processor", "nnz p50", "p95", "processor"])
        print(f"\n{f'{lines} lines, ms':<28}{columns}")
        for label, of in rows.items():
            figures = lambda times, processor: (statistics.median(times), percentile(times, 0.95), processor)
            cells = [figure for name in of for figure in figures(*of[name])]
            print(f"{label:<28}" + "".join(f"{cell:>10.2f}" for cell in cells))
        print(f"{'resident memory, MB':<28}" + "".join(f"{memory[name]:>10.1f}{'':>20}" for name in memory))


if __name__ == "__main__":
    main()
