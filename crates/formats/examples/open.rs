fn main() {
    for f in std::env::args().skip(1) {
        let t = std::time::Instant::now();
        let file = std::fs::File::open(&f).unwrap();
        let name = f.rsplit('/').next().unwrap().to_owned();
        match formats::read(formats::Source { bytes: Box::new(file), file_name: &name }, &Default::default()) {
            Ok(o) => {
                let p = &o.profile;
                println!("{f}: ctx {} pts {} locs {} frm {} lbl {} fmt {} heap {} MB totals {:?} in {:?} warn {:?}", p.contexts.len(), p.points.len(), p.locations.len(), p.frames.len(), p.label_sets.len(), p.origin.format, p.heap_bytes()>>20,
                (0..p.metrics.len()).map(|m| p.metric_total(m).0).collect::<Vec<_>>(), t.elapsed(), o.warnings.iter().map(|w| format!("{} x{}", w.message, w.count)).collect::<Vec<_>>());
            }
            Err(e) => println!("{f}: ERROR {e} | {}", e.hint()),
        }
    }
}
