//! `hotframe licenses`.

use std::io::Write as _;

use anyhow::{Context as _, Result};
use flate2::read::GzDecoder;

use crate::embedded;

/// Prints what others wrote in this program, and under which terms.
pub(crate) fn licenses() -> Result<()> {
    let packed = embedded::parts().file("notices.txt.gz").context(
        "this Hotframe was compiled without notices of its packages: `cargo xtask demo` and \
         `cargo xtask dist` put them in",
    )?;
    let mut out = crate::text::stdout();
    std::io::copy(&mut GzDecoder::new(&*packed), &mut out)?;
    Ok(out.flush()?)
}
