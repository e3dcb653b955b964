//! Archives that the binary carries inside, as tar and xz: what is large. `cargo build` alone leaves them out.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::XzReader;
use tar::Archive;

use crate::embedded;

/// The files of an archive, in the order of `names`; `None` where the binary was compiled without one of them.
pub(crate) fn files<const COUNT: usize>(
    archive: &str,
    names: [&str; COUNT],
) -> Option<[Vec<u8>; COUNT]> {
    let packed = embedded::archives().file(&format!("{archive}.tar.xz"))?;
    let mut tar = Archive::new(XzReader::new(&*packed, false));
    let mut found = names.map(|_| None);
    for entry in tar.entries().ok()? {
        let mut entry = entry.ok()?;
        let path = entry.path_bytes().into_owned();
        let Some(at) = names.iter().position(|name| name.as_bytes() == path) else { continue };
        let mut bytes = Vec::with_capacity(entry.size().try_into().ok()?);
        entry.read_to_end(&mut bytes).ok()?;
        found[at] = Some(bytes);
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    let whole: Vec<Vec<u8>> = found.into_iter().collect::<Option<_>>()?;
    whole.try_into().ok()
}

/// Bytes as browsers unpack them.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(vec![], Compression::default());
    match out.write_all(bytes).and_then(|()| out.finish()) {
        Ok(packed) => packed,
        Err(error) => unreachable!("memory takes all bytes: {error}"),
    }
}
