//! [`protocol::Request::Migrations`].

use std::collections::HashMap;

use analysis::MigrationSource;
use protocol::{
    ErrorCode, MigrationLevel, MigrationSet, MigrationsColumns, MigrationsParams, MigrationsResult,
    ProtocolError, Reply,
};

use super::lanes::untimed;
use crate::ProfileDocument;
use crate::kinds::profile::events;
use crate::kinds::profile::pictures::charts::extent;
use crate::kinds::profile::trees::views::view_options;

pub(crate) fn migrations(
    document: &ProfileDocument,
    params: &MigrationsParams,
) -> Result<Reply<MigrationsResult, MigrationsColumns>, ProtocolError> {
    let profile = document.profile();
    let [origin, _] = extent(document).ok_or_else(|| untimed(document))?;
    let sets =
        params.sets.parse().map_err(|error| ProtocolError::new(ErrorCode::BadRequest, error))?;
    let (sets, notes) = events::migrations(document, &view_options(document, &params.view)?, sets)?;
    let told = |side: &crate::MigrationsOfSet| MigrationSet {
        name: side.name.clone(),
        runs: side.runs.len() as u32,
        told_by: source_to_proto(side.told_by).to_owned(),
        seen: side.seen as f64,
        count: side.moves.len() as f64,
        levels: side
            .levels()
            .into_iter()
            .map(|(shares, count)| MigrationLevel {
                shares: shares.to_owned(),
                count: count as f64,
            })
            .collect(),
    };
    let mut columns = MigrationsColumns::default();
    let mut threads = vec![];
    let count: usize = sets.iter().map(|set| set.moves.len()).sum();
    if count <= params.most as usize {
        let mut places = HashMap::new();
        for (number, one) in sets
            .iter()
            .enumerate()
            .flat_map(|(number, set)| set.moves.iter().map(move |(_, one)| (number, one)))
        {
            let place = *places.entry(one.thread).or_insert_with(|| {
                let thread = &profile.threads[one.thread.index()];
                let name = match profile.text(thread.name) {
                    "" => profile.text(thread.id),
                    name => name,
                };
                threads.push(name.to_owned());
                threads.len() as u32 - 1
            });
            let time = profile.timeline.on_axis(one.member, one.time).saturating_sub(origin);
            columns.set.push(number as u32);
            columns.thread.push(place);
            columns.time.push(time as f64);
            columns.from.push(one.from);
            columns.to.push(one.to.unwrap_or(u32::MAX));
        }
    }
    let result = MigrationsResult { sets: sets.iter().map(told).collect(), threads, notes };
    Ok(Reply { result, columns })
}

fn source_to_proto(source_to_proto: MigrationSource) -> &'static str {
    match source_to_proto {
        MigrationSource::Samples => "samples",
        MigrationSource::Events => "events",
        MigrationSource::Switches => "switches",
    }
}
