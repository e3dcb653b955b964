"""trace.db of HPCToolkit. A sample lasts until the next one of its thread; context 0 says that the thread
does nothing. Time 0 is that of the header."""

import os
import struct

from recording import Recording, Sample


def read(path):
    file = os.path.join(path, "trace.db")
    if not os.path.exists(file):
        return None
    with open(file, "rb") as file:
        data = file.read()
    found = Recording()
    found.has_names = False
    (section,) = struct.unpack_from("<Q", data, 0x18)
    start, count, stride = struct.unpack_from("<QIB", data, section)
    found.origin, last = struct.unpack_from("<QQ", data, section + 0x10)
    found.times += [found.origin, last]
    for number in range(count):
        thread, begin, end = struct.unpack_from("<I4xQQ", data, start + number * stride)
        samples = [struct.unpack_from("<QI", data, at) for at in range(begin, end - 11, 12)]
        for place, (time, context) in enumerate(samples):
            until = samples[place + 1][0] if place + 1 < len(samples) else time
            if context:
                found.samples.append(Sample(str(thread), time, until - time))
    return found
