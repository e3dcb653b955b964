//! Changes as they are written.

use std::fmt;
use std::str::FromStr;

use super::{Change, ChangeError};

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: ToString>(all: &[T]) -> String {
            all.iter().map(T::to_string).collect::<Vec<String>>().join(",")
        }
        match self {
            Change::Permute { container, order } => {
                write!(f, "permute {container} {}", list(order))
            }
            Change::Pad { container, multiple } => write!(f, "pad {container} {multiple}"),
            Change::Align { container, bytes } => write!(f, "align {container} {bytes}"),
            Change::Element { container, bytes } => write!(f, "element {container} {bytes}"),
            Change::Order(loops) => write!(f, "order {}", list(loops)),
            Change::Tile { loops, sizes } => write!(f, "tile {} {}", list(loops), list(sizes)),
            Change::Fuse { first, second } if first == second => write!(f, "fuse {first}"),
            Change::Fuse { first, second } => write!(f, "fuse {first},{second}"),
        }
    }
}

impl FromStr for Change {
    type Err = ChangeError;

    fn from_str(text: &str) -> Result<Change, ChangeError> {
        read(text).ok_or_else(|| ChangeError::Unread(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Change> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let names = |list: &str| -> Option<Vec<String>> {
        let all = list.split(',');
        all.map(|name| (!name.is_empty()).then(|| name.to_owned())).collect()
    };
    let number = |word: &str| word.parse::<u64>().ok().filter(|number| *number > 0);
    match words[..] {
        ["order", loops] => Some(Change::Order(names(loops)?)),
        ["tile", loops, sizes] => {
            let loops = names(loops)?;
            let sizes: Vec<u64> = sizes.split(',').map(number).collect::<Option<_>>()?;
            (sizes.len() == loops.len()).then_some(Change::Tile { loops, sizes })
        }
        ["fuse", loops] => match &names(loops)?[..] {
            [one] => Some(Change::Fuse { first: one.clone(), second: one.clone() }),
            [first, second] => Some(Change::Fuse { first: first.clone(), second: second.clone() }),
            _ => None,
        },
        [what, name, value] => {
            let container = name.to_owned();
            match what {
                "permute" => {
                    let order =
                        value.split(',').map(|one| one.parse().ok()).collect::<Option<_>>()?;
                    Some(Change::Permute { container, order })
                }
                "pad" => Some(Change::Pad { container, multiple: number(value)? }),
                "align" => Some(Change::Align { container, bytes: number(value)? }),
                "element" => Some(Change::Element { container, bytes: number(value)? }),
                _ => None,
            }
        }
        _ => None,
    }
}
