//! What an event tells besides its name and time.

use crate::ReadError;
use crate::json::{Json, Kind};
use profile::{Label, LabelSetId, LabelValue, ProfileBuilder, StringId};

/// The arguments of an event that are texts, numbers or truths. It is used again for every event.
#[derive(Default)]
pub(super) struct Arguments {
    rows: Vec<Argument>,
    count: usize,
    /// Those of all events that are beyond [`MOST`].
    pub(super) left_out: u64,
}

#[derive(Default)]
struct Argument {
    key: String,
    text: String,
    is_number: bool,
    /// It may say where in the code the event is.
    is_place: bool,
}

/// More arguments of one event are left out.
const MOST: usize = 64;

impl Arguments {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Says that the last one may tell the place of the event.
    pub(super) fn last_is_place(&mut self) {
        if let Some(row) = self.rows[..self.count].last_mut() {
            row.is_place = true;
        }
    }

    fn shown(&self) -> &[Argument] {
        &self.rows[..self.count]
    }

    /// Begins another one, whose value comes next.
    pub(super) fn begin(&mut self, key: &str) {
        if self.count == self.rows.len() {
            self.rows.push(Argument::default());
        }
        let row = &mut self.rows[self.count];
        self.count += 1;
        row.key.clear();
        row.key.push_str(key);
        row.text.clear();
        row.is_number = false;
        row.is_place = false;
    }

    /// Reads the value of the one that was begun last, if it is a text, a number or a truth; else
    /// takes it back and says no.
    pub(super) fn read(&mut self, json: &mut Json) -> Result<bool, ReadError> {
        let kind = json.kind()?;
        let row = self.rows[..self.count].last_mut();
        let Some(row) = row.filter(|_| !matches!(kind, Kind::Object | Kind::Array | Kind::Null))
        else {
            self.end(false);
            return Ok(false);
        };
        if kind == Kind::Bool {
            row.text.push_str(if json.bool()? { "true" } else { "false" });
        } else {
            row.is_number = kind == Kind::Number;
            row.text.push_str(json.string_or_number_text()?);
        }
        Ok(true)
    }

    /// Takes the one that was begun last back if it is none, or there are too many.
    pub(super) fn end(&mut self, is_one: bool) {
        self.left_out += u64::from(is_one && self.count > MOST);
        if !is_one || self.count > MOST {
            self.count -= 1;
        }
    }

    /// Key and text of the last one.
    pub(super) fn last(&self) -> Option<(&str, &str)> {
        self.rows[..self.count].last().map(|row| (&*row.key, &*row.text))
    }

    /// Whether a key is among those that may tell the place.
    pub(super) fn has_place(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        self.shown().iter().any(|row| row.is_place && is_wanted(&row.key))
    }

    /// Takes out those that may tell the place and that `take` says it took.
    pub(super) fn take_places(&mut self, mut take: impl FnMut(&str, &str) -> bool) {
        let mut kept = 0;
        for row in 0..self.count {
            let Argument { key, text, is_place, .. } = &self.rows[row];
            if !*is_place || !take(key, text) {
                self.rows.swap(kept, row);
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Keys with numbers, which may be written as texts; none where they are not finite ones.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&str, Option<f64>)> {
        self.shown().iter().map(|row| {
            let value = row.text.parse::<f64>().ok().filter(|value| value.is_finite());
            (&*row.key, value)
        })
    }

    /// All of them, as labels. Numbers that are not whole stay as they are written.
    pub(super) fn labels(&self, builder: &mut ProfileBuilder) -> LabelSetId {
        let mut labels: Vec<Label> = vec![];
        for Argument { key, text, is_number, .. } in self.shown() {
            let number = text.parse::<i64>().ok().filter(|_| *is_number);
            let key = builder.strings.intern(key);
            let value = match number {
                Some(number) => LabelValue::Number(number, StringId::EMPTY),
                None => LabelValue::Text(builder.strings.intern(text)),
            };
            // Of several values of a key the last counts, as JSON's readers have it.
            match labels.iter_mut().find(|label| label.key == key) {
                Some(known) => known.value = value,
                None => labels.push(Label { key, value }),
            }
        }
        builder.labels.add(&labels)
    }
}
