//! What `perf stat -x ';' -I` writes, added up.

use std::collections::BTreeMap;

use crate::manifest::Count;

/// Totals of a file, by event in the order in which they come, and by processor where it tells
/// them. Lines without a number are intervals in which nothing was counted.
pub(super) fn totals(text: &str, by_cpu: bool) -> Vec<Count> {
    let mut order: Vec<Count> = vec![];
    let mut places: BTreeMap<(String, Option<u32>), usize> = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
        let Some(found) = line_of(line, by_cpu) else { continue };
        let place = *places.entry((found.event.clone(), found.cpu)).or_insert_with(|| {
            order.push(Count { total: 0.0, intervals: 0, coverage: 1.0, ..found.clone() });
            order.len() - 1
        });
        let sum = &mut order[place];
        sum.total += found.total;
        sum.intervals += found.intervals;
        sum.coverage = sum.coverage.min(found.coverage);
    }
    order
}

/// `time;[CPU0;]value;unit;event;running;percent;...`
fn line_of(line: &str, by_cpu: bool) -> Option<Count> {
    let mut fields = line.split(';').map(str::trim);
    fields.next()?.replace(',', ".").parse::<f64>().ok()?;
    let cpu =
        if by_cpu { Some(fields.next()?.trim_start_matches("CPU").parse().ok()?) } else { None };
    let value = fields.next()?.replace(',', ".");
    let unit = fields.next()?.to_owned();
    let event = fields.next()?.to_owned();
    fields.next()?;
    let percent: f64 = fields.next()?.replace(',', ".").parse().ok()?;
    let is_counted = value.parse::<f64>().ok();
    Some(Count {
        event,
        cpu,
        total: is_counted.unwrap_or(0.0),
        unit,
        intervals: u64::from(is_counted.is_some()),
        // What did not run for a moment says nothing of sharing.
        coverage: if is_counted.is_some() { (percent / 100.0).clamp(0.0, 1.0) } else { 1.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(counts: &[Count]) -> Vec<String> {
        let text = |count: &Count| {
            let Count { event, cpu, total, unit, intervals, coverage } = count;
            format!("{event} {cpu:?} {total}{unit} {intervals} {coverage}")
        };
        counts.iter().map(text).collect()
    }

    #[test]
    fn intervals_are_added_up() {
        let text = "# started on Tue\n\n     0.050;1.25;msec;cpu-clock;129;100.00;0.0;CPUs utilized\n\
                    0.050;138;;page-faults;129;75.00;106.8;K/sec\n\
                    0.100;<not counted>;msec;cpu-clock;0;0.00;;\n\
                    0.100;2;;page-faults;0;100.00;;\n0.12;0,5;msec;cpu-clock;1;100,00;;\n";
        let expected = ["cpu-clock None 1.75msec 2 1", "page-faults None 140 2 0.75"];
        assert_eq!(brief(&totals(text, false)), expected);
    }

    #[test]
    fn processors_are_distinguished() {
        let text = "0.05;CPU0;75;;faults;5;100.00;;\n0.05;CPU1;67;;faults;5;100.00;;\n\
                    0.10;CPU0;5;;faults;5;100.00;;\n";
        let expected = ["faults Some(0) 80 2 1", "faults Some(1) 67 1 1"];
        assert_eq!(brief(&totals(text, true)), expected);
    }
}
