//! What stands in a row.

use std::borrow::Cow;
use std::rc::Rc;

use session::{Metric, Unit};

use super::Kind;

/// One row: a cell for each column.
#[derive(Debug, Default)]
pub(crate) struct Row<'r> {
    pub(crate) cells: Vec<Cell<'r>>,
    /// How far names are moved in; 0 for the outermost.
    pub(crate) depth: u32,
    pub(crate) style: Style,
}

/// How people see a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Style {
    #[default]
    Plain,
    /// What others stand around.
    Strong,
    /// What is told beside the others.
    Faint,
    /// Nothing but room between rows.
    Gap,
}

/// One cell.
#[derive(Debug)]
pub(crate) enum Cell<'r> {
    /// No value.
    Nothing,
    /// Words of a profile, or of ours.
    Text(Cow<'r, str>),
    Count(u64),
    /// A line; 0 is unknown.
    Position(u32),
    /// In the unit of a metric; [`session::NO_VALUE`] is none.
    Value(i64, Rc<Measure>),
    /// A difference of values.
    Change(i64, Rc<Measure>),
    /// A part and the whole; of 0 there are no shares.
    Share(i64, i64),
    /// A part of a whole: 0 to 1.
    Part(f64),
    /// The ratio of new to old.
    Growth(f64),
    /// A number without a unit, for programs.
    Real(f64),
    /// The same, of any size.
    Number(serde_json::Number),
    /// Something holds; where it does not, the cell is [`Cell::Nothing`].
    Holds,
    /// Whether something holds.
    Is(bool),
    /// The names that lead to a row, outermost first.
    Path(&'r [String]),
    /// Who a row is of, for people.
    Name(Name<'r>),
    /// A row in a row, for JSON.
    Record(Record<'r>),
    /// Several.
    Records(Vec<Record<'r>>),
}

/// A row in a cell: keys and values.
pub(crate) type Record<'r> = Vec<(&'static str, Cell<'r>)>;

/// A name with what stands around it.
#[derive(Debug, Default)]
pub(crate) struct Name<'r> {
    /// A mark of ours before it, such as an arrow.
    pub(crate) lead: Cow<'r, str>,
    pub(crate) text: Cow<'r, str>,
    /// Where it is; gives way to the name.
    pub(crate) at: Cow<'r, str>,
    /// Said after it in whole.
    pub(crate) remark: Cow<'r, str>,
    pub(crate) is_strong: bool,
}

/// How values of a metric read.
#[derive(Debug)]
pub(crate) struct Measure {
    pub(crate) unit: Unit,
    pub(crate) decimals: u8,
}

impl Measure {
    pub(crate) fn new(metric: &Metric) -> Rc<Measure> {
        let unit = Unit::new(&metric.unit, metric.decimals);
        Rc::new(Measure { unit, decimals: metric.decimals })
    }

    /// What columns of exact values are.
    pub(crate) fn kind(&self) -> Kind {
        if self.decimals == 0 { Kind::Count } else { Kind::Value }
    }
}

impl<'r> Cell<'r> {
    pub(crate) fn text(text: impl Into<Cow<'r, str>>) -> Cell<'r> {
        Cell::Text(text.into())
    }

    pub(crate) fn value(value: i64, measure: &Rc<Measure>) -> Cell<'r> {
        Cell::Value(value, Rc::clone(measure))
    }

    pub(crate) fn change(value: i64, measure: &Rc<Measure>) -> Cell<'r> {
        Cell::Change(value, Rc::clone(measure))
    }

    pub(crate) fn holds(holds: bool) -> Cell<'r> {
        if holds { Cell::Holds } else { Cell::Nothing }
    }

    /// What is there if something is.
    pub(crate) fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell<'r>) -> Cell<'r> {
        value.map_or(Cell::Nothing, cell)
    }

    /// The cell as people read it; names have their own way.
    pub(crate) fn shown(&self) -> String {
        match self {
            Cell::Nothing | Cell::Position(0) => String::new(),
            Cell::Name(_) | Cell::Record(_) | Cell::Records(_) => String::new(),
            Cell::Text(text) => text.clone().into_owned(),
            Cell::Count(count) => session::count_text(*count),
            Cell::Position(line) => line.to_string(),
            Cell::Value(value, measure) => measure.unit.text(*value),
            Cell::Change(0, _) => "0".to_owned(),
            Cell::Change(value, measure) => measure.unit.change_text(*value),
            Cell::Share(part, whole) => crate::text::share(*part, *whole),
            Cell::Part(share) => session::share_text(*share),
            Cell::Growth(ratio) => format!("{:+.1} %", (ratio - 1.0) * 100.0),
            Cell::Real(number) => number.to_string(),
            Cell::Number(number) => shown_number(number),
            Cell::Holds | Cell::Is(true) => "yes".to_owned(),
            Cell::Is(false) => "no".to_owned(),
            Cell::Path(names) => names.join(";"),
        }
    }
}

/// A number without a unit, to six digits where it is not a whole one.
fn shown_number(number: &serde_json::Number) -> String {
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => session::count_text(whole),
        (None, Some(real)) if number.is_f64() => session::quantity_text(real, ""),
        (None, _) => number.to_string(),
    }
}

impl<'r> From<Name<'r>> for Cell<'r> {
    fn from(name: Name<'r>) -> Cell<'r> {
        Cell::Name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure() -> Rc<Measure> {
        Rc::new(Measure { unit: Unit::new("bytes", 0), decimals: 0 })
    }

    #[test]
    fn values_read_in_their_units() {
        let of = measure();
        assert_eq!(Cell::value(2048, &of).shown(), "2 KiB");
        assert_eq!(Cell::value(session::NO_VALUE, &of).shown(), "–");
        let changes = [2048, 0, -2048].map(|change| Cell::change(change, &of).shown());
        assert_eq!(changes, ["+2 KiB", "0", "-2 KiB"]);
        assert_eq!(Cell::Count(1_234_567).shown(), "1,234,567");
    }

    #[test]
    fn parts_read_in_per_cent() {
        assert_eq!(Cell::Share(1, 8).shown(), "12.5 %");
        assert_eq!(Cell::Share(1, 0).shown(), "");
        assert_eq!(Cell::Growth(1.25).shown(), "+25.0 %");
        assert_eq!(Cell::Growth(0.5).shown(), "-50.0 %");
    }
}
