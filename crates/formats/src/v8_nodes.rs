//! The call tree that V8 writes, as a table of nodes or as nodes inside nodes, and the samples
//! that name its nodes: of `.cpuprofile`, `.heapprofile` and the traces of Chrome's DevTools.

use hashbrown::HashMap;
use profile::{ContextId, FunctionId, Location, LocationId, Point, ProfileBuilder, ThreadId};

use crate::decimal::Decimal;
use crate::id_index::IdIndex;
use crate::json::{Json, Kind};
use crate::parents::{self, NONE};
use crate::{ReadError, ReadOptions, Warnings};

/// The nodes in the order of the file.
#[derive(Debug, Default)]
pub(crate) struct NodeTree {
    nodes: Vec<Node>,
    /// Numbers of the nodes' ids, which may be named before the node is met.
    ids: IdIndex,
    /// By number of its id, the row of the node.
    rows: Vec<u32>,
    /// Rows of parents with numbers of their children.
    links: Vec<(u32, u32)>,
    /// Hits by line, of all nodes.
    ticks: Vec<(u32, i64)>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// Row of the parent.
    parent: u32,
    /// Number of the id of the parent.
    parent_id: u32,
    location: LocationId,
    function: FunctionId,
    kind: NodeKind,
    /// Hits or bytes of the node itself.
    value: i64,
    /// Where its `ticks` start and end.
    ticks: (u32, u32),
    line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NodeKind {
    Frame,
    /// `(idle)`: nothing ran.
    Idle,
    /// `(root)`, which stands for the whole program.
    Root,
    /// `(garbage collector)` and `(program)`: work of V8 for whoever ran before.
    System,
}

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
    fn of(key: &str) -> Member {
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
            let child = match json.next_key()?.map(Member::of) {
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

    /// The number of the node with this id.
    #[inline]
    pub(crate) fn number(&mut self, id: u64) -> u32 {
        self.ids.number(id)
    }

    /// Adds the nodes of a later part of the same tree. Gives the numbers here of its numbers.
    pub(crate) fn absorb(&mut self, part: NodeTree) -> Vec<u32> {
        let numbers: Vec<u32> = part.ids.ids().iter().map(|&id| self.ids.number(id)).collect();
        let (rows, ticks) = (self.nodes.len() as u32, self.ticks.len() as u32);
        for (number, row) in part.rows.into_iter().enumerate().filter(|&(_, row)| row != NONE) {
            let number = numbers[number] as usize;
            if self.rows.len() <= number {
                self.rows.resize(number + 1, NONE);
            }
            self.rows[number] = rows + row;
        }
        self.nodes.extend(part.nodes.into_iter().map(|mut node| {
            node.parent = if node.parent == NONE { NONE } else { rows + node.parent };
            node.parent_id = match node.parent_id {
                NONE => NONE,
                number => numbers[number as usize],
            };
            node.ticks = (node.ticks.0 + ticks, node.ticks.1 + ticks);
            node
        }));
        let links = part.links.into_iter();
        self.links.extend(links.map(|(parent, child)| (rows + parent, numbers[child as usize])));
        self.ticks.extend(part.ticks);
        numbers
    }

    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.ids.heap_bytes()
            + (self.rows.capacity() + 2 * self.links.capacity()) * 4
            + self.ticks.capacity() * 16
    }

    /// Whether there are no nodes.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Makes the contexts, once all nodes are read.
    pub(crate) fn resolve(
        mut self,
        builder: &mut ProfileBuilder,
        warnings: &mut Warnings,
    ) -> ResolvedNodes {
        self.join();
        let rows: Vec<u32> = self.nodes.iter().map(|node| node.parent).collect();
        let location = |row: usize| {
            let node = &self.nodes[row];
            (node.kind != NodeKind::Root).then_some(node.location)
        };
        let contexts = parents::contexts(&rows, location, &mut builder.contexts, || {
            warnings.add("circles", || "nodes of the tree stand below themselves".to_owned());
        });
        ResolvedNodes { tree: self, contexts, lines: HashMap::new() }
    }

    fn push(&mut self, parent: u32) -> u32 {
        self.nodes.push(Node {
            parent,
            parent_id: NONE,
            location: LocationId(NONE),
            function: FunctionId(NONE),
            kind: NodeKind::Root,
            value: 0,
            ticks: (0, 0),
            line: 0,
        });
        self.nodes.len() as u32 - 1
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
                while let Some(member) = json.next_key()?.map(Member::of) {
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

    /// Gives every node its parent's row.
    fn join(&mut self) {
        self.rows.resize(self.ids.ids().len(), NONE);
        for node in &mut self.nodes {
            if node.parent_id != NONE {
                node.parent = self.rows[node.parent_id as usize];
            }
        }
        for (parent, child) in std::mem::take(&mut self.links) {
            if let Some(node) = self.nodes.get_mut(self.rows[child as usize] as usize) {
                node.parent = parent;
            }
        }
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

/// The nodes with their contexts.
#[derive(Debug)]
pub(crate) struct ResolvedNodes {
    tree: NodeTree,
    /// By row.
    contexts: Vec<ContextId>,
    /// Contexts of nodes whose line is known for one sample.
    lines: HashMap<(u32, u32), ContextId>,
}

impl ResolvedNodes {
    /// The context of the node with this number.
    pub(crate) fn context(&self, number: u32) -> Option<ContextId> {
        let row = *self.tree.rows.get(number as usize)?;
        self.contexts.get(row as usize).copied()
    }

    /// Context and value of every node.
    pub(crate) fn values(&self) -> impl Iterator<Item = (ContextId, i64)> {
        self.contexts.iter().zip(&self.tree.nodes).map(|(&context, node)| (context, node.value))
    }

    /// Tells the hits of every node, those by line each with their line.
    pub(crate) fn hits(
        &self,
        builder: &mut ProfileBuilder,
        mut tell: impl FnMut(&mut ProfileBuilder, ContextId, i64),
    ) {
        for (row, node) in self.tree.nodes.iter().enumerate() {
            let mut left = node.value;
            let (start, end) = node.ticks;
            for &(line, count) in &self.tree.ticks[start as usize..end as usize] {
                let context = self.at_line(builder, row, line);
                tell(builder, context, count);
                left = left.saturating_sub(count);
            }
            if left > 0 {
                tell(builder, self.contexts[row], left);
            }
        }
    }

    /// The context of a node at another of its lines.
    fn at_line(&self, builder: &mut ProfileBuilder, row: usize, line: u32) -> ContextId {
        let context = self.contexts[row];
        let node = &self.tree.nodes[row];
        if node.kind == NodeKind::Root || line == 0 || line == node.line {
            return context;
        }
        let (parent, _) = builder.contexts.node(context);
        let location = builder.location(Location::default(), &[(Some(node.function), line, 0)]);
        builder.contexts.child(parent, location)
    }

    fn kind(&self, number: u32) -> NodeKind {
        let row = self.tree.rows.get(number as usize).map_or(NONE, |&row| row);
        self.tree.nodes.get(row as usize).map_or(NodeKind::Root, |node| node.kind)
    }

    /// The context of a sample, by what ran before it.
    fn sampled(
        &mut self,
        builder: &mut ProfileBuilder,
        number: u32,
        line: u32,
        before: ContextId,
    ) -> Option<ContextId> {
        let context = self.context(number)?;
        if self.kind(number) == NodeKind::System {
            let (_, location) = builder.contexts.node(context);
            return Some(builder.contexts.child(before, location));
        }
        if line == 0 {
            return Some(context);
        }
        if let Some(&known) = self.lines.get(&(number, line)) {
            return Some(known);
        }
        let context = self.at_line(builder, self.tree.rows[number as usize] as usize, line);
        self.lines.insert((number, line), context);
        Some(context)
    }
}

/// Tells of a sample of a node that is not in the tree.
pub(crate) fn unknown_node(warnings: &mut Warnings) {
    warnings.add("unknown nodes", || {
        "samples of nodes that are not in the tree stand at its root".to_owned()
    });
}

/// Samples of one thread: the node that ran, and when.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// Numbers of nodes.
    pub(crate) nodes: Vec<u32>,
    /// Nanoseconds after the sample before; the first after the start.
    pub(crate) deltas: Vec<i64>,
    /// Line of each, if it is known for all.
    pub(crate) lines: Vec<u32>,
    /// Nanoseconds on the producer's clock.
    pub(crate) start: i64,
    pub(crate) end: Option<i64>,
}

impl Samples {
    /// Bytes held.
    pub(crate) fn heap_bytes(&self) -> usize {
        (self.nodes.capacity() + self.lines.capacity()) * 4 + self.deltas.capacity() * 8
    }

    /// When the last sample ends, on the producer's clock.
    pub(crate) fn last(&self) -> i64 {
        let sum = self.deltas.iter().fold(self.start, |sum, &delta| sum.saturating_add(delta));
        self.end.unwrap_or(sum).max(sum)
    }

    /// Pushes a point a sample with its time until the next one and a count of 1; times are told
    /// from `clock` on.
    pub(crate) fn push_points(
        mut self,
        nodes: &mut ResolvedNodes,
        builder: &mut ProfileBuilder,
        clock: i64,
        thread: Option<ThreadId>,
        warnings: &mut Warnings,
    ) {
        let count = self.nodes.len();
        if self.deltas.len() != count {
            warnings.add_many("times", self.deltas.len().abs_diff(count) as u64, || {
                format!("there are {count} samples but {} times", self.deltas.len())
            });
            self.deltas.resize(count, 0);
        }
        if self.lines.len() != count {
            self.lines = Vec::new();
        }
        // From deltas to times.
        let mut at = self.start;
        for delta in &mut self.deltas {
            at = at.saturating_add(*delta);
            *delta = at;
        }
        let times = self.deltas;
        let back = times.windows(2).filter(|pair| pair[1] < pair[0]).count() as u64;
        let mut order = Vec::new();
        if back > 0 {
            warnings.add_many("backwards", back, || {
                "samples that are not in the order of their times are put into it".to_owned()
            });
            order = (0..count as u32).collect();
            order.sort_by_key(|&row| times[row as usize]);
        }
        let row_of = |place: usize| order.get(place).map_or(place, |&row| row as usize);
        let mut before = ContextId::ROOT;
        for place in 0..count {
            let row = row_of(place);
            let time = times[row];
            let next = match place + 1 {
                end if end == count => self.end.unwrap_or(time).max(time),
                next => times[row_of(next)],
            };
            let number = self.nodes[row];
            let line = self.lines.get(row).copied().unwrap_or(0);
            let context = nodes.sampled(builder, number, line, before).unwrap_or_else(|| {
                unknown_node(warnings);
                ContextId::ROOT
            });
            match nodes.kind(number) {
                NodeKind::System => {}
                NodeKind::Idle => before = ContextId::ROOT,
                NodeKind::Frame | NodeKind::Root => before = context,
            }
            let time_here = time.saturating_sub(clock);
            let point = Point { context, time: Some(time_here), thread, ..Point::default() };
            builder.points.push_point(point, &[next.saturating_sub(time), 1]);
        }
    }
}
