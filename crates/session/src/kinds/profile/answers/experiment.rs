//! Answers about experiments.

use analysis::FrameKey;
use analysis::experiment::{CellMean, Contrast, Estimate, Pairs, RunQuantity, Runs};
use profile::{FactValue, MemberId, Profile};
use protocol::*;

use crate::kinds::profile::experiment::{
    Matrix, Measured, Quantity, differences, factor_effects, history, matrix, ratio_interval,
    ratio_text, runs_of_experiment, troubled_runs, zero_note,
};
use crate::kinds::profile::trees::views::view_options;
use crate::units::quantity_text;
use crate::{BELIEVED, ProfileDocument, ViewOptions};

/// Most runs, and most functions, in an answer.
const MOST: usize = 10_000;

pub(crate) fn experiment(
    document: &ProfileDocument,
    params: &ExperimentParams,
) -> Result<Reply<ExperimentResult>, ProtocolError> {
    let runs = &*runs_of_experiment(document)?;
    let profile = document.profile();
    let troubles = troubled_runs(document);
    let trouble: std::collections::HashMap<_, _> =
        troubles.iter().map(|one| (one.member, one.why.as_str())).collect();
    let told = |run: &analysis::experiment::Run| {
        let member = &profile.members[run.member.index()];
        let fact = |fact: &profile::Fact| {
            let text = match fact.value {
                FactValue::Text(text) => profile.text(text).to_owned(),
                FactValue::Number(number, unit) => match profile.text(unit) {
                    "" => number.to_string(),
                    unit => quantity_text(number as f64, unit),
                },
            };
            [profile.text(fact.name).to_owned(), text]
        };
        ExperimentRun {
            name: member.name.clone(),
            cell: run.cell as u32,
            trouble: trouble.get(&run.member).copied().unwrap_or_default().to_owned(),
            facts: member.facts.iter().map(fact).collect(),
        }
    };
    let cell = |(number, cell): (usize, &analysis::experiment::Cell)| ExperimentCell {
        title: runs.title(number),
        levels: cell.levels.iter().map(|level| level.map(|level| level as u32)).collect(),
        runs: cell.runs.len() as u32,
        left_out: cell.left_out as u32,
        pattern: pattern(profile, cell.runs.iter().map(|&row| runs.runs[row].member)),
    };
    let (first, count) = (params.first as usize, (params.count as usize).min(MOST));
    let result = ExperimentResult {
        factors: (runs.factors.iter())
            .map(|one| ExperimentFactor { name: one.name.clone(), levels: one.levels.clone() })
            .collect(),
        cells: runs.cells.iter().enumerate().map(cell).collect(),
        measures: runs.measures(profile).into_iter().map(|(name, _)| name).collect(),
        total_runs: runs.runs.len() as u32,
        runs: runs.runs.iter().skip(first).take(count).map(told).collect(),
    };
    Ok(result.into())
}

/// A label filter that keeps some members.
fn pattern(profile: &Profile, members: impl Iterator<Item = MemberId>) -> String {
    let name = |member: MemberId| {
        analysis::Pattern::escape(&profile.members[member.index()].name).replace(',', "\\x2c")
    };
    let names: Vec<String> = members.map(name).collect();
    format!("member=(?-i)^({})$", names.join("|"))
}

pub(crate) fn experiment_matrix(
    document: &ProfileDocument,
    params: &ExperimentQuantityParams,
) -> Result<Reply<ExperimentMatrixResult>, ProtocolError> {
    let options = options_of(document, &params.view)?;
    let quantity = quantity_of(&params.quantity);
    let matrix: Matrix = matrix(document, &options, &quantity)?;
    let mut notes = vec![matrix.noise_sentence()];
    if !matrix.measured.is_filtered && !options.filters.is_empty() {
        let title = &matrix.measured.title;
        notes.push(format!("{title} is measured for whole runs: filters do not apply to it"));
    }
    notes.extend(zero_note(document, &quantity, &matrix.measured));
    let values = matrix.cells.iter().filter_map(|cell| Some(cell.mean?.mean.value));
    let best = values.min_by(f64::total_cmp).filter(|&best| best > 0.0);
    let cells = matrix.cells.iter().map(|cell| {
        let to_best = cell.mean.zip(best).map(|(mean, best)| mean.mean.value / best);
        ExperimentValue {
            mean: cell.mean.map(|mean| mean_of(&matrix.measured, &mean)),
            runs: cell.mean.map_or(0, |mean| mean.runs as u32),
            to_best,
            to_best_text: match to_best {
                Some(1.0) => "the least".to_owned(),
                Some(ratio) => ratio_text(ratio),
                None => String::new(),
            },
        }
    });
    let result = ExperimentMatrixResult {
        cells: cells.collect(),
        caption: matrix.caption(),
        title: matrix.measured.title,
        unit: matrix.measured.metric.unit,
        notes,
    };
    Ok(result.into())
}

pub(crate) fn experiment_effects(
    document: &ProfileDocument,
    params: &ExperimentQuantityParams,
) -> Result<Reply<ExperimentEffectsResult>, ProtocolError> {
    let options = options_of(document, &params.view)?;
    let told = factor_effects(document, &options, &quantity_of(&params.quantity))?;
    let runs = &*runs_of_experiment(document)?;
    let level = |factor: usize, level: usize| {
        let factor = &runs.factors[factor];
        format!("{}={}", factor.name, factor.levels[level])
    };
    let single = told.single.iter().map(|one| ExperimentEffect {
        title: format!(
            "{} against {}",
            level(one.factor, one.level),
            runs.factors[one.factor].levels[0]
        ),
        levels: vec![[one.factor as u32, one.level as u32]],
        ratio: one.contrast.ratio.map(|ratio| ratio_of(&ratio, one.contrast.is_known)),
        q: one.q,
        believed: one.q <= BELIEVED,
    });
    let together = told.together.iter().take(MOST).map(|one| ExperimentEffect {
        title: format!(
            "{} with {}",
            level(one.factors[0], one.levels[0]),
            level(one.factors[1], one.levels[1])
        ),
        levels: [0, 1].map(|at| [one.factors[at] as u32, one.levels[at] as u32]).to_vec(),
        ratio: Some(ratio_of(&one.ratio, one.p < 1.0)),
        q: one.q,
        believed: one.q <= BELIEVED,
    });
    let (single, together) = (single.collect(), together.collect());
    Ok(ExperimentEffectsResult { title: told.measured.title, single, together }.into())
}

pub(crate) fn experiment_differences(
    document: &ProfileDocument,
    params: &ExperimentDifferencesParams,
) -> Result<Reply<ExperimentDifferencesResult>, ProtocolError> {
    let options = options_of(document, &params.view)?;
    let runs = &*runs_of_experiment(document)?;
    let pairs = Pairs::between(runs, &cells(runs, &params.base)?, &cells(runs, &params.new)?);
    let which = if params.total { RunQuantity::Total } else { RunQuantity::Own };
    let quantity = quantity_of(&params.quantity);
    let told = differences(document, &options, &quantity, pairs, which)?;
    let zero_note = zero_note(document, &quantity, &told.whole);
    let count = (params.count as usize).min(MOST);
    let of = &told.of_functions;
    let rows = told.both.iter().take(count).map(|row| ExperimentDifference {
        key: row.key.0,
        label: row.row.label.clone(),
        base: of.text(row.contrast.base),
        new: of.text(row.contrast.new),
        means: [row.contrast.base, row.contrast.new].map(|mean| of.in_unit(mean)),
        difference: change_of(of, &row.contrast),
        ratio: row.contrast.ratio.map(|ratio| ratio_of(&ratio, row.contrast.is_known)),
        q: row.q,
        believed: row.is_believed(),
    });
    let only = told.only.iter().take(count).map(|row| ExperimentOnly {
        key: row.key.0,
        label: row.row.label.clone(),
        is_new: row.is_new,
        mean: of.text(row.mean),
        mean_value: of.in_unit(row.mean),
        runs: row.runs.0 as u32,
        of_runs: row.runs.1 as u32,
    });
    let whole = match &told.contrast {
        None => "not measured on both sides".to_owned(),
        Some(whole) => {
            let sides = [whole.base, whole.new].map(|side| told.whole.text(side)).join(" → ");
            let by = match whole.ratio {
                Some(ratio) => ratio_of(&ratio, whole.is_known),
                None => change_of(&told.whole, whole),
            };
            format!("{sides}, {} ({})", by.text, by.interval)
        }
    };
    let result = ExperimentDifferencesResult {
        whole,
        of_functions: of.title.clone(),
        unit: of.metric.unit.clone(),
        ratio_note: told.ratio_note().unwrap_or_default().to_owned(),
        rows: rows.collect(),
        total_rows: told.both.len() as u32,
        only: only.collect(),
        total_only: told.only.len() as u32,
        notes: told.notes.into_iter().chain(zero_note).collect(),
        title: told.whole.title,
    };
    Ok(result.into())
}

pub(crate) fn experiment_history(
    document: &ProfileDocument,
    params: &ExperimentHistoryParams,
) -> Result<Reply<ExperimentHistoryResult>, ProtocolError> {
    let options = options_of(document, &params.view)?;
    let runs = &*runs_of_experiment(document)?;
    let quantity = quantity_of(&params.quantity);
    let told = history(document, &options, &quantity, params.factor.as_deref())?;
    let measured = &told.measured;
    let lines = told.lines.iter().map(|line| ExperimentLine {
        title: line.title.clone(),
        steps: (line.steps.iter())
            .map(|step| ExperimentStep {
                level: step.level.clone(),
                cell: step.cell as u32,
                mean: step.mean.map(|mean| mean_of(measured, &mean)),
                commit: step.commit.clone(),
                subject: step.subject.clone(),
            })
            .collect(),
        changes: (line.changes.iter())
            .map(|change| {
                let measured_before = line.steps[..change.step].iter();
                let before = measured_before.clone().rposition(|step| step.mean.is_some());
                let before = before.unwrap_or(change.step);
                let sentence = format!(
                    "{} → {}: from {} to {}, 95 % interval of the difference {} to {}, p {}",
                    line.steps[before].level,
                    line.steps[change.step].level,
                    measured.text(change.before),
                    measured.text(change.after),
                    measured.change_text(change.low),
                    measured.change_text(change.high),
                    if change.p < 0.001 { "<0.001".to_owned() } else { format!("{:.3}", change.p) }
                );
                ExperimentChange { step: change.step as u32, before: before as u32, sentence }
            })
            .collect(),
    });
    let lines = lines.collect();
    let factor = runs.factors[told.factor].name.clone();
    let (caption, unit) = (told.caption(runs), measured.metric.unit.clone());
    Ok(ExperimentHistoryResult { caption, unit, factor, lines }.into())
}

/// The options of a view; those of a profile without metrics have nothing to choose.
fn options_of(document: &ProfileDocument, view: &ViewSpec) -> Result<ViewOptions, ProtocolError> {
    if document.profile().metrics.is_empty() {
        return Ok(ViewOptions::default());
    }
    view_options(document, view)
}

fn quantity_of(asked: &ExperimentQuantity) -> Quantity {
    match asked {
        ExperimentQuantity::Measure { name } => Quantity::Measure(name.clone()),
        ExperimentQuantity::Metric {} => Quantity::Metric,
        ExperimentQuantity::Function { key, total } => {
            let which = if *total { RunQuantity::Total } else { RunQuantity::Own };
            Quantity::Function(FrameKey(*key), which)
        }
    }
}

/// Cells by their numbers.
fn cells(runs: &Runs, asked: &[u32]) -> Result<Vec<usize>, ProtocolError> {
    let found = asked.iter().map(|&cell| cell as usize);
    match found.clone().find(|&cell| cell >= runs.cells.len()) {
        Some(cell) => {
            let message = format!("there are {} cells, not number {cell}", runs.cells.len());
            Err(ProtocolError::new(ErrorCode::BadRequest, message))
        }
        None => Ok(found.collect()),
    }
}

fn mean_of(measured: &Measured, of: &CellMean) -> ExperimentEstimate {
    let mean = measured.shown(of.mean);
    let interval = if of.is_known {
        format!("{} to {}", measured.text(mean.low), measured.text(mean.high))
    } else {
        "one run: no interval".to_owned()
    };
    let text = measured.text(mean.value);
    estimate(&mean, of.is_known, |value| measured.in_unit(value), text, interval)
}

fn change_of(measured: &Measured, of: &Contrast) -> ExperimentEstimate {
    let ends = [of.difference.low, of.difference.high].map(|end| measured.change_text(end));
    let interval = if of.is_known { ends.join(" to ") } else { "no interval".to_owned() };
    let text = measured.change_text(of.difference.value);
    estimate(&of.difference, of.is_known, |value| measured.in_unit(value), text, interval)
}

fn ratio_of(of: &Estimate, is_known: bool) -> ExperimentEstimate {
    let interval = if is_known { ratio_interval(of) } else { "no interval".to_owned() };
    estimate(of, is_known, |value| value, ratio_text(of.value), interval)
}

fn estimate(
    of: &Estimate,
    is_known: bool,
    unit: impl Fn(f64) -> f64,
    text: String,
    interval: String,
) -> ExperimentEstimate {
    ExperimentEstimate {
        value: unit(of.value),
        low: is_known.then(|| unit(of.low)),
        high: is_known.then(|| unit(of.high)),
        text,
        interval,
    }
}
