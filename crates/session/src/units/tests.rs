use super::*;

#[test]
fn everything_reads_as_the_table_says() {
    let mut checked = 0;
    for line in include_str!("../../../../testdata/units.tsv").lines() {
        if line.starts_with('#') {
            continue;
        }
        let [kind, value, unit, decimals, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}: five columns");
        };
        let told = match kind {
            "value" => Unit::new(unit, decimals.parse().unwrap()).text(value.parse().unwrap()),
            "quantity" => quantity_text(value.parse().unwrap(), unit),
            "share" => share_text(value.parse().unwrap()),
            kind => panic!("{kind}: no such kind"),
        };
        assert_eq!(told, text, "{line}");
        checked += 1;
    }
    assert!(checked > 60);
}

#[test]
fn differences_have_signs() {
    let unit = Unit::new("bytes", 0);
    assert_eq!([2048, 0, -2048].map(|change| unit.change_text(change)), ["+2 KiB", "0", "-2 KiB"]);
    assert_eq!(count_text(1_234_567), "1,234,567");
}
