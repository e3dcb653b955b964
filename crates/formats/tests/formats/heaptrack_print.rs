//! The text of heaptrack_print, against its totals and against the recording that it is of.

use crate::measured::{metric, sample, self_values};

#[test]
fn totals_are_those_that_are_printed() {
    for (name, has_leaks) in [("merged", true), ("stacks", true), ("short", false)] {
        let profile = sample(&format!("heaptrack-print/larder-{name}.heaptrack.txt"));
        let total = |name: &str| profile.metric_total(metric(&profile, name)).0;
        assert_eq!(total("allocations"), 102, "{name}");
        assert_eq!(total("temporary"), 39, "{name}");
        assert_eq!(total("peak"), 87_840, "{name}");
        // The places that are listed are rounded each, which may add up to a little more.
        let most = if has_leaks { 15_135 } else { 15_130 };
        assert!((15_130..=most).contains(&total("leaked")), "{name}: {}", total("leaked"));
    }
}

#[test]
fn places_that_are_listed_have_what_was_recorded() {
    let recorded = sample("heaptrack/heaptrack.larder-inlined.zst");
    let own = self_values(&recorded, metric(&recorded, "allocations"));
    let printed = sample("heaptrack-print/larder-merged.heaptrack.txt");
    let printed = self_values(&printed, metric(&printed, "allocations"));
    for function in ["simmer", "jar", "build"] {
        assert_eq!(printed[function], own[function], "{function}");
    }
}

#[test]
fn a_text_without_its_end_says_so() {
    let path = crate::measured::testdata("heaptrack-print/larder-merged.heaptrack.txt");
    let text = std::fs::read(path).unwrap();
    let warned = |bytes: &[u8]| {
        let source = formats::Source { bytes: Box::new(bytes), file_name: "a.heaptrack.txt" };
        let opened = formats::read(source, &formats::ReadOptions::default()).unwrap();
        opened.warnings.iter().any(|warning| warning.message.contains("cut short"))
    };
    assert!(!warned(&text));
    assert!(warned(&text[..text.len() / 2]));
}
