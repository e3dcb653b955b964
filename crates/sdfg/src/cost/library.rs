//! Operations by name, counted as DaCe's `work_depth` counts them.

use super::python;
use crate::cost::rules::Rules;
use crate::expr::{Expr, Number, TooLarge};
use crate::model::{Library, Memlet};
use crate::network::Pattern;

/// What moves in and out of a library node.
pub(super) struct Around<'a> {
    /// By connector.
    pub(super) input: &'a dyn Fn(&str) -> Option<&'a Memlet>,
    /// By connector.
    pub(super) output: &'a dyn Fn(&str) -> Option<&'a Memlet>,
    /// Where there is one.
    pub(super) only_input: Option<&'a Memlet>,
}

impl Around<'_> {
    /// Elements of each dimension of what comes in or goes out.
    fn sizes(&self, memlet: Option<&Memlet>) -> Result<Option<Vec<Expr>>, TooLarge> {
        let Some(subset) = memlet.and_then(|memlet| memlet.subset.as_ref()) else {
            return Ok(None);
        };
        let sizes: Result<Vec<Expr>, TooLarge> =
            subset.dimensions.iter().map(|dimension| dimension.size()).collect();
        sizes.map(|sizes| Some(sizes).filter(|sizes| !sizes.is_empty()))
    }

    fn input_sizes(&self, connector: &str) -> Result<Option<Vec<Expr>>, TooLarge> {
        self.sizes((self.input)(connector))
    }

    /// The last dimension of an operand.
    fn last(&self, connector: &str) -> Result<Option<Expr>, TooLarge> {
        Ok(self.input_sizes(connector)?.and_then(|mut sizes| sizes.pop()))
    }
}

/// Nothing for what DaCe does not count either.
pub(super) fn library_work(
    library: &Library,
    around: &Around<'_>,
    rules: Rules,
) -> Result<Option<Expr>, TooLarge> {
    let class = library.class();
    let is_old = matches!(class, "MatMul" | "Transpose" | "Reduce");
    if rules == Rules::Dace1 && !is_old {
        return Ok(None);
    }
    if let (true, Some(_)) = (rules.is_exact(), Pattern::new(library)) {
        return Ok(library.only_communicates().then(Expr::default));
    }
    match class {
        "Transpose" => Ok(Some(Expr::default())),
        "TensorTranspose" if rules.is_exact() => {
            // `alpha * transposed + beta * out`, for each element.
            let Some(sizes) = around.sizes((around.output)("_out_tensor"))? else {
                return Ok(None);
            };
            let mut work = Expr::integer(scaling_work(library));
            for size in &sizes {
                work = work.times(size)?;
            }
            Ok(Some(work))
        }
        "MatMul" => matmul_work(around),
        "Gemm" => gemm_work(library, around),
        "Gemv" => gemv_work(library, around),
        "Reduce" => reduce_work(library, around, rules),
        "Dot" => {
            let Some(size) = around.last("_x")? else { return Ok(None) };
            size.scaled(Number::from_integer(2))?.minus(&Expr::integer(1)).map(Some)
        }
        "Cholesky" => {
            let Some(size) = around.last("_a")? else { return Ok(None) };
            if rules.is_exact() {
                polynomial(&size, [(1, 3), (1, 2), (1, 6)]).map(Some)
            } else {
                cube(&size)?.scaled(Number::new(1, 3)).map(Some)
            }
        }
        "Inv" => {
            let Some(size) = around.last("_ain")? else { return Ok(None) };
            if rules.is_exact() {
                // The factors, and the inverse from them.
                polynomial(&size, [(2, 1), (-3, 2), (5, 2)]).map(Some)
            } else {
                cube(&size)?.scaled(Number::from_integer(2)).map(Some)
            }
        }
        "Solve" => {
            let Some(size) = around.last("_ain")? else { return Ok(None) };
            let Some(right) = around.input_sizes("_bin")? else { return Ok(None) };
            let sides = match &right[..] {
                [_, .., last] => last.clone(),
                _ => Expr::integer(1),
            };
            let substitution = size.times(&size)?.times(&sides)?.scaled(Number::from_integer(2))?;
            if rules.is_exact() {
                let factors = polynomial(&size, [(2, 3), (-1, 2), (5, 6)])?;
                return factors.plus(&substitution)?.minus(&size.times(&sides)?).map(Some);
            }
            cube(&size)?.scaled(Number::new(2, 3))?.plus(&substitution).map(Some)
        }
        _ => Ok(None),
    }
}

/// Nothing for what DaCe does not count either.
pub(super) fn library_depth(
    library: &Library,
    around: &Around<'_>,
    rules: Rules,
    work: &Expr,
) -> Result<Option<Expr>, TooLarge> {
    let log = |size: &Expr| match rules {
        Rules::Dace1 => size.natural_log(),
        Rules::Exact | Rules::Every | Rules::Dace2 => size.log2_of_size(),
    };
    let log_of = |size: Option<Expr>| size.map(|size| log(&size)).transpose();
    let is_old = matches!(library.class(), "MatMul" | "Transpose" | "Reduce");
    if rules == Rules::Dace1 && !is_old {
        return Ok(None);
    }
    if let (true, Some(_)) = (rules.is_exact(), Pattern::new(library)) {
        return Ok(library.only_communicates().then(Expr::default));
    }
    match library.class() {
        "Transpose" => Ok(Some(Expr::default())),
        "TensorTranspose" if rules.is_exact() => Ok(Some(Expr::integer(scaling_depth(library)))),
        "Reduce" if work.is_zero() => Ok(Some(Expr::default())),
        "Reduce" => log(work).map(Some),
        "MatMul" => log_of(around.last("_a")?),
        "Gemm" => {
            let Some(depth) = log_of(around.last("_a")?)? else { return Ok(None) };
            depth.plus(&Expr::integer(scaling_depth(library))).map(Some)
        }
        "Gemv" => {
            let Some(sizes) = around.input_sizes("_A")? else { return Ok(None) };
            let [.., rows, columns] = &sizes[..] else { return Ok(None) };
            let depth = log(if library.is_transposed { rows } else { columns })?;
            depth.plus(&Expr::integer(scaling_depth(library))).map(Some)
        }
        "Dot" => {
            let Some(depth) = log_of(around.last("_x")?)? else { return Ok(None) };
            depth.plus(&Expr::integer(1)).map(Some)
        }
        "Cholesky" => around.last("_a"),
        "Inv" | "Solve" => around.last("_ain"),
        _ => Ok(None),
    }
}

/// Why the operations of a library node are not known.
pub(super) fn why_unknown(library: &Library, around: &Around<'_>) -> String {
    let class = library.class();
    let why = format!("operations of the library node {class}");
    if !matches!(class, "FFT" | "IFFT") {
        return why;
    }
    let about = around.input_sizes("_inp").ok().flatten().and_then(|sizes| {
        let one = Expr::integer(1);
        let size = sizes.iter().try_fold(one, |product, size| product.times(size)).ok()?;
        size.times(&size.log2_of_size().ok()?).ok()?.scaled(Number::from_integer(5)).ok()
    });
    match about {
        Some(about) => format!("{why}: its implementation decides; a fast one takes about {about}"),
        None => format!("{why}: its implementation decides"),
    }
}

fn matmul_work(around: &Around<'_>) -> Result<Option<Expr>, TooLarge> {
    let output = around.sizes((around.output)("_c"))?;
    let (Some(output), Some(shared)) = (output, around.last("_a")?) else { return Ok(None) };
    let mut work = shared.scaled(Number::from_integer(2))?;
    // Only with three dimensions is the first one a batch.
    let from = if output.len() == 3 { 0 } else { output.len().saturating_sub(2) };
    for size in &output[from..] {
        work = work.times(size)?;
    }
    Ok(Some(work))
}

fn gemm_work(library: &Library, around: &Around<'_>) -> Result<Option<Expr>, TooLarge> {
    let Some(product) = matmul_work(around)? else { return Ok(None) };
    let Some(shared) = around.last("_a")? else { return Ok(None) };
    let elements = product.divided_by(&shared.scaled(Number::from_integer(2))?)?;
    product.plus(&elements.scaled(Number::from_integer(scaling_work(library)))?).map(Some)
}

fn gemv_work(library: &Library, around: &Around<'_>) -> Result<Option<Expr>, TooLarge> {
    let Some(sizes) = around.input_sizes("_A")? else { return Ok(None) };
    let [.., rows, columns] = &sizes[..] else { return Ok(None) };
    let product = rows.times(columns)?.scaled(Number::from_integer(2))?;
    let elements = if library.is_transposed { columns } else { rows };
    product.plus(&elements.scaled(Number::from_integer(scaling_work(library)))?).map(Some)
}

fn reduce_work(
    library: &Library,
    around: &Around<'_>,
    rules: Rules,
) -> Result<Option<Expr>, TooLarge> {
    let wcr = library.wcr.as_deref().and_then(|wcr| python::count_expression(wcr, rules));
    match (wcr, around.only_input) {
        (Some(wcr), Some(memlet)) => {
            memlet.volume.scaled(Number::from_integer(wcr.count.into())).map(Some)
        }
        _ => Ok(Some(Expr::default())),
    }
}

/// Operations for each element of the result: `alpha * A @ B + beta * C`.
fn scaling_work(library: &Library) -> i128 {
    let is_one = *library.alpha == Expr::integer(1);
    i128::from(!is_one) + 2 * i128::from(!library.beta.is_zero())
}

fn scaling_depth(library: &Library) -> i128 {
    scaling_work(library)
}

/// Operations of LAPACK's routines as its Working Note 41 counts them, by the powers of the size: of the third to
/// the first, each a quotient.
fn polynomial(size: &Expr, powers: [(i128, i128); 3]) -> Result<Expr, TooLarge> {
    let [third, second, first] = powers.map(|(above, below)| Number::new(above, below));
    let second = size.times(size)?.scaled(second)?;
    cube(size)?.scaled(third)?.plus(&second)?.plus(&size.scaled(first)?)
}

fn cube(size: &Expr) -> Result<Expr, TooLarge> {
    size.times(size)?.times(size)
}
