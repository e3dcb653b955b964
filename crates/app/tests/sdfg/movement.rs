//! The programs of the second half of docs/tour-data-movement.md: all variants compute the same, and miss what
//! the tour says.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::run;

fn file(name: &str) -> String {
    samples::testdata(format!("movement/{name}")).display().to_string()
}

/// The sums that variants of a program print; none without gcc.
fn sums(source: &str, steps: u32, sizes: &[&str]) -> Option<Vec<String>> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut all = vec![];
    for step in 0..steps {
        let program = folder.join(format!("{source}-{step}-{}", std::process::id()));
        let step = format!("-DSTEP={step}");
        let warnings = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address"];
        let output = Command::new("gcc")
            .args(warnings)
            .args(sizes)
            .arg(step)
            .arg(file(source))
            .arg("-o")
            .arg(&program)
            .output()
            .ok()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output =
            Command::new(&program).arg("2").env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap();
        std::fs::remove_file(&program).unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told = String::from_utf8(output.stdout).unwrap();
        all.push(told.trim().rsplit_once("sum ").unwrap().1.to_owned());
    }
    Some(all)
}

#[test]
fn variants_compute_the_same() {
    for (source, steps, sizes) in [
        ("hdiff.c", 6, &["-DSIZE_I=9", "-DSIZE_J=13", "-DSIZE_K=5"][..]),
        ("products.c", 4, &["-DSIZE=64"]),
    ] {
        let Some(sums) = sums(source, steps, sizes) else {
            eprintln!("notice: there is no gcc, variants are not compared");
            return;
        };
        assert!(sums.iter().all(|sum| *sum == sums[0] && sum != "0"), "{source}: {sums:?}");
    }
}

/// Misses by level.
fn misses(file: &str, sizes: &str, cache: &str, changes: &[&str]) -> Vec<i64> {
    let mut all =
        vec!["sdfg", "simulate", file, "--set", sizes, "--cache", cache, "--format", "json"];
    all.extend(changes.iter().flat_map(|change| ["--what-if", change]));
    let (code, out, error) = run(&all, "");
    assert_eq!(code, Some(0), "{error}");
    let told: Value = serde_json::from_str(&out).unwrap();
    let sum = |row: &Value| {
        let kinds = ["cold", "capacity", "conflict"].iter();
        kinds.map(|kind| row["misses"][kind].as_i64().unwrap()).sum()
    };
    told["levels"].as_array().unwrap().iter().map(sum).collect()
}

#[test]
fn the_product_misses_what_the_tour_says_at_a_small_size() {
    let loops = file("product.jscop");
    let of = |changes: &[&str]| misses(&loops, "n=64", "4K:8,32K:8", changes);
    let (plain, padded, ordered) = (of(&[]), of(&["pad MemRef_B 72"]), of(&["order i0,i2,i1"]));
    // Columns of B fall into one set until its rows are padded, and are rows in the other order.
    assert!(plain[1] > 2 * padded[1], "{plain:?} {padded:?}");
    assert!(ordered[0] * 4 < plain[0], "{plain:?} {ordered:?}");
    let tiled = of(&["order i0,i2,i1", "tile i2,i1 16,16", "order i2_tile,i1_tile,i0"]);
    assert!(tiled[1] <= plain[1], "{tiled:?}");
}

#[test]
fn the_diffusion_misses_what_the_tour_says_at_the_small_size() {
    let graph = samples::testdata("sdfg/tour/hdiff.sdfgz").display().to_string();
    let of = |changes: &[&str]| misses(&graph, "I=8,J=8,K=5", "640", changes)[0];
    let (reshape, reorder) = ("permute in_field 2,0,1", "order k,i,j");
    assert_eq!(of(&[]), 3452);
    assert_eq!(of(&[reshape]), 2000);
    assert_eq!(of(&[reshape, reorder]), 582);
    assert_eq!(of(&[reshape, "pad in_field 8", reorder]), 744);
    let all = ["permute coeff 2,0,1", "permute out_field 2,0,1", reshape, reorder];
    assert_eq!(of(&all), 170);
}

/// The figures of the encoder in the tour, and that what its commands name is there.
#[test]
fn the_encoder_costs_what_the_tour_says() {
    let root = samples::testdata("").parent().unwrap().to_owned();
    let tour = std::fs::read_to_string(root.join("docs/tour-data-movement.md")).unwrap();
    let commands = tour.split("```").filter_map(|block| block.strip_prefix("sh\n"));
    let names: Vec<&str> = commands
        .flat_map(str::split_whitespace)
        .filter(|word| word.contains(".sdfg") || word.contains(".jscop"))
        .collect();
    assert!(names.len() > 6, "{names:?}");
    for name in names {
        assert!(root.join(name).is_file(), "{name}");
    }

    let [plain, expanded, fused] = ["encoder", "encoder.expanded", "encoder.fused"]
        .map(|name| samples::testdata(format!("sdfg/tour/{name}.sdfgz")).display().to_string());
    let set = ["--set", "B=8,H=16,P=64,S=512,E=1024,F=4096", "--format", "json"];
    let told = |command: &[&str]| -> Value {
        let (code, out, error) = run(&[&["sdfg"], command, &set].concat(), "");
        assert_eq!(code, Some(0), "{error}");
        serde_json::from_str(&out).unwrap()
    };
    let cost = told(&["cost", &plain]);
    assert_eq!(cost["totals"]["work"]["value"], 111_929_221_120_i64, "{}", cost["totals"]);
    assert!(tour.contains("111,929,221,120 operations"));
    let moved = |bytes: i64| {
        let edges = cost["edges"].as_array().unwrap().iter();
        edges.filter(|edge| edge["outermost"] == true && edge["bytes"]["value"] == bytes).count()
    };
    assert_eq!([moved(128 << 20), moved(64 << 20)], [15, 7]);
    let distinct = [&expanded, &fused]
        .map(|file| told(&["cost", file])["totals"]["distinct_bytes"]["value"].as_f64().unwrap());
    let change = (distinct[1] / distinct[0] - 1.0) * 100.0;
    assert_eq!(format!("{change:.1}"), "-23.7");
    assert!(tour.contains("−23.7 %"));
}
