//! Recordings that are there twice.

use std::collections::HashMap;

use profile::{MetricId, Profile};

use super::notes::MergeNote;

/// The recordings of a merge, by what two of them do not share.
#[derive(Debug, Default)]
pub(super) struct Recordings {
    known: HashMap<Recording, String>,
    first: Option<[String; 2]>,
    again: usize,
    /// By name without folders and endings: whole name, format and totals.
    forms: HashMap<String, Vec<Form>>,
    first_forms: Option<[String; 2]>,
    in_two_forms: usize,
}

/// A recording as a file of some format.
#[derive(Debug)]
struct Form {
    name: String,
    format: String,
    totals: Vec<i64>,
}

impl Form {
    fn new(name: &str, input: &Profile) -> Form {
        // 1 is the total of too much.
        let totals = input.metric_ids().map(|metric| input.metric_total(metric).0);
        let totals = totals.filter(|total| *total > 1).collect();
        Form { name: name.to_owned(), format: input.origin.format.clone(), totals }
    }

    fn is_other_form_of(&self, other: &Form) -> bool {
        self.format != other.format && self.totals.iter().any(|total| other.totals.contains(total))
    }
}

/// When it was, and how much is in it.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Recording {
    time_ns: i64,
    clock_ns: i64,
    points: usize,
    contexts: usize,
    total: (i64, bool),
}

impl Recordings {
    pub(super) fn add(&mut self, name: &str, input: &Profile) {
        self.add_form(name, input);
        // Without a time nothing tells equal ones from the same.
        if input.origin.time_ns == 0 || input.points.is_empty() {
            return;
        }
        let recording = Recording {
            time_ns: input.origin.time_ns,
            clock_ns: input.origin.clock_ns,
            points: input.points.len(),
            contexts: input.contexts.len(),
            total: input.metric_total(MetricId(0)),
        };
        match self.known.get(&recording) {
            Some(before) => {
                self.again += 1;
                self.first.get_or_insert_with(|| [before.clone(), name.to_owned()]);
            }
            None => drop(self.known.insert(recording, name.to_owned())),
        }
    }

    /// Two files of one name and different formats, with a total that both have.
    fn add_form(&mut self, name: &str, input: &Profile) {
        let file = name.rsplit('/').next().unwrap_or(name);
        let stem = file.split('.').next().unwrap_or(file).to_owned();
        let form = Form::new(name, input);
        let forms = self.forms.entry(stem).or_default();
        if let Some(before) = forms.iter().find(|before| form.is_other_form_of(before)) {
            self.in_two_forms += 1;
            self.first_forms.get_or_insert_with(|| [before.name.clone(), name.to_owned()]);
        }
        forms.push(form);
    }

    pub(super) fn finish(self) -> impl Iterator<Item = MergeNote> {
        let (again, in_two_forms) = (self.again, self.in_two_forms);
        let again =
            self.first.map(|[first, second]| MergeNote::Again { first, second, count: again });
        let forms = self.first_forms.map(|[first, second]| MergeNote::TwoForms {
            first,
            second,
            count: in_two_forms,
        });
        again.into_iter().chain(forms)
    }
}
