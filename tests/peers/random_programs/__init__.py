"""Random MLIR programs with an oracle of their own; nothing here is shared with nnz.

    choices.py     a stream of choices that can be replayed, and so shrunk
    elements.py    element types: what fits, how it is written
    encodings.py   encodings: their text, what they store, and the arrays of a tensor
    bodies.py      bodies of kernels: their operations, text and meaning, with absent values
    kernels.py     `linalg.generic` and named operations: text and meaning
    statements.py  everything else of a program: text and meaning
    draw.py        draws encodings, data and programs; draw_body.py draws bodies, draw_steps.py steps
    witness.py     runs nnz and MLIR, and reads what they print
    mlir_classes.py  names what MLIR gets wrong
    shrink.py      makes a failing program small
"""
