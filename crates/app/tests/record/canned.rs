//! A recording by hand: one event, some samples of one thread.

/// Samples a millisecond apart, from one second of the clock on.
pub(crate) fn recording(samples: u64) -> Vec<u8> {
    const HEADER: u64 = 104;
    /// `struct perf_event_attr` of version 0, then where its ids are.
    const ATTR: u64 = 64 + 16;
    let mut data = vec![];
    // COMM, thread 40 of process 40.
    record(&mut data, 3, &[&words(&[40, 40]), b"command\0"]);
    for number in 0..samples {
        let time = 1_000_000_000 + number * 1_000_000;
        record(&mut data, 9, &[&words(&[40, 40]), &time.to_le_bytes(), &1u64.to_le_bytes()]);
    }
    let mut attr = vec![];
    attr.extend(words(&[1, 64]));
    for word in [0, 997] {
        attr.extend(u64::to_le_bytes(word));
    }
    // Thread, time and period; a frequency.
    for word in [1 << 1 | 1 << 2 | 1 << 8, 0, 1 << 10] {
        attr.extend(u64::to_le_bytes(word));
    }
    attr.resize(64, 0);
    attr.extend([0; 16]);
    let mut file = b"PERFILE2".to_vec();
    let sections = [HEADER, ATTR, HEADER, ATTR, HEADER + ATTR, data.len() as u64, 0, 0];
    file.extend(sections.iter().flat_map(|word| word.to_le_bytes()));
    file.resize(HEADER as usize, 0);
    file.extend(attr);
    file.extend(data);
    file
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn record(data: &mut Vec<u8>, kind: u32, parts: &[&[u8]]) {
    let size = 8 + parts.iter().map(|part| part.len()).sum::<usize>();
    data.extend(kind.to_le_bytes());
    data.extend(0u16.to_le_bytes());
    data.extend((size as u16).to_le_bytes());
    data.extend(parts.concat());
}
