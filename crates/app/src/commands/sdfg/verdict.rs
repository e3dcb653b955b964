//! What `--fail-if` does not let pass.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Result, bail};
use session::visible;

use crate::arguments::{CostLimit, ReportFormat};
use crate::commands::diff::FAILED;

/// Whether a limit is kept, and how far a value is from it.
pub(super) struct Judged {
    pub(super) is_broken: bool,
    /// A sentence without its end.
    pub(super) told: String,
}

/// Why it cannot be said whether a limit is kept.
pub(super) struct NotKnown(pub(super) String);

impl NotKnown {
    pub(super) fn not_measured() -> NotKnown {
        NotKnown("nothing was measured: --measured gives reports of runs".to_owned())
    }
}

/// Tells after a report which limits are kept: on standard error where one is not, in Markdown
/// always, as part of the page.
///
/// # Errors
/// Of a limit it is not known whether it is kept.
pub(super) fn tell(
    limits: &[CostLimit],
    format: ReportFormat,
    judge: impl Fn(&CostLimit) -> Result<Judged, NotKnown>,
) -> Result<ExitCode> {
    if limits.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    let (mut judged, mut not_known) = (vec![], vec![]);
    for limit in limits {
        match judge(limit) {
            Ok(one) => judged.push(one),
            Err(NotKnown(why)) => {
                let sign = if limit.is_above { '>' } else { '<' };
                let name = limit.quantity.name();
                not_known.push(format!("{name} {sign} {}: {why}", limit.written));
            }
        }
    }
    let is_broken = judged.iter().any(|one| one.is_broken);
    if format == ReportFormat::Markdown && not_known.is_empty() {
        let mut out = crate::text::stdout();
        verdict(&mut out, &judged)?;
        out.flush()?;
    }
    if is_broken {
        verdict(&mut crate::text::stderr(), &judged)?;
    }
    if !not_known.is_empty() {
        bail!("cannot tell whether the limits hold: {}", not_known.join("; "));
    }
    Ok(if is_broken { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

fn verdict(out: &mut dyn Write, judged: &[Judged]) -> Result<()> {
    let broken = judged.iter().filter(|one| one.is_broken).count();
    let head = match (broken, judged.len()) {
        (0, 1) => "The limit holds:".to_owned(),
        (0, _) => "All limits hold:".to_owned(),
        (1, 1) => "The limit does not hold:".to_owned(),
        (broken, all) => format!("{broken} of {all} limits do not hold:"),
    };
    writeln!(out, "\n{head}")?;
    for one in judged.iter().filter(|one| one.is_broken || broken == 0) {
        writeln!(out, "- {}", visible(&one.told))?;
    }
    Ok(())
}
