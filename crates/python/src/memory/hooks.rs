//! In front of the interpreter's allocators.
//!
//! Of almost all blocks nothing happens here but that a countdown of bytes goes on. A large block is got by one
//! allocator from another: what is got inside of a call here is not a block of its own.

use std::cell::Cell;
use std::io;
use std::os::raw::{c_int, c_void};
use std::ptr::{addr_of, addr_of_mut, null_mut};
use std::sync::OnceLock;
use std::sync::atomic::Ordering::Relaxed;

use calltrace::memory::Block;

use super::guarded::with_state;
use super::recording::{GENERATION, IS_ON, MEAN};
use super::{filter, stack};
use crate::clock;

/// `PyMemAllocatorEx`, which is the same in all versions.
#[repr(C)]
#[derive(Clone, Copy)]
struct Allocator {
    context: *mut c_void,
    malloc: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
    calloc: unsafe extern "C" fn(*mut c_void, usize, usize) -> *mut c_void,
    realloc: unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void, *mut c_void),
}

/// Raw, mem and object, by their numbers.
const DOMAINS: usize = 3;

type Exchange = unsafe extern "C" fn(c_int, *mut Allocator);

struct Exchanges {
    get: Exchange,
    set: Exchange,
}

static EXCHANGES: OnceLock<Option<Exchanges>> = OnceLock::new();

const EMPTY: Allocator = own::<0>(null_mut());

/// The allocators behind the hooks. A thread may be in a hook at any time, so that they stay when these are taken
/// out.
static mut INNER: [Allocator; DOMAINS] = [EMPTY; DOMAINS];
/// Whether a hook is somewhere in the chain: another tool was put in front of it.
static mut IS_IN: [bool; DOMAINS] = [false; DOMAINS];

/// Hooks, with the context of what is behind: who sees one changed and the other not yet calls what is right.
const fn own<const D: usize>(context: *mut c_void) -> Allocator {
    Allocator {
        context,
        malloc: malloc::<D>,
        calloc: calloc::<D>,
        realloc: realloc::<D>,
        free: free::<D>,
    }
}

fn hooks(domain: usize, context: *mut c_void) -> Allocator {
    match domain {
        0 => own::<0>(context),
        1 => own::<1>(context),
        _ => own::<2>(context),
    }
}

/// Puts hooks in front of all allocators.
///
/// # Safety
/// The interpreter is held.
pub(super) unsafe fn put_in() -> io::Result<()> {
    let exchanges = EXCHANGES.get_or_init(|| {
        let find = |name: &std::ffi::CStr| {
            let found = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
            (!found.is_null()).then(|| std::mem::transmute::<*mut c_void, Exchange>(found))
        };
        Some(Exchanges { get: find(c"PyMem_GetAllocator")?, set: find(c"PyMem_SetAllocator")? })
    });
    let Some(exchanges) = exchanges else {
        return Err(io::Error::other("allocators of this interpreter cannot be watched"));
    };
    for domain in 0..DOMAINS {
        let is_in = addr_of_mut!(IS_IN).cast::<bool>().add(domain);
        if *is_in {
            continue;
        }
        let inner = addr_of_mut!(INNER).cast::<Allocator>().add(domain);
        (exchanges.get)(domain as c_int, inner);
        let mut hooks = hooks(domain, (*inner).context);
        (exchanges.set)(domain as c_int, &raw mut hooks);
        *is_in = true;
    }
    Ok(())
}

/// Takes the hooks out that nobody put another in front of; those that stay do nothing.
///
/// # Safety
/// The interpreter is held.
pub(super) unsafe fn take_out() {
    let Some(Some(exchanges)) = EXCHANGES.get() else { return };
    for domain in 0..DOMAINS {
        let mut now = EMPTY;
        (exchanges.get)(domain as c_int, &raw mut now);
        if now.malloc as usize == hooks(domain, null_mut()).malloc as usize {
            (exchanges.set)(domain as c_int, addr_of_mut!(INNER).cast::<Allocator>().add(domain));
            *addr_of_mut!(IS_IN).cast::<bool>().add(domain) = false;
        }
    }
}

/// What a thread has of the recording.
struct Here {
    generation: Cell<u32>,
    /// Whether it is in a hook.
    is_inside: Cell<bool>,
    /// Bytes up to the next mark.
    left: Cell<i64>,
    random: Cell<u64>,
    /// Its number; none before its first sample.
    thread: Cell<Option<u32>>,
}

thread_local! {
    static HERE: Here = const {
        Here {
            generation: Cell::new(0),
            is_inside: Cell::new(false),
            left: Cell::new(0),
            random: Cell::new(0),
            thread: Cell::new(None),
        }
    };
}

#[inline]
unsafe fn inner<const D: usize>() -> &'static Allocator {
    &*addr_of!(INNER).cast::<Allocator>().add(D)
}

#[inline]
unsafe fn got(size: usize, get: impl FnOnce() -> *mut c_void) -> *mut c_void {
    HERE.with(|here| {
        if here.is_inside.replace(true) {
            return get();
        }
        let block = get();
        here.count(block, size);
        here.is_inside.set(false);
        block
    })
}

unsafe extern "C" fn malloc<const D: usize>(context: *mut c_void, size: usize) -> *mut c_void {
    got(size, || (inner::<D>().malloc)(context, size))
}

unsafe extern "C" fn calloc<const D: usize>(
    context: *mut c_void,
    count: usize,
    size: usize,
) -> *mut c_void {
    got(count.saturating_mul(size), || (inner::<D>().calloc)(context, count, size))
}

unsafe extern "C" fn realloc<const D: usize>(
    context: *mut c_void,
    block: *mut c_void,
    size: usize,
) -> *mut c_void {
    if !filter::may_be(block as usize) {
        return got(size, || (inner::<D>().realloc)(context, block, size));
    }
    let before = with_state(|state| state.as_mut()?.ledger.detach(block as usize));
    got(size, || {
        let after = (inner::<D>().realloc)(context, block, size);
        if let Some(before) = before {
            moved(block, before, after.is_null());
        }
        after
    })
}

/// A sample was given back for another block, or is still there, where none was to be had.
#[cold]
fn moved(block: *mut c_void, before: Block, is_there: bool) {
    with_state(|state| {
        let Some(state) = state else { return };
        if is_there {
            state.ledger.attach(block as usize, before);
        } else {
            filter::remove(block as usize);
            state.ledger.give_back(before);
        }
    });
}

unsafe extern "C" fn free<const D: usize>(context: *mut c_void, block: *mut c_void) {
    // Before its address is another block's.
    if filter::may_be(block as usize) {
        given_back(block as usize);
    }
    (inner::<D>().free)(context, block);
}

#[cold]
fn given_back(address: usize) {
    with_state(|state| {
        if let Some(state) = state
            && state.ledger.free(address)
        {
            filter::remove(address);
        }
    });
}

impl Here {
    /// A block is there.
    #[inline]
    unsafe fn count(&self, block: *mut c_void, size: usize) {
        let left = self.left.get().saturating_sub_unsigned(size as u64);
        self.left.set(left);
        if left <= 0 || self.generation.get() != GENERATION.load(Relaxed) {
            self.sample(block, size);
        }
    }

    #[cold]
    unsafe fn sample(&self, block: *mut c_void, size: usize) {
        let generation = GENERATION.load(Relaxed);
        if !IS_ON.load(Relaxed) || block.is_null() {
            self.generation.set(generation);
            self.thread.set(None);
            self.left.set(i64::MAX);
            return;
        }
        let mean = MEAN.load(Relaxed);
        if self.generation.replace(generation) != generation {
            self.thread.set(None);
            let left = self.draw(mean);
            if left > size as i64 {
                self.left.set(left - size as i64);
                return;
            }
        }
        self.left.set(self.draw(mean));
        stack::with_frames(|frames| {
            let ticks = clock::ticks();
            with_state(|state| {
                let Some(state) = state else { return };
                let thread = self.thread.get().unwrap_or_else(|| state.join());
                self.thread.set(Some(thread));
                state.sample((block as usize, size as u64), thread, frames, ticks);
            });
        });
    }

    /// Bytes up to a mark.
    fn draw(&self, mean: u64) -> i64 {
        if mean == 0 {
            return 0;
        }
        let mut random = self.random.get();
        if random == 0 {
            random = clock::ticks() ^ (std::ptr::from_ref(self) as u64).rotate_left(32) | 1;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        self.random.set(random);
        let random = random.wrapping_mul(0x2545_f491_4f6c_dd1d);
        // From above 0 to 1.
        let share = ((random >> 11) + 1) as f64 / (1u64 << 53) as f64;
        (-share.ln() * mean as f64) as i64
    }
}
