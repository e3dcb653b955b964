//! What a column is.

use std::borrow::Cow;

use crate::arguments::ReportFormat;

/// A column of a report.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// Its member of a row in JSON.
    pub(crate) key: Cow<'static, str>,
    /// The object of a row in JSON that holds it and its neighbours of the same group.
    pub(crate) group: Option<Cow<'static, str>>,
    pub(crate) title: Cow<'static, str>,
    /// Which of several columns of the title it is, such as `self`; may be empty.
    pub(crate) part: &'static str,
    pub(crate) kind: Kind,
    pub(crate) readers: Readers,
    /// Where it has no value, JSON has no member.
    pub(crate) is_left_out: bool,
    /// Characters of it in text.
    pub(crate) width: usize,
}

/// What stands in the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// Whether something is so.
    Flag,
    /// A whole number.
    Count,
    /// A value in a unit, which may have a fraction.
    Value,
    Share,
    /// A difference of values, or how much it is of what was there.
    Change,
    /// A few characters before a name.
    Mark,
    /// Who a row is of. In text the last, with the room that is left; several stand below each
    /// other.
    Name,
}

/// Who reads a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Those of text and Markdown.
    People,
    /// Those of JSON and CSV.
    Programs,
    Only(ReportFormat),
}

impl Readers {
    pub(crate) fn read(self, format: ReportFormat) -> bool {
        match self {
            Readers::People => format.is_for_people(),
            Readers::Programs => !format.is_for_people(),
            // Parquet has the columns of CSV.
            Readers::Only(one) => one == format || (one.is_rows() && format.is_rows()),
        }
    }
}

impl Column {
    /// A column for people.
    pub(crate) fn shown(title: impl Into<Cow<'static, str>>, kind: Kind) -> Column {
        Column { readers: Readers::People, ..Column::data("".into(), title, kind) }
    }

    /// A column for programs, under the same name in JSON and CSV.
    pub(crate) fn exact(key: impl Into<Cow<'static, str>>, kind: Kind) -> Column {
        let key = key.into();
        Column::data(key.clone(), key, kind)
    }

    fn data(key: Cow<'static, str>, title: impl Into<Cow<'static, str>>, kind: Kind) -> Column {
        Column {
            key,
            group: None,
            title: title.into(),
            part: "",
            kind,
            readers: Readers::Programs,
            is_left_out: false,
            width: kind.width(),
        }
    }

    pub(crate) fn titled(self, title: impl Into<Cow<'static, str>>) -> Column {
        Column { title: title.into(), ..self }
    }

    pub(crate) fn part(self, part: &'static str) -> Column {
        Column { part, ..self }
    }

    pub(crate) fn within(self, group: impl Into<Cow<'static, str>>) -> Column {
        Column { group: Some(group.into()), ..self }
    }

    pub(crate) fn only(self, format: ReportFormat) -> Column {
        Column { readers: Readers::Only(format), ..self }
    }

    pub(crate) fn left_out(self) -> Column {
        Column { is_left_out: true, ..self }
    }

    pub(crate) fn wide(self, width: usize) -> Column {
        Column { width, ..self }
    }

    /// Its title in whole.
    pub(crate) fn heading(&self) -> String {
        format!("{} {}", self.title, self.part).trim_end().to_owned()
    }

    /// Whether it names what the others tell of.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind, Kind::Name | Kind::Mark)
    }

    /// Whether numbers stand under each other.
    pub(crate) fn is_number(&self) -> bool {
        !self.is_name() && !matches!(self.kind, Kind::Text | Kind::Flag)
    }
}

impl Kind {
    fn width(self) -> usize {
        match self {
            Kind::Text | Kind::Flag => 20,
            Kind::Count | Kind::Value => 10,
            Kind::Share => 7,
            Kind::Change => 11,
            Kind::Mark => 3,
            Kind::Name => 0,
        }
    }
}
