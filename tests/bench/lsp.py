#!/usr/bin/env python3
"""Times nnz's language server beside mlir-lsp-server on the same files, in the same run.

    tests/bench/lsp.py [--nnz target/release/nnz] [--peer mlir-lsp-server-22] [--lines 1000 10000]

Prints one row per measure: nnz, the peer, and peer / nnz (above 1: nnz is better). The two servers
take turns, so that whatever else the machine does hits both alike.
"""
import argparse, json, os, shutil, statistics, subprocess, sys, tempfile, threading, queue, time


def generate(lines):
    """A file of functions over sparse tensors, about as many lines as asked."""
    head = [
        "#CSR = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>",
        "#COO = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>",
        "",
    ]
    body = []
    while len(head) + len(body) < lines:
        k = len(body)
        body += [
            f"func.func @convert{k}(%A: tensor<64x48xf64, #CSR>) -> tensor<64x48xf64, #COO> {{",
            "  %n = sparse_tensor.number_of_entries %A : tensor<64x48xf64, #CSR>",
            "  %p = sparse_tensor.positions %A { level = 1 : index } : tensor<64x48xf64, #CSR> to memref<?xindex>",
            "  %v = sparse_tensor.values %A : tensor<64x48xf64, #CSR> to memref<?xf64>",
            "  %c = arith.constant 0 : index",
            "  %x = memref.load %p[%c] : memref<?xindex>",
            "  %B = sparse_tensor.convert %A : tensor<64x48xf64, #CSR> to tensor<64x48xf64, #COO>",
            "  return %B : tensor<64x48xf64, #COO>",
            "}",
            "",
        ]
    return "\n".join(head + body) + "\n"


class Server:
    def __init__(self, command):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.inbox, self.id, self.version = queue.Queue(), 0, 1
        threading.Thread(target=self.read, daemon=True).start()
        self.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})

    def read(self):
        out = self.process.stdout
        while line := out.readline():
            length = int(line.split(b":")[1])
            while out.readline().strip():
                pass
            self.inbox.put((time.perf_counter(), json.loads(out.read(length))))

    def frame(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    def send(self, *messages):
        data = b"".join(map(self.frame, messages))
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def post(self, frames):
        """Sends frames that are ready; the time at which that began."""
        begin = time.perf_counter()
        self.process.stdin.write(frames)
        self.process.stdin.flush()
        return begin

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.id += 1
        begin = time.perf_counter()
        self.send({"id": self.id, "method": method, "params": params})
        while True:
            at, message = self.inbox.get(timeout=60)
            if message.get("id") == self.id and "method" not in message:
                return at - begin, message.get("result")

    def open(self, uri, text, language="mlir"):
        document = {"uri": uri, "languageId": language, "version": self.version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return self.published(uri, self.version)

    def change(self, uri, text):
        self.version += 1
        document = {"uri": uri, "version": self.version}
        return {"method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": [{"text": text}]}}

    def published(self, uri, version):
        while True:
            at, message = self.inbox.get(timeout=60)
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and params.get("version", version) == version:
                return at

    def resident_mb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))

    def processor_ms(self):
        """What its threads have run so far."""
        threads = f"/proc/{self.process.pid}/task"
        run = lambda thread: int(open(f"{threads}/{thread}/schedstat").read().split()[0])
        return sum(map(run, os.listdir(threads))) / 1e6

    def stop(self):
        self.process.kill()
        self.process.wait()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def edits(server, uri, text, count, words=("level = 1", "level = 0")):
    """Milliseconds from sending an edit of one function to its diagnostics."""
    times = []
    for k in range(count):
        edited = text.replace(*words, 1) if k % 2 else text
        begin = server.post(server.frame(server.change(uri, edited)))
        times.append((server.published(uri, server.version) - begin) * 1e3)
    return times


def hovers(server, uri, count):
    at = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 36}}
    return [server.request("textDocument/hover", at)[0] * 1e3 for _ in range(count)]


def burst(server, uri, text, count=20):
    """Milliseconds from sending edits at once to the diagnostics of the last, and how often there were any."""
    messages = b"".join(server.frame(server.change(uri, text + "\n" * k)) for k in range(count))
    begin, published = server.post(messages), 0
    while True:
        at, message = server.inbox.get(timeout=60)
        published += message.get("method") == "textDocument/publishDiagnostics"
        if message.get("params", {}).get("version") == server.version:
            return (at - begin) * 1e3, published


def cold_start(command, uri):
    server = Server(command)
    at = server.open(uri, generate(20))
    server.stop()
    return (at - server.started) * 1e3


def measure(commands, lines):
    text, uri = generate(lines), "file:///bench.mlir"
    servers = {name: Server(command) for name, command in commands.items()}
    rows = {name: {} for name in servers}
    for name, server in servers.items():
        server.open(uri, text)
    collected = {name: {"edit": [], "hover": [], "burst": []} for name in servers}
    for _ in range(5):
        for name, server in servers.items():
            collected[name]["edit"] += edits(server, uri, text, 12)
            collected[name]["hover"] += hovers(server, uri, 60)
            collected[name]["burst"].append(burst(server, uri, text))
    for name, server in servers.items():
        c, r = collected[name], rows[name]
        r["edit to diagnostics p50 ms"], r["edit to diagnostics p95 ms"] = statistics.median(c["edit"]), percentile(c["edit"], 0.95)
        r["hover p50 ms"], r["hover p95 ms"] = statistics.median(c["hover"]), percentile(c["hover"], 0.95)
        r["burst of 20 edits ms"] = statistics.median(at for at, _ in c["burst"])
        r["burst of 20 edits, times published"] = max(published for _, published in c["burst"])
        r["resident memory MB"] = server.resident_mb()
        server.stop()
    starts = {name: [] for name in commands}
    for _ in range(10):
        for name, command in commands.items():
            starts[name].append(cold_start(command, uri))
    for name in commands:
        rows[name]["start to first diagnostics ms"] = statistics.median(starts[name])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nnz", default="target/release/nnz")
    parser.add_argument("--peer", default="mlir-lsp-server-22")
    parser.add_argument("--lines", type=int, nargs="+", default=[1000, 10000])
    arguments = parser.parse_args()
    commands = {"nnz": [arguments.nnz, "lsp"]}
    if shutil.which(arguments.peer):
        commands["peer"] = [arguments.peer]
    else:
        print(f"SKIP {arguments.peer}: not installed; nnz alone is measured")
    for lines in arguments.lines:
        rows = measure(commands, lines)
        print(f"\n{lines} lines{'':28}{'nnz':>10}{'peer':>10}{'peer/nnz':>10}")
        for key, ours in rows["nnz"].items():
            theirs = rows.get("peer", {}).get(key)
            tail = f"{theirs:>10.2f}{theirs / ours:>10.1f}" if theirs is not None else ""
            print(f"{key:<38}{ours:>10.2f}{tail}")


if __name__ == "__main__":
    main()
