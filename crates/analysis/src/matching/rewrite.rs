//! A base with the names of a new profile.

use profile::{FrameId, Profile, StringId, StringsBuilder};

use super::functions::Function;

/// `base` with each function of `pairs` as `new` has it: name, linker's name, file, first line; its
/// lines move along with the first. None without pairs.
pub(super) fn rewritten<'a>(
    base: &Profile,
    new: &Profile,
    pairs: impl Iterator<Item = (&'a Function<'a>, &'a Function<'a>)>,
) -> Option<Profile> {
    let mut pairs = pairs.peekable();
    pairs.peek()?;
    let mut strings = StringsBuilder::from(base.strings.clone());
    let mut functions = base.functions.clone();
    let mut moved = vec![0i64; functions.len()];
    for (from, to) in pairs {
        // Of other numbers of rows nobody knows which is which.
        let same_rows = from.rows.len() == to.rows.len();
        for (nth, row) in from.rows.iter().map(|row| row.index()).enumerate() {
            let other = to.rows[if same_rows { nth } else { 0 }].index();
            let theirs = &new.functions;
            let mut text = |id: StringId| strings.intern(new.text(id));
            functions.name[row] = text(theirs.name[other]);
            functions.file[row] = text(theirs.file[other]);
            functions.system_name[row] = text(theirs.system_name[other]);
            let (old_line, new_line) = (functions.start_line[row], theirs.start_line[other]);
            if same_rows && old_line != 0 && new_line != 0 {
                moved[row] = i64::from(new_line) - i64::from(old_line);
            }
            // One function stays one: rows that started elsewhere would be told apart.
            functions.start_line[row] = new_line;
            functions.start_column[row] = theirs.start_column[other];
        }
    }
    let mut profile = base.clone();
    profile.strings = strings.finish();
    profile.frames.line = lines(base, &moved);
    profile.functions = functions;
    Some(profile)
}

/// Lines of frames, each moved as its function was; a line that is not known stays so.
fn lines(base: &Profile, moved: &[i64]) -> Vec<u32> {
    let line = |(row, &line): (usize, &u32)| {
        let function = base.frames.function(FrameId(row as u32));
        let by = function.map_or(0, |function| moved[function.index()]);
        if line == 0 { 0 } else { (i64::from(line) + by).clamp(1, u32::MAX.into()) as u32 }
    };
    base.frames.line.iter().enumerate().map(line).collect()
}
