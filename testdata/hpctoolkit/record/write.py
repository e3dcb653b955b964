"""Writes a small HPCToolkit database of two ranks, one with two threads.

HPCToolkit is in no package repository; the layout follows the document type definition that its
files carry, and hpcprof's metric-db. Usage: python3 write.py FOLDER
"""

import os
import struct
import sys

# Kind, attributes, own values a rank and thread, scopes inside.
SCOPES = (
    "PF", dict(s=7, lm=2, f=3, n=7, l=19), None, [
        ("S", dict(s=8, l=21), [500, 400, 300], []),
        ("L", dict(s=9, f=3, l="24-31"), None, [
            ("S", dict(s=10, l=26), [3000, 2000, 1000], []),
            ("C", dict(s=11, l=28), None, [
                ("PF", dict(s=12, lm=2, f=4, n=8, l=5), None, [
                    ("S", dict(s=13, l=6), [700, 600, 0], []),
                    ("Pr", dict(s=14, lm=2, f=5, n=9, l=2), None, [
                        ("S", dict(s=15, l=3), [40, 50, 60], []),
                    ]),
                ]),
            ]),
        ]),
        ("C", dict(s=16, l=33), None, [
            ("PF", dict(s=17, lm=6, f=4, n=10, l=0), None, [("S", dict(s=18, l=0), [0, 900, 0], [])]),
        ]),
    ],
)
PLACES = [(0, 0), (0, 1), (1, 0)]

HEAD = """<?xml version="1.0"?>
<!DOCTYPE HPCToolkitExperiment [
  <!-- The element declarations are left out. -->
  <!ELEMENT M EMPTY>
]>
<HPCToolkitExperiment version="2.0">
<Header n="field"><Info/></Header>
<SecCallPathProfile i="0" n="field">
<SecHeader>
  <MetricTable>
    <Metric i="2" n="CPUTIME (usec):Sum (I)" v="derived-incr" t="inclusive" partner="3" show="1"/>
    <Metric i="3" n="CPUTIME (usec):Sum (E)" v="derived-incr" t="exclusive" partner="2" show="1"/>
    <Metric i="4" n="CPUTIME (usec):Mean (I)" v="derived-incr" t="inclusive" partner="5" show="1"/>
  </MetricTable>
  <MetricDBTable>
    <MetricDB i="0" n="CPUTIME (usec) (I)" t="inclusive" partner="1" db-glob="*.metric-db" db-id="0" db-num-metrics="2" db-header-sz="24"/>
    <MetricDB i="1" n="CPUTIME (usec) (E)" t="exclusive" partner="0" db-glob="*.metric-db" db-id="1" db-num-metrics="2" db-header-sz="24"/>
  </MetricDBTable>
  <LoadModuleTable><LoadModule i="2" n="/opt/demo/field"/><LoadModule i="6" n="/lib/libm.so.6"/></LoadModuleTable>
  <FileTable><File i="3" n="./src/field.c"/><File i="4" n="&lt;unknown file&gt;"/><File i="5" n="./src/list.h"/></FileTable>
  <ProcedureTable>
    <Procedure i="7" n="main"/><Procedure i="8" n="sow&lt;int&gt;"/><Procedure i="9" n="next"/><Procedure i="10" n="sqrt"/>
  </ProcedureTable>
  <Info/>
</SecHeader>
<SecCallPathProfileData>
"""


def main(folder):
    os.makedirs(folder, exist_ok=True)
    rows, out = [], [HEAD]

    def write(scope):
        kind, attributes, own, inside = scope
        number = len(rows)
        rows.append(None)
        text = "".join(f' {key}="{value}"' for key, value in attributes.items())
        at = len(out)
        out.append(None)
        total = list(own or [0, 0, 0])
        for inner in inside:
            total = [a + b for a, b in zip(total, write(inner))]
        rows[number] = total
        out[at] = f'<{kind} i="{number + 2}"{text}>\n<M n="2" v="{sum(total):g}"/>\n'
        out.append(f"</{kind}>\n")
        return total

    write(SCOPES)
    out.append("</SecCallPathProfileData>\n</SecCallPathProfile>\n</HPCToolkitExperiment>\n")
    with open(os.path.join(folder, "experiment.xml"), "w") as sink:
        sink.write("".join(out))
    for column, (rank, thread) in enumerate(PLACES):
        cells = struct.pack(">dd", float(rows[0][column]), 0.0)
        for row in rows:
            cells += struct.pack(">dd", float(row[column]), 0.0)
        head = b"HPCPROF-metricdb__00.10b" + struct.pack(">II", len(rows) + 1, 2)
        name = f"1.field-{rank:06}-{thread:03}-a8c00270-4711-0.metric-db"
        with open(os.path.join(folder, name), "wb") as sink:
            sink.write(head + cells)


main(sys.argv[1])
