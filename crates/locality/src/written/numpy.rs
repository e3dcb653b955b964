//! NumPy.

use std::fmt::Write;

use super::language::{bound, extent, head, list, stored, sum, within};
use super::names::Names;
use crate::nest::{Affine, Step};
use crate::{Change, Container, Program};

pub(super) fn written(program: &Program, changes: &[Change]) -> String {
    let names = &Names::new(program);
    let mut text = head(changes, "#");
    text.push_str(
        "# What is computed is not known here: put it in the place of the comments in loops().\n\n\
         import numpy as np\n\n",
    );
    for (number, container) in program.containers.iter().enumerate() {
        array(container, &names.containers[number], &mut text);
    }
    text.push_str("\n\ndef loops():\n");
    steps(program, names, &program.nest.body, &mut vec![], &mut text);
    text
}

/// A type of so many bytes.
fn kind(element: u64) -> String {
    match element {
        1 => "np.int8".to_owned(),
        2 => "np.int16".to_owned(),
        4 => "np.float32".to_owned(),
        8 => "np.float64".to_owned(),
        16 => "np.complex128".to_owned(),
        bytes => format!("np.dtype('V{bytes}')"),
    }
}

/// Parts of a tuple.
fn tuple<T: ToString>(all: impl IntoIterator<Item = T>) -> String {
    match list(all) {
        none if none.is_empty() => "()".to_owned(),
        some => format!("({some},)"),
    }
}

fn array(container: &Container, name: &str, text: &mut String) {
    let kind = kind(container.element);
    let Some(stored) = stored(container) else {
        let [before, count] = extent(container);
        let bytes = |stride: &i64| i128::from(*stride) * i128::from(container.element);
        let _ = writeln!(
            text,
            "{name}_memory = np.zeros({count}, {kind})\n\
             {name} = np.lib.stride_tricks.as_strided({name}_memory[{}:], {}, {})",
            before + i128::from(container.offset),
            tuple(&container.shape),
            tuple(container.strides.iter().map(bytes))
        );
        return;
    };
    let sizes = tuple(stored.iter().map(|(_, size)| size));
    let _ = writeln!(text, "{name}_memory = np.zeros({sizes}, {kind})  # as it stands in memory");
    if stored.is_empty() {
        let _ = writeln!(text, "{name} = {name}_memory");
        return;
    }
    // Where each dimension of the array is among those in memory.
    let place =
        |dimension: usize| stored.iter().position(|(own, _)| *own == dimension).unwrap_or(0);
    let back: Vec<usize> = (0..stored.len()).map(place).collect();
    let parts = container.shape.iter().map(|size| format!(":{size}"));
    let _ = writeln!(
        text,
        "{name} = {name}_memory.transpose({})[{}]  # by the same indices as before; fill it with {name}[...] = old",
        list(back),
        list(parts)
    );
}

fn steps(
    program: &Program,
    names: &Names,
    steps: &[Step],
    inside: &mut Vec<u32>,
    text: &mut String,
) {
    let space = "    ".repeat(inside.len() + 1);
    for step in steps {
        match step {
            Step::Access(number) => {
                let _ = writeln!(text, "{space}# {}", access(program, names, *number, inside));
            }
            Step::Loop(one) => {
                let name = &names.variables[one.variable as usize];
                let (first, last) = if one.step > 0 { ("max", "min") } else { ("min", "max") };
                let begin = bound(&one.begin, names, inside, first);
                let end = bound(&one.end, names, inside, last);
                let _ = writeln!(text, "{space}for {name} in range({begin}, {end}, {}):", one.step);
                inside.push(one.variable);
                self::steps(program, names, &one.body, inside, text);
                inside.pop();
            }
        }
    }
    if !steps.iter().any(|step| matches!(step, Step::Loop(_))) {
        let _ = writeln!(text, "{space}pass");
    }
}

fn access(program: &Program, names: &Names, number: u32, inside: &[u32]) -> String {
    let one = &program.nest.references[number as usize];
    let own = one.container as usize;
    let way = if one.is_write { "writes" } else { "reads" };
    let name = &names.containers[own];
    match &one.indices {
        Some(indices) if !indices.is_empty() => {
            let all =
                list(indices.iter().map(|index| sum(&within(index, inside), &names.variables)));
            format!("{way} {name}[{all}]")
        }
        _ => {
            let [before, _] = extent(&program.containers[own]);
            let before = Affine::constant(i64::try_from(before).unwrap_or(i64::MAX));
            let at = sum(&within(&one.element, inside).plus(&before), &names.variables);
            format!("{way} {name}_memory.reshape(-1)[{at}]")
        }
    }
}
