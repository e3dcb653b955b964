//! Which functions of Python run on this thread.
//!
//! This is called from inside of the interpreter's allocators, so that it must not run anything of the program: no
//! collection of garbage and no exception, and one that is on its way stays.

use std::cell::UnsafeCell;
use std::io;
use std::os::raw::c_int;
use std::sync::OnceLock;

use calltrace::memory::{FURTHER_OUT, NO_FUNCTION, OTHER_INTERPRETER, WITHOUT_INTERPRETER};
use pyo3_ffi::*;

use super::guarded::with_state;
use crate::functions::{Functions, Kept, Subject};

/// Frames of a stack that are followed.
const MOST: usize = 10_000;

type OfFrame = unsafe extern "C" fn(*mut PyObject) -> *mut PyObject;
type Line = unsafe extern "C" fn(*mut PyObject) -> c_int;
type Switch = unsafe extern "C" fn() -> c_int;
type Current = unsafe extern "C" fn() -> *mut PyThreadState;
type InterpreterOf = unsafe extern "C" fn(*mut PyThreadState) -> *mut PyInterpreterState;
type Main = unsafe extern "C" fn() -> *mut PyInterpreterState;

/// What is not in the stable interface.
struct Found {
    line: Line,
    current: Current,
    main: Main,
    interpreter_of: Option<InterpreterOf>,
    /// From Python 3.11 on frames are made when they are asked for, which is what the rest is for.
    made: Option<Made>,
}

#[derive(Clone, Copy)]
struct Made {
    back: OfFrame,
    code: OfFrame,
    last_instruction: Line,
    disable: Switch,
    enable: Switch,
}

static FOUND: OnceLock<Option<Found>> = OnceLock::new();

/// Places that are remembered; one takes the row of another where both have the same.
const ROWS: usize = 1 << 12;

/// An instruction of a code object, with the number of its function and the line: lines are found by going through a
/// table of them.
#[derive(Clone, Copy, Default)]
struct Place {
    code: usize,
    instruction: c_int,
    function: u32,
    line: u32,
}

/// Functions that were met, and frames of the stack that is looked at.
struct Walk {
    places: Vec<Place>,
    functions: Option<Functions>,
    frames: Vec<(u32, u32)>,
    /// Files of functions that are not part of stacks, one a line: those of the recorder.
    own_files: String,
}

struct Held(UnsafeCell<Walk>);

// SAFETY: who looks inside holds the main interpreter.
unsafe impl Sync for Held {}

static WALK: Held = Held(UnsafeCell::new(Walk {
    places: vec![],
    functions: None,
    frames: vec![],
    own_files: String::new(),
}));

/// Looks for what is needed.
///
/// # Safety
/// The interpreter is held.
pub(super) unsafe fn prepare(own_files: String) -> io::Result<()> {
    let walk = &mut *WALK.0.get();
    walk.own_files = own_files;
    walk.places = vec![Place::default(); ROWS];
    let found = FOUND.get_or_init(|| find());
    let missing = || io::Error::other("this interpreter does not tell which functions run");
    found.as_ref().map(|_| ()).ok_or_else(missing)
}

unsafe fn find() -> Option<Found> {
    let address = |name: &std::ffi::CStr| {
        let found = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
        (!found.is_null()).then_some(found)
    };
    macro_rules! function {
        ($name:literal, $kind:ty) => {
            address($name).map(|found| std::mem::transmute::<*mut std::ffi::c_void, $kind>(found))
        };
    }
    let current = function!(c"PyThreadState_GetUnchecked", Current)
        .or_else(|| function!(c"_PyThreadState_UncheckedGet", Current))?;
    // What came with 3.11.
    let made = match function!(c"PyFrame_GetLasti", Line) {
        None => None,
        Some(last_instruction) => Some(Made {
            last_instruction,
            back: function!(c"PyFrame_GetBack", OfFrame)?,
            code: function!(c"PyFrame_GetCode", OfFrame)?,
            disable: function!(c"PyGC_Disable", Switch)?,
            enable: function!(c"PyGC_Enable", Switch)?,
        }),
    };
    Some(Found {
        line: function!(c"PyFrame_GetLineNumber", Line)?,
        current,
        main: function!(c"PyInterpreterState_Main", Main)?,
        interpreter_of: function!(c"PyThreadState_GetInterpreter", InterpreterOf),
        made,
    })
}

/// Gives back what is kept of functions.
///
/// # Safety
/// The interpreter is held.
pub(super) unsafe fn release() {
    let walk = &mut *WALK.0.get();
    // Code objects may go from now on, and others come to their addresses.
    walk.places.clear();
    if let Some(mut functions) = walk.functions.take() {
        functions.release();
    }
}

/// Does something with the frames of this thread, the innermost first, as numbers of functions and lines.
///
/// # Safety
/// Called from an allocator, of which none is called in between on this thread.
pub(super) unsafe fn with_frames(act: impl FnOnce(&[(u32, u32)])) {
    let Some(Some(found)) = FOUND.get() else { return };
    match found.held() {
        Ok(()) => {
            let walk = &mut *WALK.0.get();
            walk.follow(found);
            act(&walk.frames);
        }
        Err(other) => act(&[(other, 0)]),
    }
}

impl Found {
    /// Whether this thread holds the main interpreter; else what stands for its stack.
    unsafe fn held(&self) -> Result<(), u32> {
        let current = (self.current)();
        // Before 3.12 the current state is that of whoever holds the interpreter.
        if current.is_null() || current != PyGILState_GetThisThreadState() && self.is_before_3_12()
        {
            return Err(WITHOUT_INTERPRETER);
        }
        match self.interpreter_of {
            Some(of) if of(current) != (self.main)() => Err(OTHER_INTERPRETER),
            _ => Ok(()),
        }
    }

    fn is_before_3_12(&self) -> bool {
        // SAFETY: asks which version this is.
        static IS: OnceLock<bool> = OnceLock::new();
        *IS.get_or_init(|| {
            let found =
                unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"PyUnstable_Code_GetExtra".as_ptr()) };
            found.is_null()
        })
    }
}

impl Walk {
    unsafe fn follow(&mut self, found: &Found) {
        self.frames.clear();
        match &found.made {
            None => self.follow_old(found),
            Some(made) => {
                let (mut kind, mut value, mut trace) =
                    (std::ptr::null_mut(), std::ptr::null_mut(), std::ptr::null_mut());
                PyErr_Fetch(&raw mut kind, &raw mut value, &raw mut trace);
                let was_enabled = (made.disable)() != 0;
                self.follow_made(found, made);
                if was_enabled {
                    (made.enable)();
                }
                PyErr_Restore(kind, value, trace);
            }
        }
        if self.frames.is_empty() {
            self.frames.push((NO_FUNCTION, 0));
        }
    }

    /// Before 3.11 frames are objects of a known form: a head with a size, the frame before, the code.
    unsafe fn follow_old(&mut self, found: &Found) {
        const BACK: usize = size_of::<PyObject>() + size_of::<usize>();
        let mut frame = PyEval_GetFrame().cast::<PyObject>();
        while !frame.is_null() {
            let fields = frame.cast::<u8>().add(BACK).cast::<*mut PyObject>();
            let (back, code) = (*fields, *fields.add(1));
            let function = self.function(code);
            if !self.push(function, (found.line)(frame).max(0) as u32) {
                break;
            }
            frame = back;
        }
    }

    unsafe fn follow_made(&mut self, found: &Found, made: &Made) {
        let mut frame = PyEval_GetFrame().cast::<PyObject>();
        if !frame.is_null() {
            Py_IncRef(frame);
        }
        while !frame.is_null() {
            let code = (made.code)(frame);
            let instruction = (made.last_instruction)(frame);
            let row = (code as usize >> 4 ^ instruction as usize) & (ROWS - 1);
            let known = self.places.get(row).copied().unwrap_or_default();
            let known = if (known.code, known.instruction) == (code as usize, instruction) {
                known
            } else {
                let function = self.function(code);
                let line = (found.line)(frame).max(0) as u32;
                Place { code: code as usize, instruction, function, line }
            };
            if let Some(place) = self.places.get_mut(row) {
                *place = known;
            }
            let goes_on = self.push(known.function, known.line);
            Py_DecRef(code);
            let back = if goes_on { (made.back)(frame) } else { std::ptr::null_mut() };
            Py_DecRef(frame);
            frame = back;
        }
        // A frame that could not be made, for want of memory.
        PyErr_Clear();
    }

    /// The number of a code object, of which there is one reference more from now on.
    unsafe fn function(&mut self, code: *mut PyObject) -> u32 {
        let functions = self.functions.get_or_insert_with(Functions::new);
        let own_files = &self.own_files;
        functions.number(code as usize, Subject::Code(code), |function| {
            if own_files.lines().any(|own| own == function.file) {
                return Kept { is_own: true, is_logged: false };
            }
            with_state(|state| {
                if let Some(state) = state {
                    state.new_functions.push(function);
                }
            });
            Kept { is_own: false, is_logged: false }
        })
    }

    /// Whether there is room for more.
    fn push(&mut self, function: u32, line: u32) -> bool {
        if self.frames.len() >= MOST {
            self.frames.push((FURTHER_OUT, 0));
            return false;
        }
        if !self.functions.as_mut().is_some_and(|all| all.met(function).is_demoted) {
            self.frames.push((function, line));
        }
        true
    }
}
