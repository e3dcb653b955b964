//! A program of ours, built with its debug information in every place that compilers have for it.
//! Whatever the place, the answers are those that binutils gives for the plain one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use symbols::{Binary, Files, Missing, Names};

use crate::addr2line::{
    Printed, addr2line, check_against, code_addresses, counted, names_of, ours,
};
use crate::disk::{Disk, on_disk};

/// A folder for one test, gone with it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    #[track_caller]
    pub(crate) fn run(&self, line: &str) {
        let output = Command::new("sh").args(["-ec", line]).current_dir(&self.0).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// Builds `program`; the paths in it are the same for every set of options.
    #[track_caller]
    pub(crate) fn build(&self, options: &str) {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let programs = programs.display();
        self.run(&format!(
            "c++ -c -O2 -g {options} '{programs}/shapes.cpp' -o shapes.o; \
             cc -c -O2 -g {options} '{programs}/step.c' -o step.o; \
             c++ {options} shapes.o step.o -o program"
        ));
    }

    pub(crate) fn program(&self) -> PathBuf {
        self.0.join("program")
    }

    fn path(&self) -> String {
        self.program().to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Our answers for the plain program, which binutils agrees with.
#[track_caller]
fn plain(folder: &Folder, options: &str) -> (Vec<u64>, Vec<Vec<Printed>>) {
    folder.build(options);
    let addresses = code_addresses(&folder.program(), 1);
    let mut names = names_of(on_disk(), &folder.path());
    let answers = ours(&mut names, &addresses);
    check_against(&addr2line(&folder.program(), &addresses), &answers);
    assert_eq!(names.sources().damaged, 0);
    (addresses, answers)
}

/// Our answers for what stands in the folder now.
#[track_caller]
fn check_same(files: Disk, folder: &Folder, (addresses, answers): &(Vec<u64>, Vec<Vec<Printed>>)) {
    let mut names = names_of(files, &folder.path());
    let found = ours(&mut names, addresses);
    for ((address, ours), expected) in addresses.iter().zip(&found).zip(answers) {
        assert_eq!(ours, expected, "{address:#x} {:?}", names.sources());
    }
    assert_eq!((names.sources().damaged, names.sources().missing_splits), (0, 0));
}

#[test]
fn every_version_of_dwarf_says_what_binutils_reads() {
    for options in ["-gdwarf-5", "-gdwarf-4", "-gdwarf-3 -gstrict-dwarf"] {
        let folder = Folder::new(&format!("version{}", options.replace([' ', '-'], "_")));
        plain(&folder, options);
    }
    // Binutils misreads sections of 64 bits.
    let folder = Folder::new("version_5_wide");
    let expected = plain(&folder, "-gdwarf-5");
    folder.build("-gdwarf-5 -gdwarf64");
    check_same(on_disk(), &folder, &expected);
}

#[test]
fn programs_at_fixed_addresses_and_static_ones_are_as_binutils_says() {
    for options in ["-no-pie -fno-pie", "-static"] {
        let folder = Folder::new(&format!("fixed{}", options.replace([' ', '-'], "_")));
        folder.build(options);
        let addresses = code_addresses(&folder.program(), 31);
        let mut names = names_of(on_disk(), &folder.path());
        let answers = ours(&mut names, &addresses);
        let oracle = addr2line(&folder.program(), &addresses);
        for (ours, theirs) in answers.iter().zip(&oracle) {
            let lines = |frames: &[Printed]| -> Vec<u32> {
                frames.iter().map(|frame| frame.line).collect()
            };
            assert_eq!(lines(ours), lines(theirs), "{ours:?}\n{theirs:?}");
        }
    }
}

#[test]
fn packed_sections_are_unpacked() {
    let folder = Folder::new("packed");
    let expected = plain(&folder, "-gdwarf-5");
    for how in ["zlib", "zlib-gnu"] {
        folder.run(&format!("objcopy --compress-debug-sections={how} program packed"));
        folder.run("mv packed program");
        check_same(on_disk(), &folder, &expected);
        folder.run("objcopy --decompress-debug-sections program");
    }
}

#[test]
fn units_in_files_of_their_own_and_in_a_package() {
    for version in [5, 4] {
        let folder = Folder::new(&format!("split{version}"));
        let expected = plain(&folder, &format!("-gdwarf-{version}"));
        folder.build(&format!("-gdwarf-{version} -gsplit-dwarf"));
        check_same(on_disk(), &folder, &expected);
        // Binutils cannot pack version 5.
        if version == 4 {
            folder.run("dwp -e program -o program.dwp; mkdir apart; mv *.dwo apart");
            check_same(on_disk(), &folder, &expected);
            folder.run("rm program.dwp; mv apart/*.dwo .");
        }
        folder.run("rm *.dwo");
        let mut names = names_of(on_disk(), &folder.path());
        let answers = ours(&mut names, &expected.0);
        let (with_line, inlined) = counted(&answers);
        // Lines and symbols are in the program itself; what was inlined is not, and that is told.
        assert!(with_line > 0 && inlined == 0);
        assert_eq!(names.sources().missing_splits, 2);
    }
}

#[test]
fn separate_debug_information_is_found_by_its_link_and_its_build_id() {
    let folder = Folder::new("separate");
    let expected = plain(&folder, "-gdwarf-5 -Wl,--build-id");
    folder.run("cp program full; objcopy --only-keep-debug program program.debug");
    folder.run("strip -o stripped program");
    folder.run("objcopy --add-gnu-debuglink=program.debug stripped program");
    check_same(on_disk(), &folder, &expected);

    folder.run("mkdir .debug; mv program.debug .debug/");
    check_same(on_disk(), &folder, &expected);

    // A file of the name whose checksum is another is of another program.
    folder.run("echo >> .debug/program.debug");
    let mut names = names_of(on_disk(), &folder.path());
    assert_eq!(names.sources().inlines, None);
    assert!(names.sources().exported_only);
    assert!(ours(&mut names, &expected.0).iter().all(|frames| frames[0].line == 0));

    let id = build_id(&folder.program());
    let hexadecimal: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let (first, rest) = hexadecimal.split_at(2);
    folder.run(&format!(
        "rm -r .debug; cp stripped program; mkdir -p roots/.build-id/{first}; \
         objcopy --only-keep-debug full roots/.build-id/{first}/{rest}.debug"
    ));
    let root = folder.0.join("roots").to_str().unwrap().to_owned();
    let disk = || Disk { debug_folders: vec![root.clone()], ..on_disk() };
    check_same(disk(), &folder, &expected);

    // The binary itself may be gone too, and be in a cache.
    folder.run(&format!(
        "mkdir roots/.build-id/{first}/{rest}; mv program roots/.build-id/{first}/{rest}/elf"
    ));
    let files: std::sync::Arc<dyn Files> = std::sync::Arc::new(disk());
    let recorded = Binary { path: folder.path(), build_id: Some(id.clone()) };
    let mut names = Names::open(&files, &recorded).unwrap();
    assert_eq!(ours(&mut names, &expected.0), expected.1);

    // A recording that pads ids to 20 bytes means the same.
    let missing =
        Names::open(&files, &Binary { path: folder.path(), build_id: None }).err().unwrap();
    assert_eq!(missing, Missing::File { path: folder.path() });
}

#[test]
fn another_build_is_refused_with_both_ids() {
    let folder = Folder::new("another");
    folder.build("-gdwarf-5 -Wl,--build-id");
    let found = build_id(&folder.program());
    let files: std::sync::Arc<dyn Files> = std::sync::Arc::new(on_disk());
    let open = |id: &[u8]| {
        Names::open(&files, &Binary { path: folder.path(), build_id: Some(id.to_vec()) })
    };
    assert!(open(&found).is_ok());
    assert!(open(&[0; 20]).is_ok());
    let recorded = vec![7; 20];
    let refused = open(&recorded).err().unwrap();
    assert!(refused.to_string().contains("another build: the recording is of 0707"), "{refused}");
    assert_eq!(refused, Missing::AnotherBuild { path: folder.path(), recorded, found });
}

fn build_id(binary: &Path) -> Vec<u8> {
    let output = Command::new("readelf").arg("-n").arg(binary).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let id = text.lines().find_map(|line| line.trim().strip_prefix("Build ID: ")).unwrap();
    let digits = (0..id.len()).step_by(2);
    digits.map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap()).collect()
}

/// The functions of a file of `tests/programs` in a program, with the lines on which they are declared.
fn declared(names: &mut Names, addresses: &[u64], file: &str) -> BTreeSet<(String, u32)> {
    let mut found = BTreeSet::new();
    let mut frames = vec![];
    for &address in addresses {
        frames.clear();
        names.at_address(address, &mut frames);
        for frame in &frames {
            let is_here = frame.file.as_deref().is_some_and(|path| path.ends_with(file));
            if let Some(name) = frame.name.as_deref().filter(|_| is_here) {
                found.insert((name.to_owned(), frame.start_line));
            }
        }
    }
    found
}

/// The line of a program that holds a text, from 1.
fn line_with(program: &str, text: &str) -> u32 {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(program);
    let source = std::fs::read_to_string(path).unwrap();
    let found = (1..).zip(source.lines()).find(|(_, line)| line.contains(text));
    found.unwrap_or_else(|| panic!("{program} has no {text}")).0
}

#[test]
fn functions_start_where_the_source_has_their_names() {
    // As the linker calls them, where they have such a name.
    let heads = [
        ("main", "int main("),
        ("_ZNK6shapes6Square4areaEv", "unsigned area("),
        ("_ZN6shapes5totalINS_6SquareEEEjRKSt6vectorIT_SaIS3_EE", "unsigned total("),
        ("inner", "unsigned inner("),
        ("middle", "unsigned middle("),
        ("_Z5outerj", "unsigned outer("),
        ("_ZL6sortedRSt6vectorIjSaIjEE", "void sorted("),
    ];
    for options in ["-gdwarf-5", "-gdwarf-4", "-gdwarf-3 -gstrict-dwarf", "-gdwarf-5 -gsplit-dwarf"]
    {
        let folder = Folder::new(&format!("heads{}", options.replace([' ', '-'], "_")));
        folder.build(options);
        let mut names = names_of(on_disk(), &folder.path());
        let addresses = code_addresses(&folder.program(), 1);
        let found = declared(&mut names, &addresses, "shapes.cpp");
        for (name, head) in heads {
            let function = (name.to_owned(), line_with("shapes.cpp", head));
            assert!(found.contains(&function), "{options}: {function:?} in {found:?}");
        }
        // What the library declares has no start in this file.
        let starts: BTreeSet<u32> = found.iter().map(|one| one.1).collect();
        assert_eq!(starts.len(), heads.len() + 1, "{options}: {found:?}");
        let step = declared(&mut names, &addresses, "step.c");
        for name in ["step", "twice", "thrice"] {
            let function = (name.to_owned(), line_with("step.c", &format!("unsigned {name}(")));
            assert!(step.contains(&function), "{options}: {function:?} in {step:?}");
        }
    }
}

#[test]
fn attributes_and_macros_are_no_heads() {
    let folder = Folder::new("heads_of_rust");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let source = programs.join("heads.rs");
    folder.run(&format!("rustc --edition 2024 -g -O '{}' -o program", source.display()));
    let mut names = names_of(on_disk(), &folder.path());
    let addresses = code_addresses(&folder.program(), 1);
    let found = declared(&mut names, &addresses, "heads.rs");
    for (name, head) in [
        ("in_macro", "pub fn in_macro("),
        ("generic", "pub fn generic<"),
        ("closure", "|y: u64|"),
        // Its name is told where the macro is used, its head where the macro is.
        ("4made", "pub fn $name("),
    ] {
        let of_it: Vec<_> = found.iter().filter(|(linker, _)| linker.contains(name)).collect();
        let line = line_with("heads.rs", head);
        assert!(of_it.iter().any(|one| one.1 == line), "{name}: {line} in {found:?}");
    }
}
