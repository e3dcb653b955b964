//! Variables by debug information, held against the linker's table of symbols as binutils reads it.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use symbols::{Binary, Files, Variables};

use crate::built::Folder;
use crate::disk::on_disk;

/// Address and bytes by the name of each object, as `nm` tells.
fn objects(program: &Path) -> HashMap<String, (u64, u64)> {
    let output = Command::new("nm").arg("-S").arg(program).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |line: &str| {
        let parts: Vec<&str> = line.split(' ').collect();
        let [address, size, kind, name] = parts[..] else { return None };
        let number = |digits| u64::from_str_radix(digits, 16).unwrap();
        // A variable of a function has a number behind its name, or the function before it.
        let name = match name.split_once('.') {
            Some((name, rest)) if rest.bytes().all(|byte| byte.is_ascii_digit()) => name,
            Some((_, name)) => name,
            None => name,
        };
        "bBdDrR".contains(kind).then(|| (name.to_owned(), (number(address), number(size))))
    };
    text.lines().filter_map(line).collect()
}

fn of(path: &Path) -> Variables {
    let files: Arc<dyn Files> = Arc::new(on_disk());
    let binary = Binary { path: path.to_str().unwrap().to_owned(), build_id: None };
    Variables::open(&files, &binary).unwrap()
}

const EXPECTED: [(&str, u64, &[u64]); 10] = [
    ("matrix", 8, &[4, 6]),
    ("rows", 8, &[3, 6]),
    ("plain", 4, &[7]),
    ("points", 32, &[5]),
    ("one", 32, &[]),
    ("scalar", 8, &[]),
    ("names", 8, &[2]),
    ("colours", 4, &[9]),
    ("declared", 4, &[11]),
    ("count.seen", 2, &[10, 2]),
];

#[test]
fn variables_are_those_of_the_linker() {
    let folder = Folder::new("variables");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/variables.c");
    let source = source.display();
    for (compiler, options) in [
        ("cc", "-gdwarf-5"),
        ("cc", "-gdwarf-4 -O1 -no-pie -fno-pie"),
        ("cc", "-gdwarf-5 -gz -fdata-sections"),
        ("cc", "-gdwarf-2 -m64 -static"),
        ("clang", "-gdwarf-5 -O0"),
    ] {
        if compiler == "clang" && Command::new("clang").arg("--version").output().is_err() {
            continue;
        }
        folder.run(&format!("{compiler} {options} '{source}' -o program"));
        let variables = of(&folder.program());
        let objects = objects(&folder.program());
        for (name, element, shape) in EXPECTED {
            let mut own = variables.all.iter().filter(|one| one.name == name);
            let one = own.next().unwrap_or_else(|| panic!("{compiler} {options}: {name}"));
            assert_eq!((one.element, &one.shape[..]), (element, shape), "{options}: {name}");
            assert_eq!(own.next(), None, "{options}: {name} is there once");
            let linked = name.split_once('.').map_or(name, |(_, name)| name);
            let bytes = element * shape.iter().product::<u64>();
            assert_eq!((one.address, bytes), objects[linked], "{options}: {name}");
        }
        assert_eq!(variables.all.len(), EXPECTED.len(), "{options}: {:?}", variables.all);
        assert_eq!((variables.unread, variables.without_size), (0, 0), "{options}");
        assert_eq!(
            variables.is_movable,
            !options.contains("-no-pie") && !options.contains("static")
        );
        let output = Command::new("nm").arg(folder.program()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let entry = text.lines().find(|line| line.ends_with(" T _start")).unwrap();
        assert_eq!(variables.entry, u64::from_str_radix(&entry[..16], 16).unwrap());
    }
    // What another file has is not made up.
    folder.run(&format!("cc -gdwarf-5 -gsplit-dwarf '{source}' -o program"));
    let variables = of(&folder.program());
    assert_eq!((variables.all.len(), variables.unread, variables.has_debug), (0, 1, true));
    folder.run("strip program");
    assert!(!of(&folder.program()).has_debug);
    // Its debug information beside it.
    folder.run(&format!(
        "cc -g '{source}' -o program; objcopy --only-keep-debug program program.debug; \
         objcopy --strip-debug --add-gnu-debuglink=program.debug program"
    ));
    assert_eq!(of(&folder.program()).all.len(), EXPECTED.len());
}
