//! C.

use std::fmt::Write;

use super::language::{bound, extent, head, list, sum, within};
use super::names::Names;
use crate::nest::{Affine, Step};
use crate::{Change, Container, Program};

pub(super) fn written(program: &Program, changes: &[Change]) -> String {
    let names = &Names::new(program);
    let mut text = head(changes, "//");
    text.push_str(
        "// What is computed is not known here: put it in the place of the comments in loops().\n\n\
         #include <stdint.h>\n#include <stdlib.h>\n",
    );
    let mut body = String::new();
    steps(program, names, &program.nest.body, &mut vec![], &mut body);
    if body.contains("MAX(") || body.contains("MIN(") {
        text.push_str(
            "\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n",
        );
    }
    let mut allocations = String::new();
    for (number, container) in program.containers.iter().enumerate() {
        declared(container, number, names, &mut text);
        let [_, count] = extent(container);
        let alignment = container.alignment.next_power_of_two().max(64);
        let bytes = (count * i128::from(container.element)).max(1).unsigned_abs();
        let bytes = bytes.next_multiple_of(alignment.into());
        let name = &names.containers[number];
        let _ = writeln!(allocations, "  {name} = aligned_alloc({alignment}, {bytes});");
    }
    let _ = write!(
        text,
        "\nstatic void allocate(void) {{\n{allocations}}}\n\nstatic void loops(void) {{\n{body}}}\n"
    );
    text
}

/// A type of so many bytes.
fn kind(element: u64) -> Option<&'static str> {
    match element {
        1 => Some("int8_t"),
        2 => Some("int16_t"),
        4 => Some("float"),
        8 => Some("double"),
        16 => Some("double _Complex"),
        _ => None,
    }
}

fn declared(container: &Container, number: usize, names: &Names, text: &mut String) {
    let name = &names.containers[number];
    let sizes: Vec<String> = container.shape.iter().map(u64::to_string).collect();
    let sizes = if sizes.is_empty() { "one".to_owned() } else { sizes.join(" x ") };
    let _ = writeln!(text, "\n// {name}: {sizes}, {} bytes an element", container.element);
    let _ = match kind(container.element) {
        Some(kind) => writeln!(text, "static {kind} *{name};"),
        None => writeln!(
            text,
            "static struct {{ unsigned char bytes[{}]; }} *{name};",
            container.element
        ),
    };
    if container.shape.is_empty() {
        return;
    }
    let parameters: Vec<String> = (0..container.shape.len()).map(|at| format!("d{at}")).collect();
    let terms = parameters.iter().zip(&container.strides).map(|(own, stride)| match stride {
        1 => format!("({own})"),
        stride => format!("({own}) * {stride}L"),
    });
    let mut terms: Vec<String> = terms.collect();
    let first = i128::from(container.offset) + extent(container)[0];
    if first != 0 {
        terms.push(format!("{first}L"));
    }
    let (macros, parameters) = (&names.macros[number], parameters.join(", "));
    let _ = writeln!(text, "#define {macros}({parameters}) {name}[{}]", terms.join(" + "));
}

fn steps(
    program: &Program,
    names: &Names,
    steps: &[Step],
    inside: &mut Vec<u32>,
    text: &mut String,
) {
    let space = "  ".repeat(inside.len() + 1);
    for step in steps {
        match step {
            Step::Access(number) => {
                let _ = writeln!(text, "{space}// {}", access(program, names, *number, inside));
            }
            Step::Loop(one) => {
                let name = &names.variables[one.variable as usize];
                let (first, last, is) = match one.step {
                    1.. => ("MAX", "MIN", "<"),
                    _ => ("MIN", "MAX", ">"),
                };
                let begin = bound(&one.begin, names, inside, first);
                let end = bound(&one.end, names, inside, last);
                let _ = writeln!(
                    text,
                    "{space}for (long {name} = {begin}; {name} {is} {end}; {name} += {}) {{",
                    one.step
                );
                inside.push(one.variable);
                self::steps(program, names, &one.body, inside, text);
                inside.pop();
                let _ = writeln!(text, "{space}}}");
            }
        }
    }
}

fn access(program: &Program, names: &Names, number: u32, inside: &[u32]) -> String {
    let one = &program.nest.references[number as usize];
    let own = one.container as usize;
    let way = if one.is_write { "writes" } else { "reads" };
    match &one.indices {
        Some(indices) if !indices.is_empty() => {
            let all =
                list(indices.iter().map(|index| sum(&within(index, inside), &names.variables)));
            format!("{way} {}({all})", names.macros[own])
        }
        _ => {
            let [before, _] = extent(&program.containers[own]);
            let before = Affine::constant(i64::try_from(before).unwrap_or(i64::MAX));
            let at = sum(&within(&one.element, inside).plus(&before), &names.variables);
            format!("{way} {}[{at}]", names.containers[own])
        }
    }
}
