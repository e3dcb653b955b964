//! Reading nodes, whether they stand in a table or inside each other.

use profile::{Location, ProfileBuilder};

use crate::graph::parents::NONE;
use crate::graph::v8_nodes::{NodeKind, NodeTree};
use crate::json::{Json, Kind};
use crate::numbers::decimal::Decimal;
use crate::{ReadError, ReadOptions};

/// A node that is being read.
#[derive(Default)]
struct Open {
    row: u32,
    function: String,
    url: String,
    line: Option<i64>,
    column: Option<i64>,
    /// Whether lines and columns start at 0.
    from_zero: bool,
    value: i64,
    ticks: (u32, u32),
}

/// Members of a node.
#[derive(Clone, Copy)]
enum Member {
    CallFrame,
    Children,
    Id,
    Parent,
    Value,
    Ticks,
    Function,
    Url,
    Line,
    Column,
    Other,
}

impl Member {
    fn new(key: &str) -> Member {
        match key {
            "callFrame" => Member::CallFrame,
            "children" => Member::Children,
            "id" => Member::Id,
            "parent" => Member::Parent,
            "hitCount" | "selfSize" => Member::Value,
            "positionTicks" => Member::Ticks,
            "functionName" => Member::Function,
            "url" => Member::Url,
            "lineNumber" => Member::Line,
            "columnNumber" => Member::Column,
            _ => Member::Other,
        }
    }
}

impl NodeTree {
    /// Reads a node, with those inside it.
    pub(crate) fn read(
        &mut self,
        json: &mut Json,
        builder: &mut ProfileBuilder,
        options: &ReadOptions,
    ) -> Result<(), ReadError> {
        json.object()?;
        let mut open = vec![Open { row: self.push(NONE), ..Open::default() }];
        while let Some(node) = open.last_mut() {
            let child = match json.next_key()?.map(Member::new) {
                Some(Member::Children) => {
                    json.array()?;
                    let row = node.row;
                    self.next_child(json, row)?
                }
                Some(member) => {
                    self.member(member, json, node)?;
                    false
                }
                None => {
                    let node = open.pop().unwrap_or_default();
                    self.close(node, builder);
                    if self.nodes.len().is_multiple_of(1024) {
                        options.check_memory(builder.heap_bytes() + self.heap_bytes())?;
                    }
                    match open.last() {
                        Some(parent) => self.next_child(json, parent.row)?,
                        None => false,
                    }
                }
            };
            if child && let Some(parent) = open.last() {
                json.object()?;
                let row = self.push(parent.row);
                open.push(Open { row, ..Open::default() });
            }
        }
        Ok(())
    }

    /// Goes to the next of the children that is a node of its own; ids are linked.
    fn next_child(&mut self, json: &mut Json, parent: u32) -> Result<bool, ReadError> {
        while json.next_element()? {
            match json.kind()? {
                Kind::Object => return Ok(true),
                Kind::Number => {
                    let child = self.ids.number(json.u64()?);
                    self.links.push((parent, child));
                }
                _ => {}
            }
        }
        Ok(false)
    }

    fn member(
        &mut self,
        member: Member,
        json: &mut Json,
        node: &mut Open,
    ) -> Result<(), ReadError> {
        match member {
            Member::CallFrame => {
                node.from_zero = true;
                json.object()?;
                while let Some(member) = json.next_key()?.map(Member::new) {
                    frame_member(member, json, node)?;
                }
            }
            Member::Id => {
                if let Some(id) = json.optional(Json::u64)? {
                    let number = self.ids.number(id) as usize;
                    if self.rows.len() <= number {
                        self.rows.resize(number + 1, NONE);
                    }
                    self.rows[number] = node.row;
                }
            }
            Member::Parent => {
                if let Some(id) = json.optional(Json::u64)? {
                    self.nodes[node.row as usize].parent_id = self.ids.number(id);
                }
            }
            Member::Value => {
                node.value = json.finite()?.and_then(|value| value.to_scaled(0)).unwrap_or(0);
            }
            Member::Ticks => {
                let start = self.ticks.len() as u32;
                if json.null()? {
                    return Ok(());
                }
                json.array()?;
                while json.next_element()? {
                    let (mut line, mut count) = (0, 0);
                    json.object()?;
                    while let Some(key) = json.next_key()? {
                        match key {
                            "line" => line = whole(json)?.unwrap_or(0),
                            "ticks" => count = whole(json)?.unwrap_or(0),
                            _ => {}
                        }
                    }
                    self.ticks.push((u32::try_from(line).unwrap_or(0), count));
                }
                node.ticks = (start, self.ticks.len() as u32);
            }
            member => frame_member(member, json, node)?,
        }
        Ok(())
    }

    fn close(&mut self, open: Open, builder: &mut ProfileBuilder) {
        let from = i64::from(open.from_zero);
        let position = |number: Option<i64>| {
            number.and_then(|n| u32::try_from(n.saturating_add(from)).ok()).unwrap_or(0)
        };
        let (line, column) = (position(open.line), position(open.column));
        let node = &mut self.nodes[open.row as usize];
        node.value = open.value;
        node.ticks = open.ticks;
        node.line = line;
        node.kind = match open.function.as_str() {
            "(root)" => NodeKind::Root,
            "(garbage collector)" | "(program)" if open.url.is_empty() => NodeKind::System,
            "(idle)" if open.url.is_empty() => NodeKind::Idle,
            _ => NodeKind::Frame,
        };
        let function = if open.function.is_empty() { "(anonymous)" } else { &open.function };
        node.function = builder.function_at(function, &open.url, line, column);
        node.location =
            builder.location(Location::default(), &[(Some(node.function), line, column)]);
    }
}

fn frame_member(member: Member, json: &mut Json, node: &mut Open) -> Result<(), ReadError> {
    match member {
        Member::Function => text(json, &mut node.function)?,
        Member::Url => text(json, &mut node.url)?,
        Member::Line => node.line = whole(json)?,
        Member::Column => node.column = whole(json)?,
        _ => {}
    }
    Ok(())
}

fn text(json: &mut Json, text: &mut String) -> Result<(), ReadError> {
    if json.kind()? == Kind::String {
        json.string()?.clone_into(text);
    }
    Ok(())
}

/// A whole number, if it is one.
fn whole(json: &mut Json) -> Result<Option<i64>, ReadError> {
    Ok(match json.kind()? {
        Kind::Number => json.finite()?.and_then(|number| number.to_scaled(0)),
        Kind::String => Decimal::parse(json.string()?.as_bytes()).and_then(Decimal::to_whole),
        _ => None,
    })
}
