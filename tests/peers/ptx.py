#!/usr/bin/env python3
"""PTX that nnz emits, assembled by NVIDIA's ptxas for each GPU that nnz knows; no GPU is needed. Kernels that PTX cannot
express are refused by name."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

from setting import program, skipped

GPUS = ["sm_80", "sm_90"]

SESSION = """
#narrow = #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 32 }>
A64 : tensor<100x80xf64, CSR> = random(density = 0.1, seed = 3)
A32 : tensor<100x80xf32, CSR> = random(density = 0.1, seed = 3)
N64 : tensor<100x80xf64, #narrow> = random(density = 0.1, seed = 3)
N32 : tensor<100x80xf32, #narrow> = random(density = 0.1, seed = 3)
H : tensor<100x80xf16, CSR> = random(density = 0.1, seed = 3)
B16 : tensor<100x80xbf16, CSR> = random(density = 0.1, seed = 3)
K : tensor<100x80xcomplex<f32>, CSR> = random(density = 0.1, seed = 3)
L : tensor<100x80xi32, CSR> = random(density = 0.1, seed = 3)
S64 : tensor<80x80xf64, CSR> = random(density = 0.1, seed = 5)
D : tensor<80x100xf64> = random(density = 1, seed = 4)
x64 : tensor<80xf64> = random(density = 1, seed = 7)
x32 : tensor<80xf32> = random(density = 1, seed = 7)
xh : tensor<80xf16> = random(density = 1, seed = 7)
xb : tensor<80xbf16> = random(density = 1, seed = 7)
xk : tensor<80xcomplex<f32>> = random(density = 1, seed = 7)
xl : tensor<80xi32> = random(density = 1, seed = 7)
b64 : tensor<100xf64> = random(density = 1, seed = 8)
spmv64(i) = A64(i, j) * x64(j)
spmv32(i) = A32(i, j) * x32(j)
narrow64(i) = N64(i, j) * x64(j)
narrow32(i) = N32(i, j) * x32(j)
half(i) = H(i, j) * xh(j)
bhalf(i) = B16(i, j) * xb(j)
complexes(i) = K(i, j) * xk(j)
whole(i) = L(i, j) * xl(j)
residual(i) = b64(i) - A64(i, j) * x64(j)
rows(i) = D(i, j) * b64(j)
axpy(i) = 2 * x64(i) + rows(i)
spmm(i, k) = A64(i, j) * D(j, k)
scaled(i, j) : CSR = A64(i, j) * 2
rounded(i) = floor(x64(i)) + ceil(x64(i)) + round(x64(i)) + sqrt(x64(i)) + max(x64(i), rows(i)) + min(x64(i), rows(i))
exponents(i) = exp(x64(i))
columns(j) = A64(i, j) * b64(i)
counted(i, k) : CSR = A64(i, j) * S64(j, k)
"""

ACCEPTED = ["spmv64", "spmv32", "narrow64", "narrow32", "half", "bhalf", "complexes", "whole", "residual", "rows", "axpy"]
ACCEPTED += ["spmm", "scaled", "rounded"]
REFUSED = {
    "exponents": "it has the function `exp`",
    "counted": "it takes 2 functions",
    "columns": "it has a loop over `i` that is not parallel",
}


def assembler():
    """ptxas of CUDA, or of the package nvidia-cuda-nvcc."""
    packaged = pathlib.Path(sysconfig.get_paths()["purelib"]).glob("nvidia/*/bin/ptxas")
    found = os.environ.get("PTXAS") or shutil.which("ptxas") or next(map(str, packaged), None)
    if found is None:
        skipped("there is no ptxas: `pip install nvidia-cuda-nvcc==13.0.88`")
    return found


def lowered(nnz, session, kernel, gpu):
    command = [nnz, "lower", session, "--to", "ptx", "--kernel", kernel, "--target", gpu]
    return subprocess.run(command, capture_output=True, text=True)


def main():
    ptxas, nnz = assembler(), program("NNZ", "-p", "nnz", "--bin", "nnz")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        session, code = folder / "kernels.nnz", folder / "kernel.ptx"
        session.write_text(SESSION)
        for gpu in GPUS:
            for kernel in ACCEPTED:
                run = lowered(nnz, session, kernel, gpu)
                code.write_text(run.stdout)
                command = [ptxas, f"-arch={gpu}", "-v", "--warning-as-error", code, "-o", folder / "kernel.cubin"]
                said = subprocess.run(command, capture_output=True, text=True)
                spills = re.search(r"[1-9]\d* bytes spill", said.stderr)
                if run.returncode or said.returncode or spills or f".entry {kernel}(" not in run.stdout:
                    problems.append(f"{kernel} for {gpu}: {run.stderr}{said.stderr}")
            for kernel, reason in REFUSED.items():
                run = lowered(nnz, session, kernel, gpu)
                if run.returncode == 0 or f"PTX cannot run this kernel: {reason}" not in run.stderr:
                    problems.append(f"{kernel} for {gpu} should be refused with `{reason}`: {run.stderr}{run.stdout[:200]}")
    print("\n".join(problems) or f"{len(ACCEPTED)} kernels for {' and '.join(GPUS)}, {len(REFUSED)} refused")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
