//! What an event tells besides its name and time.

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
pub(super) struct Argument {
    key: String,
    pub(super) text: String,
    pub(super) is_number: bool,
}

/// More arguments of one event are left out.
const MOST: usize = 64;

impl Arguments {
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Begins another one, whose text is empty as yet.
    pub(super) fn begin(&mut self, key: &str) -> &mut Argument {
        if self.count == self.rows.len() {
            self.rows.push(Argument::default());
        }
        let row = &mut self.rows[self.count];
        self.count += 1;
        row.key.clear();
        row.key.push_str(key);
        row.text.clear();
        row.is_number = false;
        row
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

    /// Whether a key is among them.
    pub(super) fn has(&self, is_wanted: impl Fn(&str) -> bool) -> bool {
        self.rows[..self.count].iter().any(|row| is_wanted(&row.key))
    }

    /// Takes out those that `take` says it took.
    pub(super) fn take(&mut self, mut take: impl FnMut(&str, &str) -> bool) {
        let mut kept = 0;
        for row in 0..self.count {
            if !take(&self.rows[row].key, &self.rows[row].text) {
                self.rows.swap(kept, row);
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// Keys with numbers, which are none where they are not finite.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&str, Option<f64>)> {
        let numbers = self.rows[..self.count].iter().filter(|row| row.is_number);
        numbers.map(|row| {
            let value = row.text.parse::<f64>().ok().filter(|value| value.is_finite());
            (&*row.key, value)
        })
    }

    /// All of them, as labels. Numbers that are not whole stay as they are written.
    pub(super) fn labels(&self, builder: &mut ProfileBuilder) -> LabelSetId {
        let mut labels: Vec<Label> = vec![];
        for Argument { key, text, is_number } in &self.rows[..self.count] {
            let number = text.parse::<i64>().ok().filter(|_| *is_number);
            let key = builder.strings.intern(key);
            let value = match number {
                Some(number) => LabelValue::Number(number, StringId::EMPTY),
                None => LabelValue::Text(builder.strings.intern(text)),
            };
            labels.push(Label { key, value });
        }
        builder.labels.add(&labels)
    }
}
