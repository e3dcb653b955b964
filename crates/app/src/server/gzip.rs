//! Files that the binary holds as gzip, for those who take gzip and for those who do not.

use std::io::Read as _;

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_ENCODING;
use flate2::read::GzDecoder;

/// Whether who asks takes gzip.
pub(super) fn takes_gzip(asked: &HeaderMap) -> bool {
    let named = asked.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut codings = named.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        is_gzip && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// What gzip holds; `None` where it is damaged.
pub(super) fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut content = vec![];
    GzDecoder::new(packed).read_to_end(&mut content).ok()?;
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_goes_to_who_takes_it() {
        let takes = |value: &'static str| {
            takes_gzip(&HeaderMap::from_iter([(ACCEPT_ENCODING, value.parse().unwrap())]))
        };
        assert!(
            ["gzip", "gzip, deflate, br, zstd", "br;q=1.0, GZIP;q=0.5"].map(takes) == [true; 3]
        );
        assert!(["", "identity", "br", "gzip;q=0, br", "xgzip"].map(takes) == [false; 5]);
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
