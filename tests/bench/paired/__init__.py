"""nnz and other programs taking turns over the same kernels, for `kernels.py`."""
