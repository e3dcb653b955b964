//! Rules that come along. Each says something of programs in general, has a reason that can be looked up,
//! and stays silent below a share that nobody would work on.

use super::rule::SHIPPED;
use super::{AdviceRule, OfValue, RuleUnit};

/// Functions that take memory from the heap.
const ALLOCATE: &str = r"^(malloc|calloc|realloc|posix_memalign|aligned_alloc|__libc_malloc|_int_malloc|operator new(\[\])?(\(.*\))?|_Zn[wa][jmy].*|__rust_alloc|__rustc::__rust_alloc|alloc::alloc::alloc|runtime\.(mallocgc|newobject|makeslice|growslice)|PyObject_Malloc|_PyObject_GC_New.*|PyMem_Malloc)$";

/// Functions in which a thread waits for another one.
const LOCK: &str = r"^(__lll_lock_wait.*|__GI___lll_lock_wait.*|(___?)?pthread_(mutex_lock|rwlock_(rd|wr)lock|spin_lock)|futex_wait.*|__futex_abstimed_wait.*|(native_)?queued_spin_lock_slowpath|__mutex_lock.*|rwsem_down_(read|write)_.*|ObjectMonitor::(enter|EnterI|wait)|ObjectSynchronizer::enter|sync\.\(\*(RW)?Mutex\)\.(R?Lock|lockSlow)|runtime\.(lock2?|semacquire1?)|std::sys::.*::Mutex::lock_contended|parking_lot::.*::lock_slow|take_gil|PyThread_acquire_lock(_timed)?|java\.util\.concurrent\.locks\..*\.(lock|acquire.*|park.*)|System\.Threading\.Monitor\.(Enter|ReliableEnter)|<method 'acquire' of '_thread\.lock' objects>)$";

/// Functions of garbage collectors.
const COLLECT: &str = r"^(runtime\.(gcBgMarkWorker|gcDrain|gcAssistAlloc|bgsweep)|gc_collect_main|_?PyGC_Collect.*|gc_collect_region|G1(ParTask|YoungCollector|FullGC).*|(Parallel|Serial|Shenandoah|Z)(GC|Collector).*|\(garbage collector\)|GC|v8::internal::Heap::CollectGarbage.*|SVR::gc_heap::.*|WKS::gc_heap::.*)$";

/// Functions that copy or fill memory.
const COPY: &str = r"^(__)?w?mem(cpy|move|set)(_(avx|s?sse|evex|erms|chk|generic|unaligned|neon|falkor|thunderx|sve|mops|orig)[a-z0-9_]*)?$|^runtime\.(memmove|memclrNoHeapPointers)$|^copy_user_[a-z0-9_]*$";

/// Where the kernel gives a program a page that it touches for the first time.
const FAULT: &str = r"^(asm_exc_page_fault|exc_page_fault|do_user_addr_fault|handle_mm_fault)$";

/// The rules.
pub fn shipped() -> Vec<AdviceRule> {
    let rule = |title: &str, name: &str, share: f64, text: &str| AdviceRule {
        title: title.to_owned(),
        name: name.to_owned(),
        share,
        text: text.to_owned(),
        origin: SHIPPED.to_owned(),
        ..AdviceRule::default()
    };
    let of_time = |title: &str, name: &str, share: f64, text: &str| AdviceRule {
        unit: Some(RuleUnit::Time),
        ..rule(title, name, share, text)
    };
    vec![
        AdviceRule {
            in_loop: true,
            ..rule(
                "Allocation in a loop",
                ALLOCATE,
                1.0,
                "Allocate before the loop, and reuse the memory.",
            )
        },
        of_time(
            "Waiting for a lock",
            LOCK,
            5.0,
            "Hold the lock for less time, or split what it protects. The callers show which lock it is.",
        ),
        of_time(
            "Garbage collection",
            COLLECT,
            5.0,
            "Allocate less: look where most short-lived memory is allocated.",
        ),
        AdviceRule {
            of: OfValue::Own,
            ..of_time(
                "Copying memory",
                COPY,
                10.0,
                "Pass references, or write in place. The callers show which copies these are.",
            )
        },
        of_time(
            "Touching memory for the first time",
            FAULT,
            5.0,
            "Keep and reuse memory, or use large pages: the kernel adds a page at each first touch.",
        ),
        AdviceRule {
            recursive: true,
            ..of_time(
                "Recursion",
                r"^[^<(\[]",
                20.0,
                "This much is in recursive calls. Merge recursion (press r on the page) to see its callers \
                 added up.",
            )
        },
        AdviceRule {
            role: "reuse".to_owned(),
            of: OfValue::Own,
            ..rule(
                "Data is used again",
                "",
                10.0,
                "Fuse or block the loops, so that the data is still in cache. Linked contexts show its \
                 earlier use.",
            )
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::shipped;
    use crate::Pattern;

    #[test]
    fn all_are_rules_and_fit_what_they_are_for() {
        let rules = shipped();
        for rule in &rules {
            rule.check().unwrap_or_else(|error| panic!("{}: {error}", rule.title));
        }
        let fits = |title: &str, name: &str| {
            let rule = rules.iter().find(|rule| rule.title == title).unwrap();
            Pattern::new(&rule.name).unwrap().is_match(name)
        };
        for name in ["malloc", "operator new(unsigned long)", "runtime.mallocgc", "_Znwm"] {
            assert!(fits("Allocation in a loop", name), "{name}");
        }
        for name in ["sync.(*Mutex).Lock", "pthread_mutex_lock", "ObjectMonitor::enter"] {
            assert!(fits("Waiting for a lock", name), "{name}");
        }
        for name in ["unlock", "pthread_mutex_unlock", "block", "runtime.unlock"] {
            assert!(!fits("Waiting for a lock", name), "{name}");
        }
        assert!(fits("Copying memory", "__memmove_avx_unaligned_erms"));
        assert!(!fits("Copying memory", "memcpy_table_of_mine::run"));
    }
}
