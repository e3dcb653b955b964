//! Stacks boxes in two threads, for the `dhat` crate to see.

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

#[allow(dead_code)]
struct Crate {
    inner: Option<Box<Crate>>,
    label: String,
}

#[inline(never)]
fn nest(depth: usize) -> Crate {
    Crate { inner: (depth > 0).then(|| Box::new(nest(depth - 1))), label: "x".repeat(10 * depth) }
}

#[inline(never)]
fn line_up(count: usize) -> Vec<usize> {
    let mut row = Vec::new();
    (0..count).for_each(|number| row.push(number));
    row
}

fn main() {
    let _profiler = dhat::Profiler::new_heap();
    let nester = std::thread::spawn(|| nest(8));
    let liner = std::thread::spawn(|| line_up(1000).len());
    let nested = nester.join();
    println!("{:?}", liner.join().ok());
    std::mem::forget(nested);
}
