//! `hotframe formats`.

use std::io::Write as _;

use anyhow::Result;

/// Lists the formats.
pub(crate) fn formats() -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<12} {:<5} {:<6} {:<32} title", "name", "read", "write", "file names")?;
    for format in session::FORMATS {
        let yes = |yes: bool| if yes { "yes" } else { "-" };
        let endings: Vec<_> = format.extensions.iter().map(|e| format!("*.{e}")).collect();
        writeln!(
            out,
            "{:<12} {:<5} {:<6} {:<32} {}",
            format.name,
            yes(format.reads()),
            yes(format.writes()),
            endings.join(" "),
            format.title
        )?;
    }
    writeln!(
        out,
        "\nFiles may be packed with gzip or zstd. What a file is, is told by its content."
    )?;
    Ok(())
}
