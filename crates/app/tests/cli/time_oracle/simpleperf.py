"""simpleperf's report-sample: records with their length in front. Time 0 is the first sample."""

import struct

import protobuf
from recording import Recording, Sample


def read(data):
    found = Recording()
    at = 12
    while at + 4 <= len(data):
        (size,) = struct.unpack_from("<I", data, at)
        if size == 0:
            break
        record = protobuf.message(data[at + 4 : at + 4 + size])
        for sample in record.get(1, []):
            sample = protobuf.message(sample)
            found.samples.append(Sample(str(sample[2][0]), sample[1][0], 0))
        at += 4 + size
    return found
