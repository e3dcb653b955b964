//! What this program begins itself for.

use std::process::ExitCode;

use super::living;

/// What this program begins itself for, with a first word that no user writes: isolated programs, and
/// recorders of one run.
pub(crate) fn begun_by_itself() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let word = words.next()?;
    if word == living::ISOLATED {
        return Some(isolation::launch(words));
    }
    let serve = || {
        crate::access::from_environment()?;
        let stop = living::Stop::on_signals()?;
        Ok::<(), anyhow::Error>(experiment::Task::serve(living::read, || stop.is_requested())?)
    };
    (word == living::RECORDS).then(|| serve().map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}
