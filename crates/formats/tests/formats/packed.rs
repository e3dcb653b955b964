//! The same file in every container, archive and encoding is the same profile.

use std::io::Write as _;
use std::path::PathBuf;

use formats::{Opened, ReadError, ReadOptions, Source};

fn read(bytes: &[u8], file_name: &str) -> Result<Opened, ReadError> {
    let bytes = Box::new(std::io::Cursor::new(bytes.to_vec()));
    formats::read(Source { bytes, file_name }, &ReadOptions::default())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut out = bzip2::write::BzEncoder::new(vec![], bzip2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut out = lzma_rust2::XzWriter::new(vec![], lzma_rust2::XzOptions::with_preset(1)).unwrap();
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// A name in it is as long as no field of a header.
fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(vec![]);
    let mut folder = tar::Header::new_gnu();
    folder.set_entry_type(tar::EntryType::Directory);
    folder.set_size(0);
    out.append_data(&mut folder, "sub/", std::io::empty()).unwrap();
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        out.append_data(&mut header, format!("./sub/{}/{name}", "long".repeat(40)), *bytes)
            .unwrap();
    }
    out.into_inner().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(std::io::Cursor::new(vec![]));
    for (name, bytes) in files {
        out.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        out.write_all(bytes).unwrap();
    }
    out.finish().unwrap().into_inner()
}

#[test]
fn containers_in_one_another_are_opened() {
    let plain = std::fs::read(samples::testdata("collapsed/py-spy.collapsed")).unwrap();
    let name = "a.collapsed";
    let wanted = read(&plain, name).unwrap().profile;
    let archived = tar(&[(name, &plain)]);
    let packed = [
        gzip(&plain),
        gzip(&gzip(&plain)),
        zstd(&plain),
        bzip2(&plain),
        xz(&plain),
        [xz(&plain[..100]), xz(&plain[100..])].concat(),
        [bzip2(&plain[..100]), bzip2(&plain[100..])].concat(),
        xz(&gzip(&zstd(&bzip2(&plain)))),
        archived.clone(),
        gzip(&archived),
        xz(&archived),
        bzip2(&archived),
        zip(&[("all.tar.gz", &gzip(&archived))]),
        tar(&[("a.zip", &zip(&[(name, &gzip(&plain))]))]),
    ];
    for (number, bytes) in packed.iter().enumerate() {
        let found = read(bytes, name).unwrap_or_else(|error| panic!("{number}: {error}"));
        assert!(found.profile == wanted, "{number}");
        // What is cut short is told, or nothing of the profile is missing.
        for cut in [bytes.len() / 2, bytes.len() - 1] {
            if let Ok(found) = read(&bytes[..cut], name) {
                assert!(found.profile == wanted || !found.warnings.is_empty(), "{number}, {cut}");
            }
        }
    }
    // Nobody means more, and some files hold themselves.
    let mut deep = (plain.clone(), plain);
    for _ in 0..6 {
        deep = (gzip(&deep.0), tar(&[("a.tar", &deep.1)]));
    }
    for bytes in [deep.0, deep.1] {
        let told = read(&bytes, name).unwrap_err().to_string();
        assert!(told.contains("unpack it before"), "{told}");
    }
}

#[test]
fn files_of_an_archive_are_all_read() {
    let one = b"main;work 3\n".as_slice();
    let archive = tar(&[("a.collapsed", one), ("b.collapsed", b"main;rest 4\n"), ("c.txt", b"?")]);
    let mut paths = vec![];
    let source = Source { bytes: Box::new(archive.as_slice()), file_name: "all.tar" };
    let warnings = formats::read_each(source, &ReadOptions::default(), &mut |path, opened| {
        paths.push((path.rsplit('/').next().unwrap().to_owned(), opened.profile.points.len()));
        Ok(())
    });
    assert_eq!(paths, [("a.collapsed".to_owned(), 1), ("b.collapsed".to_owned(), 1)]);
    let warnings: Vec<_> = warnings.unwrap().iter().map(|one| one.message.clone()).collect();
    assert!(matches!(&warnings[..], [one] if one.contains("passed over sub/")), "{warnings:?}");
}

/// What people open by mistake is told, with what to do.
#[test]
fn reports_files_of_other_kinds_with_what_to_do() {
    let cases: &[(&str, &[u8], &str, &str)] = &[
        ("a.json", b"\n<!DOCTYPE HTML>\n<html>", "an HTML page", "fetch the profile itself"),
        ("a.json", b"<HTML><body>", "an HTML page", "fetch the profile itself"),
        ("a.pb.gz", b"version https://git-lfs.github.com/spec/v1\n", "Git LFS", "git lfs pull"),
        ("a.svg", b"<?xml version=\"1.0\"?>\n<svg>", "a picture", "the collapsed stacks"),
        ("a.svg", b"<svg xmlns=\"\">", "a picture", "the collapsed stacks"),
        ("a", b"\x89PNG\r\n", "a picture", "the collapsed stacks"),
        ("a", b"{\"snapshot\":{\"meta\":{\"node_fields\":[", "heap snapshot", ".heapprofile"),
        ("a", b"JAVA PROFILE 1.0.2\0", "hprof", "JFR.start"),
        ("a", b"Nettrace\x14\0", ".NET", "dotnet-trace convert"),
        ("A.ETL", b"\0\0\x01\0", "ETW", "samply import"),
        ("traces.otf2", b"\0\x01", "OTF2", "Perfetto"),
        ("a", b"go 1.22 trace\0\0\0", "execution trace of Go", "go tool trace -pprof"),
        ("a", b"# To display the perf.data header info, please use", "perf report", "perf script"),
        ("a", b"\n Performance counter stats for 'x':\n", "perf stat", "perf stat -x, -I"),
        ("a", b"File: x\nType: cpu\n      flat  flat%   sum%        cum   cum%\n", "pprof", "open"),
        (
            "a",
            b"   6 function calls in 2 seconds\n\n   Ordered by: x\n   ncalls",
            "pstats",
            "-o FILE",
        ),
        ("a", b"rbspy02\n{", "rbspy", "rbspy report"),
        ("a", b"Attaching 1 probe...\n\n@[\n", "bpftrace", "stackcollapse-bpftrace"),
        ("a", b"heap_v2/524288\n", "jemalloc", "jeprof"),
        ("a", b"desc: x\ncmd: y\ntime_unit: B\n", "massif", "--tool=dhat"),
        ("a", b"{\"resourceProfiles\": [", "OpenTelemetry", "protobuf"),
    ];
    for (name, bytes, found, instead) in cases {
        let packed = gzip(bytes);
        for bytes in [bytes, &packed[..]] {
            let told = read(bytes, name).unwrap_err();
            assert!(matches!(told, ReadError::Unsupported { .. }), "{told}");
            let told = told.to_string();
            assert!(told.contains(found) && told.contains(instead), "{told}");
        }
    }
    // They are known by more than a word.
    for bytes in [&b"{\"name\": 1}"[..], b"CPU time", b"go 1.22"] {
        assert!(matches!(read(bytes, "a").unwrap_err(), ReadError::UnknownFormat { .. }));
    }
}

/// Tools write numbers in the language of their user.
#[test]
fn commas_stand_for_decimal_points() {
    let gprof = "Flat profile:\n\nEach sample counts as 0.01 seconds.\n  %   cumulative   self              self     total           \n \
                 time   seconds   seconds    calls  us/call  us/call  name    \n \
                 50.00      0.05     0.05      100   500.00   900.00  parse\n \
                 50.00      0.10     0.05                             main\n";
    let vtune = "Function,CPU Time:Self,Module\nwork,\"1.5\",a.out\nmain,\"0.25\",a.out\n";
    let dot = "digraph {\n\t0 [label=\"main\\n100.00%\\n(40.00%)\"];\n\
               \t0 -> 1 [label=\"60.00%\\n3×\"];\n\t1 [label=\"work\\n60.00%\\n(60.00%)\\n3×\"];\n}\n";
    for (name, english) in [("a.txt", gprof), ("a.csv", vtune), ("a.dot", dot)] {
        // The first of gprof's lines stays as it is.
        let (head, rows) = english.split_once("seconds.").unwrap_or(("", english));
        let middle = &english[head.len()..english.len() - rows.len()];
        let german = format!("{head}{middle}{}", with_commas(rows));
        assert_ne!(german, english);
        let wanted = read(english.as_bytes(), name).unwrap();
        assert!(!wanted.profile.points.is_empty(), "{name}");
        assert!(read(german.as_bytes(), name).unwrap().profile == wanted.profile, "{name}");
    }
}

/// A comma in place of each point between digits.
fn with_commas(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_digit =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let letters = text.char_indices().map(|(at, letter)| {
        let is_point = letter == '.' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        if is_point { ',' } else { letter }
    });
    letters.collect()
}

/// Packed data asks for more memory than may be used.
#[test]
fn memory_to_unpack_is_bounded() {
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.lzma_options.dict_size = 256 << 20;
    let mut out = lzma_rust2::XzWriter::new(vec![], options).unwrap();
    out.write_all(b"main;work 3\n").unwrap();
    let bytes = out.finish().unwrap();
    let source = || Source { bytes: Box::new(bytes.as_slice()), file_name: "a.collapsed.xz" };
    let few = ReadOptions { max_memory: 64 << 20, ..ReadOptions::default() };
    let told = formats::read(source(), &few).unwrap_err().to_string();
    assert!(told.contains("--max-memory"), "{told}");
    assert!(formats::read(source(), &ReadOptions::default()).is_ok());
}

/// Every text of the samples.
fn texts() -> Vec<(PathBuf, String)> {
    let mut found = vec![];
    for folder in std::fs::read_dir(samples::testdata("")).unwrap() {
        let folder = folder.unwrap().path();
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let text = std::fs::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            let is_sample = path.extension().is_none_or(|ending| ending != "golden");
            found.extend(text.filter(|text| is_sample && !text.contains('\0')).map(|t| (path, t)));
        }
    }
    found.sort();
    found
}

#[test]
fn texts_of_all_encodings_are_the_same_profile() {
    let mut known = 0;
    for (path, text) in texts() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let Ok(wanted) = read(text.as_bytes(), name) else { continue };
        known += 1;
        let little = "\u{feff}".to_owned() + &text;
        let big: Vec<u8> = little.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let small: Vec<u8> = little.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [little.into_bytes(), big, small] {
            let found = read(&bytes, name);
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(found.profile == wanted.profile, "{}", path.display());
            assert!(found.warnings.iter().eq(wanted.warnings.iter()), "{}", path.display());
        }
    }
    assert!(known > 100, "{known}");
}
