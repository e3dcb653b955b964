//! Cells of notebooks. IPython's kernel names the code of a cell after its text, in a folder of the process:
//! `/tmp/ipykernel_4711/3141592653.py` (`ipykernel/compiler.py`). A cell whose text is another one than what
//! ran has another name, so that what a profile says of it is said of this very text.

use super::profiles::Profile;

/// What the kernel begins its hashes with.
const SEED: u32 = 0xc70f_6907;
const FOLDER: &str = "ipykernel_";

/// Whether a document is a cell, by its address.
pub(super) fn is_cell(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| scheme == "vscode-notebook-cell")
}

/// The file of a profile that a cell with a text is; none where several processes ran it, for the values of
/// one are not those of the cell.
pub(super) fn find(profile: &Profile, text: &str) -> Option<u32> {
    let index = profile.index().ok()?;
    let name = name_of(text);
    let mut files = index.files().iter().zip(0..);
    let mut next = || files.find(|(path, _)| cell_name(path) == Some(&name)).map(|(_, file)| file);
    let first = next()?;
    next().is_none().then_some(first)
}

/// The open cell that a file of a profile is.
pub(super) fn open_cell<'a>(
    path: &str,
    open: impl Iterator<Item = (&'a str, &'a str)>,
) -> Option<&'a str> {
    let name = cell_name(path)?;
    let mut cells = open.filter(|(uri, _)| is_cell(uri));
    cells.find(|(_, text)| name_of(text) == name).map(|(uri, _)| uri)
}

/// The name of a cell without folders, if a path is that of one.
fn cell_name(path: &str) -> Option<&str> {
    let (folders, name) = path.rsplit_once(['/', '\\'])?;
    let folder = folders.rsplit(['/', '\\']).next().unwrap_or_default();
    let process = folder.strip_prefix(FOLDER)?;
    let is_number = !process.is_empty() && process.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(name)
}

/// How the kernel calls a cell with a text. Notebooks have lines that end as on Unix, whatever the editor has.
fn name_of(text: &str) -> String {
    format!("{}.py", murmur2(text.replace("\r\n", "\n").as_bytes()))
}

/// MurmurHash2 of 32 bits (Appleby), as the kernel has it.
fn murmur2(bytes: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let mut hash = SEED ^ bytes.len() as u32;
    let (words, rest) = bytes.as_chunks::<4>();
    for &word in words {
        let mut word = u32::from_le_bytes(word).wrapping_mul(M);
        word = (word ^ (word >> 24)).wrapping_mul(M);
        hash = hash.wrapping_mul(M) ^ word;
    }
    if !rest.is_empty() {
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        hash = (hash ^ u32::from_le_bytes(last)).wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(M);
    hash ^ (hash >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_called_as_the_kernel_calls_them() {
        // By `ipykernel.compiler.get_file_name` of ipykernel 7.4.
        for (text, name) in [
            ("", "3990065800.py"),
            ("x", "32546335.py"),
            ("ab", "2805137849.py"),
            ("abc", "3350977461.py"),
            ("abcd", "804720481.py"),
            ("def f(n):\n    return sum(range(n))\n\nf(10**6)", "2477834401.py"),
            ("print('ä€😀')", "3465267251.py"),
            ("y\n", "859018229.py"),
            ("y\r\n", "859018229.py"),
        ] {
            assert_eq!(name_of(text), name, "{text:?}");
        }
        assert_eq!(cell_name("/tmp/ipykernel_12/34.py"), Some("34.py"));
        assert_eq!(cell_name(r"C:\Temp\ipykernel_12\34.py"), Some("34.py"));
        for path in ["/tmp/ipykernel_/34.py", "/tmp/ipykernel_1a/34.py", "ipykernel_1.py", ""] {
            assert_eq!(cell_name(path), None, "{path}");
        }
    }
}
