//! What a chunk's metadata say of its types, and how values of them are read.
//!
//! A type is flattened into a list of steps once, so that reading an event or a constant follows
//! no names and cannot recurse.

use hashbrown::HashMap;

use super::cursor::{Cursor, Text};

/// The types of a chunk by their numbers.
#[derive(Default)]
pub(super) struct Classes {
    pub(super) by_id: HashMap<i64, Class>,
}

/// A type.
pub(super) struct Class {
    pub(super) name: String,
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    pub(super) name: String,
    pub(super) class: i64,
    pub(super) pooled: bool,
    pub(super) array: bool,
    /// What is said of its values: the type of an annotation, and its value.
    notes: Vec<(i64, String)>,
}

/// What an element of the metadata is inside of.
#[derive(Clone, Copy)]
enum Inside {
    Nothing,
    Class(i64),
    Field(i64),
}

/// How a value is read: one primitive after the other.
pub(super) struct Program {
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
struct Step {
    kind: Kind,
    slot: u8,
}

#[derive(Clone, Copy)]
enum Kind {
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Text,
    /// The number of a constant.
    Reference,
    /// The steps that follow, as many as this, are done for each element.
    Array(u32),
}

/// A value that somebody wants.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Value {
    #[default]
    None,
    Int(i64),
    Float(f64),
    /// Where in the chunk a text starts.
    Text(usize),
    Reference(i64),
    /// An element of an array is complete.
    End,
}

/// Slot of what nobody wants.
pub(super) const IGNORED: u8 = u8::MAX;

/// Bounds on types that a file may define.
const MOST_STEPS: usize = 4096;
const MOST_NOTES: usize = 16;
const MOST_NESTED: usize = 8;

impl Classes {
    /// Reads a metadata event, from behind its type.
    pub(super) fn read(mut cursor: Cursor<'_>) -> Option<Classes> {
        cursor.long()?;
        cursor.long()?;
        cursor.long()?;
        let mut texts = vec![];
        for _ in 0..cursor.count()? {
            texts.push(match cursor.text()? {
                Some(Text::Here(text)) => text.into_owned(),
                _ => String::new(),
            });
        }
        let mut classes = Classes::default();
        let text = |index: usize| texts.get(index).map_or("", String::as_str);
        // Elements that are open: how many children are to come, and the class they describe.
        let mut open = vec![(1usize, Inside::Nothing)];
        while let Some((left, around)) = open.last_mut() {
            if *left == 0 {
                open.pop();
                continue;
            }
            *left -= 1;
            let around = *around;
            let element = text(cursor.count()?);
            let (mut name, mut id, mut kind, mut pooled, mut array) = ("", 0, 0, false, false);
            let mut note = "";
            for _ in 0..cursor.count()? {
                let (key, value) = (text(cursor.count()?), text(cursor.count()?));
                match key {
                    "name" => name = value,
                    "id" => id = value.parse().ok()?,
                    "class" => kind = value.parse().ok()?,
                    "constantPool" => pooled = value == "true",
                    "dimension" => array = value != "0",
                    "value" => note = value,
                    _ => {}
                }
            }
            let mut inside = Inside::Nothing;
            match (element, around) {
                ("class", _) => {
                    let class = Class { name: name.to_owned(), fields: vec![] };
                    classes.by_id.insert(id, class);
                    inside = Inside::Class(id);
                }
                ("field", Inside::Class(class)) => {
                    let (name, notes) = (name.to_owned(), vec![]);
                    let field = Field { name, class: kind, pooled, array, notes };
                    classes.by_id.get_mut(&class)?.fields.push(field);
                    inside = Inside::Field(class);
                }
                ("annotation", Inside::Field(class)) => {
                    let field = classes.by_id.get_mut(&class)?.fields.last_mut()?;
                    if field.notes.len() < MOST_NOTES {
                        field.notes.push((kind, note.to_owned()));
                    }
                }
                _ => {}
            }
            open.push((cursor.count()?, inside));
        }
        Some(classes)
    }

    /// What an annotation of that name says of a field.
    pub(super) fn note<'f>(&self, field: &'f Field, name: &str) -> Option<&'f str> {
        let named = |id: &i64| self.by_id.get(id).is_some_and(|class| class.name == name);
        field.notes.iter().find(|(id, _)| named(id)).map(|(_, value)| value.as_str())
    }

    /// Whether constants of a class are but a text.
    pub(super) fn is_name(&self, class: &Class) -> bool {
        let [field] = &class.fields[..] else { return false };
        let is_text = |class: &Class| class.name == "java.lang.String";
        !field.array && !field.pooled && self.by_id.get(&field.class).is_some_and(is_text)
    }

    /// How values of a class are read; `slot` says which fields are wanted, by their path. None
    /// if the type is too large or unknown.
    pub(super) fn program(&self, id: i64, slot: &dyn Fn(&str) -> u8) -> Option<Program> {
        let class = self.by_id.get(&id)?;
        let mut steps = vec![];
        if let Some(kind) = primitive(&class.name) {
            steps.push(Step { kind, slot: slot("") });
            return Some(Program { steps });
        }
        // What is to be flattened, and the arrays that end there.
        enum Task<'c> {
            Field(&'c Field, String, usize),
            EndArray(usize),
        }
        fn push<'c>(tasks: &mut Vec<Task<'c>>, class: &'c Class, prefix: &str, depth: usize) {
            for field in class.fields.iter().rev() {
                let path = match prefix {
                    "" => field.name.clone(),
                    prefix => format!("{prefix}.{}", field.name),
                };
                tasks.push(Task::Field(field, path, depth));
            }
        }
        let mut tasks = vec![];
        push(&mut tasks, class, "", 0);
        let mut budget = MOST_STEPS;
        while let Some(task) = tasks.pop() {
            budget = budget.checked_sub(1)?;
            let (field, path, depth) = match task {
                Task::Field(field, path, depth) => (field, path, depth),
                Task::EndArray(start) => {
                    let len = (steps.len() - start - 1) as u32;
                    steps[start].kind = Kind::Array(len);
                    continue;
                }
            };
            if field.array {
                tasks.push(Task::EndArray(steps.len()));
                steps.push(Step { kind: Kind::Array(0), slot: slot(&path) });
            }
            if field.pooled {
                steps.push(Step { kind: Kind::Reference, slot: slot(&path) });
                continue;
            }
            let class = self.by_id.get(&field.class)?;
            match primitive(&class.name) {
                Some(kind) => steps.push(Step { kind, slot: slot(&path) }),
                None if depth >= MOST_NESTED => return None,
                None => push(&mut tasks, class, &path, depth + 1),
            }
        }
        Some(Program { steps })
    }
}

fn primitive(name: &str) -> Option<Kind> {
    Some(match name {
        "boolean" | "byte" => Kind::Byte,
        "char" | "short" => Kind::Short,
        "int" => Kind::Int,
        "long" => Kind::Long,
        "float" => Kind::Float,
        "double" => Kind::Double,
        "java.lang.String" => Kind::Text,
        _ => return None,
    })
}

impl Program {
    /// Reads a value, and gives what is wanted of it.
    pub(super) fn run(
        &self,
        cursor: &mut Cursor<'_>,
        mut give: impl FnMut(u8, Value),
    ) -> Option<()> {
        // Arrays that are open: first step, step behind the last, elements to come, slot.
        let mut open: Vec<(usize, usize, usize, u8)> = vec![];
        let mut at = 0;
        loop {
            if let Some((start, end, left, slot)) = open.last_mut()
                && at == *end
            {
                if *slot != IGNORED {
                    give(*slot, Value::End);
                }
                *left -= 1;
                if *left > 0 {
                    at = *start;
                } else {
                    open.pop();
                }
                continue;
            }
            let Some(&Step { kind, slot }) = self.steps.get(at) else { return Some(()) };
            at += 1;
            let value = match kind {
                Kind::Byte => Value::Int((cursor.byte()? as i8).into()),
                Kind::Short => Value::Int(cursor.short()?),
                Kind::Int => Value::Int(cursor.int()?),
                Kind::Long => Value::Int(cursor.long()?),
                Kind::Float => Value::Float(f32::from_be_bytes(cursor.fixed()?).into()),
                Kind::Double => Value::Float(f64::from_be_bytes(cursor.fixed()?)),
                Kind::Text => {
                    let start = cursor.at;
                    cursor.skip_text()?;
                    Value::Text(start)
                }
                Kind::Reference => Value::Reference(cursor.long()?),
                Kind::Array(len) => {
                    let count = cursor.count()?;
                    // Elements without bytes are not worth counting.
                    if count > 0 && len > 0 {
                        open.push((at, at + len as usize, count, slot));
                    } else {
                        at += len as usize;
                    }
                    continue;
                }
            };
            if slot != IGNORED {
                give(slot, value);
            }
        }
    }
}
