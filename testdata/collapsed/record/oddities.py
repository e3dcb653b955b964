"""Writes the handmade samples into the folder above.

    python3 oddities.py
"""

from pathlib import Path

SIMPLE = "main;load;parse 3\nmain;load;read 2\nmain;draw 5\nmain;draw;fill café 1\n"

ODDITIES: dict[str, bytes] = {
    "crlf": SIMPLE.replace("\n", "\r\n").encode(),
    "no-final-newline": SIMPLE.rstrip("\n").encode(),
    "utf-8-bom": SIMPLE.encode("utf-8-sig"),
    "utf-16-le": b"\xff\xfe" + SIMPLE.replace("\n", "\r\n").encode("utf-16-le"),
    "utf-16-be": b"\xfe\xff" + SIMPLE.encode("utf-16-be"),
    "invalid-utf-8": b"main;caf\xe9;read 2\nmain;\xff\xfe\xfd 1\n",
    "float-counts": b"main;load 1.5\nmain;load;parse 0.25\nmain;draw 2e1\nmain;draw 1\n",
    "spaces-in-names": (
        b"java main;operator new(unsigned long);std::map<int, char const*>::find 4\n"
        b"java main;void f<(a) 3>(int) 2\n"
        b"java main;tabs\tinside 3\n"
        b"trailing space ;next 1\n"
    ),
    "semicolons": b"main;;gap 1\n;leading 2\nmain;trailing; 3\nmain;Lcom/example/Map;::get 4\n",
    "two-counts": b"main;load 10 14\nmain;draw 7 0\nmain;draw;fill 0 5\nmain;same 3 3\n",
    "comments": (
        b"# recorded by hand\n\nmain;load 1\n   \n# main;ignored 100\nmain;#include 2\n"
    ),
    "suffixes": b"java;run_[j];hot_[i];sys_read_[k] 5\njava;run_[j];wait_[w] 2\njava;-;done 1\n",
    "bad-lines": b"main;load 1\nno count here\nmain;draw x\n42\nmain;draw 2\nmain;neg -3\n",
    "huge-counts": (
        b"main;most 9223372036854775807\nmain;too many 18446744073709551616\nmain;one 1\n"
    ),
    "recursion": b"main;f;f;f 3\nmain;f;g;f 2\nmain;f 1\n",
}

for name, content in ODDITIES.items():
    (Path(__file__).parent.parent / f"{name}.collapsed").write_bytes(content)
