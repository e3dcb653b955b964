"""Runs the cells of a notebook as a kernel does: with the compiler of ipykernel, which names their code."""

import json
import sys

from IPython.core.interactiveshell import InteractiveShell
from ipykernel.compiler import XCachingCompiler


def main(notebook: str) -> None:
    shell = InteractiveShell(compiler_class=XCachingCompiler)
    with open(notebook, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            shell.run_cell("".join(cell["source"]), store_history=True).raise_error()


main(sys.argv[1])
