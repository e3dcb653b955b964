//! Makes [`Table`]s: a list says once what its columns are and where their cells come from.

use std::cmp::Ordering;
use std::collections::HashSet;

use protocol::{
    ErrorCode, ProtocolError, RowName, Table, TableCells, TableColumn, TableOrder, TableReaders,
    TimePlace,
};

/// Which rows of a list you want, and in what order.
#[derive(Debug, Clone, Copy)]
pub struct ListOptions<'a> {
    /// The row of the span that the list is of: only the critical path is of one. Without it, of the longest.
    pub span: Option<u32>,
    /// Regular expression that a row must match. Empty for all rows.
    pub filter: &'a str,
    /// The key of the column to sort by. Without one, rows keep the list's own order.
    pub sort: Option<&'a str>,
    /// Whether to reverse the order.
    pub reverse: bool,
    /// Most rows.
    pub limit: usize,
    /// Who reads it: [`TableReaders::Page`], [`TableReaders::People`] or [`TableReaders::Programs`]. It gets the columns
    /// for everyone and its own. The page also gets those for people.
    pub reader: TableReaders,
}

impl ListOptions<'_> {
    /// The first rows of a list in its own order.
    pub fn first(limit: usize, reader: TableReaders) -> ListOptions<'static> {
        ListOptions { span: None, filter: "", sort: None, reverse: false, limit, reader }
    }
}

/// The columns of a list whose rows are `R`.
pub(crate) struct Columns<'a, R> {
    columns: Vec<Column<'a, R>>,
    /// What rows are sorted by at first.
    sort: Option<&'static str>,
}

/// A column, and where its cells come from.
pub(crate) struct Column<'a, R> {
    key: &'static str,
    group: Option<&'static str>,
    title: &'static str,
    help: &'static str,
    readers: TableReaders,
    order: Option<TableOrder>,
    cells: Source<'a, R>,
}

type Get<'a, R, T> = Box<dyn Fn(&R) -> T + 'a>;

enum Source<'a, R> {
    Name(Get<'a, R, RowName>),
    Text(Get<'a, R, Option<String>>),
    Count(Get<'a, R, Option<u64>>),
    Counts(Get<'a, R, [f64; 2]>),
    Instant(Get<'a, R, Option<i64>>),
    Time(Get<'a, R, Option<i64>>),
    TimeChange(Get<'a, R, Option<i64>>),
    Growth(Get<'a, R, Option<f64>>),
    Number(Get<'a, R, Option<f64>>),
    Share(Get<'a, R, Option<f64>>),
    Flag(Get<'a, R, bool>),
    Place(Get<'a, R, TimePlace>),
}

/// What a cell is worth in sorting.
#[derive(PartialEq)]
enum SortKey {
    Text(String, String),
    Whole(i128),
    Real(f64),
    None,
}

impl SortKey {
    /// Rows without a value come last, whatever the order.
    fn compare(&self, other: &SortKey, order: TableOrder) -> Ordering {
        let rising = match (self, other) {
            (SortKey::None, SortKey::None) => return Ordering::Equal,
            (SortKey::None, _) => return Ordering::Greater,
            (_, SortKey::None) => return Ordering::Less,
            (SortKey::Text(a, of_a), SortKey::Text(b, of_b)) => (a, of_a).cmp(&(b, of_b)),
            (SortKey::Whole(a), SortKey::Whole(b)) => a.cmp(b),
            (SortKey::Real(a), SortKey::Real(b)) => a.total_cmp(b),
            // A column has keys of one kind.
            _ => Ordering::Equal,
        };
        match order {
            TableOrder::Rising => rising,
            TableOrder::Falling => rising.reverse(),
        }
    }
}

impl<R> Column<'_, R> {
    pub(crate) fn help(&mut self, help: &'static str) -> &mut Self {
        self.help = help;
        self
    }

    /// Only people read it.
    pub(crate) fn for_people(&mut self) -> &mut Self {
        self.readers = TableReaders::People;
        self
    }

    /// Only programs read it. Nothing is sorted by it.
    pub(crate) fn for_programs(&mut self) -> &mut Self {
        self.readers = TableReaders::Programs;
        self.order = None;
        self
    }

    /// The largest come first.
    pub(crate) fn falling(&mut self) -> &mut Self {
        self.order = Some(TableOrder::Falling);
        self
    }

    /// You cannot sort by it.
    pub(crate) fn unsorted(&mut self) -> &mut Self {
        self.order = None;
        self
    }

    /// In JSON it is part of an object.
    pub(crate) fn within(&mut self, group: &'static str) -> &mut Self {
        self.group = Some(group);
        self
    }

    /// What you sort by: `key`, or `group.key`.
    fn sort_name(&self) -> String {
        match self.group {
            None => self.key.to_owned(),
            Some(group) => format!("{group}.{}", self.key),
        }
    }

    fn is_read(&self, reader: TableReaders) -> bool {
        match self.readers {
            TableReaders::Everyone => true,
            TableReaders::People => matches!(reader, TableReaders::People | TableReaders::Page),
            own => own == reader,
        }
    }

    fn sort_key(&self, row: &R) -> SortKey {
        let real = |value: Option<f64>| value.map_or(SortKey::None, SortKey::Real);
        let whole = |value: Option<i128>| value.map_or(SortKey::None, SortKey::Whole);
        match &self.cells {
            Source::Name(get) => {
                let name = get(row);
                SortKey::Text(name.text, name.file)
            }
            Source::Text(get) => {
                get(row).map_or(SortKey::None, |text| SortKey::Text(text, String::new()))
            }
            Source::Count(get) => whole(get(row).map(i128::from)),
            Source::Instant(get) | Source::Time(get) => whole(get(row).map(i128::from)),
            // The largest change comes first, up or down.
            Source::TimeChange(get) => whole(get(row).map(|change| i128::from(change).abs())),
            Source::Growth(get) | Source::Number(get) | Source::Share(get) => real(get(row)),
            Source::Counts(get) => {
                let [base, new] = get(row);
                SortKey::Real((new - base).abs())
            }
            Source::Flag(get) => whole(Some(get(row).into())),
            Source::Place(_) => SortKey::None,
        }
    }

    fn table_column(&self, rows: &[R]) -> TableColumn {
        fn all<R, T>(rows: &[R], get: &Get<'_, R, T>) -> Vec<T> {
            rows.iter().map(get).collect()
        }
        let cells = match &self.cells {
            Source::Name(get) => TableCells::Name(all(rows, get)),
            Source::Text(get) => TableCells::Text(all(rows, get)),
            Source::Count(get) => TableCells::Count(all(rows, get)),
            Source::Counts(get) => TableCells::Counts(all(rows, get)),
            Source::Instant(get) => TableCells::Instant(all(rows, get)),
            Source::Time(get) => TableCells::Time(all(rows, get)),
            Source::TimeChange(get) => TableCells::TimeChange(all(rows, get)),
            Source::Growth(get) => TableCells::Growth(all(rows, get)),
            Source::Number(get) => TableCells::Number(all(rows, get)),
            Source::Share(get) => TableCells::Share(all(rows, get)),
            Source::Flag(get) => TableCells::Flag(all(rows, get)),
            Source::Place(get) => TableCells::Place(all(rows, get)),
        };
        TableColumn {
            key: self.key.to_owned(),
            group: self.group.map(str::to_owned),
            title: self.title.to_owned(),
            help: self.help.to_owned(),
            readers: self.readers,
            order: self.order,
            cells,
        }
    }
}

impl<'a, R> Columns<'a, R> {
    /// No columns yet, for rows in an order of their own.
    pub(crate) fn new() -> Columns<'a, R> {
        Columns { columns: vec![], sort: None }
    }

    /// No columns yet, for rows that are already sorted by a column.
    pub(crate) fn sorted_by(key: &'static str) -> Columns<'a, R> {
        Columns { columns: vec![], sort: Some(key) }
    }

    fn add(
        &mut self,
        key: &'static str,
        title: &'static str,
        order: Option<TableOrder>,
        cells: Source<'a, R>,
    ) -> &mut Column<'a, R> {
        let readers = TableReaders::Everyone;
        let at = self.columns.len();
        let (group, help) = (None, "");
        self.columns.push(Column { key, group, title, help, readers, order, cells });
        &mut self.columns[at]
    }

    /// What rows are about, for people. Sorted by name and file.
    pub(crate) fn name(
        &mut self,
        title: &'static str,
        get: impl Fn(&R) -> RowName + 'a,
    ) -> &mut Column<'a, R> {
        let cells = Source::Name(Box::new(get));
        self.add("name", title, Some(TableOrder::Rising), cells).for_people()
    }

    /// Words, for programs.
    pub(crate) fn text(
        &mut self,
        key: &'static str,
        get: impl Fn(&R) -> String + 'a,
    ) -> &mut Column<'a, R> {
        self.maybe_text(key, move |row| Some(get(row)))
    }

    /// Words, where there are some, for programs.
    pub(crate) fn maybe_text(
        &mut self,
        key: &'static str,
        get: impl Fn(&R) -> Option<String> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, key, None, Source::Text(Box::new(get))).for_programs()
    }

    /// Words under a heading of the page; text has [`RowName::detail`]. Sorted from A to Z.
    pub(crate) fn words(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> String + 'a,
    ) -> &mut Column<'a, R> {
        let cells = Source::Text(Box::new(move |row| Some(get(row))));
        let column = self.add(key, title, Some(TableOrder::Rising), cells);
        column.readers = TableReaders::Page;
        column
    }

    /// How many.
    pub(crate) fn count(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> u64 + 'a,
    ) -> &mut Column<'a, R> {
        let cells = Source::Count(Box::new(move |row| Some(get(row))));
        self.add(key, title, Some(TableOrder::Falling), cells)
    }

    /// How many in base and new profile, for people.
    pub(crate) fn counts(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> [f64; 2] + 'a,
    ) -> &mut Column<'a, R> {
        let cells = Source::Counts(Box::new(get));
        self.add(key, title, Some(TableOrder::Falling), cells).for_people()
    }

    /// A point in time in nanoseconds. The earliest come first.
    pub(crate) fn instant(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> Option<i64> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, title, Some(TableOrder::Rising), Source::Instant(Box::new(get)))
    }

    /// A length in nanoseconds.
    pub(crate) fn time(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> Option<i64> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, title, Some(TableOrder::Falling), Source::Time(Box::new(get)))
    }

    /// A difference of lengths in nanoseconds.
    pub(crate) fn time_change(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> Option<i64> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, title, Some(TableOrder::Falling), Source::TimeChange(Box::new(get)))
    }

    /// The new value divided by the old one, for people.
    pub(crate) fn growth(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> Option<f64> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, title, None, Source::Growth(Box::new(get))).for_people()
    }

    /// A number without a unit.
    pub(crate) fn number(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> Option<f64> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, title, Some(TableOrder::Falling), Source::Number(Box::new(get)))
    }

    /// A part of a whole, for people.
    pub(crate) fn share(
        &mut self,
        key: &'static str,
        title: &'static str,
        get: impl Fn(&R) -> Option<f64> + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, title, None, Source::Share(Box::new(get))).for_people()
    }

    /// Whether something is so, for programs.
    pub(crate) fn flag(
        &mut self,
        key: &'static str,
        get: impl Fn(&R) -> bool + 'a,
    ) -> &mut Column<'a, R> {
        self.add(key, key, None, Source::Flag(Box::new(get))).for_programs()
    }

    /// Where a row leads.
    pub(crate) fn place(
        &mut self,
        title: &'static str,
        get: impl Fn(&R) -> TimePlace + 'a,
    ) -> &mut Column<'a, R> {
        let column = self.add("place", title, None, Source::Place(Box::new(get)));
        column.readers = TableReaders::Page;
        column
    }

    /// The list of `rows`, which already match the filter.
    ///
    /// # Errors
    /// If you cannot sort by the column.
    pub(crate) fn table(
        &self,
        noun: &str,
        mut rows: Vec<R>,
        options: &ListOptions<'_>,
        id: impl Fn(&R) -> String,
    ) -> Result<Table, ProtocolError> {
        match options.sort {
            None if options.reverse => rows.reverse(),
            None => {}
            Some(key) => {
                let (column, order) = self.column_to_sort_by(key)?;
                let order = if options.reverse { reversed(order) } else { order };
                let mut keyed: Vec<(SortKey, R)> =
                    rows.into_iter().map(|row| (column.sort_key(&row), row)).collect();
                // Rows that are equal keep the order of the list.
                keyed.sort_by(|(a, _), (b, _)| a.compare(b, order));
                rows = keyed.into_iter().map(|(_, row)| row).collect();
            }
        }
        let total = rows.len() as u32;
        rows.truncate(options.limit);
        let ids: Vec<String> = rows.iter().map(id).collect();
        debug_assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{ids:?}");
        let read = self.columns.iter().filter(|column| column.is_read(options.reader));
        let columns = read.map(|column| column.table_column(&rows)).collect();
        let sort = options.sort.or(self.sort).map(str::to_owned);
        Ok(Table { noun: noun.to_owned(), columns, ids, total, sort, notes: vec![] })
    }

    fn column_to_sort_by(&self, key: &str) -> Result<(&Column<'a, R>, TableOrder), ProtocolError> {
        let known = self.columns.iter().filter_map(|column| Some((column, column.order?)));
        known.clone().find(|(column, _)| column.sort_name() == key).ok_or_else(|| {
            let keys: Vec<String> = known.map(|(column, _)| column.sort_name()).collect();
            let message =
                format!("this list has no column {key} to sort by; it has {}", keys.join(", "));
            ProtocolError::new(ErrorCode::BadRequest, message)
        })
    }
}

fn reversed(order: TableOrder) -> TableOrder {
    match order {
        TableOrder::Rising => TableOrder::Falling,
        TableOrder::Falling => TableOrder::Rising,
    }
}
