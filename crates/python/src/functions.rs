//! Functions and their numbers.

use std::ffi::CStr;
use std::ops::Range;
use std::os::raw::c_void;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

use calltrace::{Function, FunctionKind, MOST_FUNCTIONS};
use pyo3_ffi::*;
use rustc_hash::FxHashMap;

/// Functions found by their address without a look at the table of all.
const CACHED: usize = 1 << 12;

/// The kind of bound methods of C that know their class, from Python 3.9 on; not in the stable interface.
static METHODS: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Whether code objects have qualified names, as from Python 3.11 on. Who asks for what is not there makes an
/// exception, which allocators must not.
static HAS_QUALIFIED: AtomicBool = AtomicBool::new(false);

/// Where the definitions of this module's own functions begin and end.
static OWN: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Whether a function of C is one of this module.
fn is_own(definition: usize) -> bool {
    let [start, end] = OWN.each_ref().map(|at| at.load(Ordering::Relaxed));
    (start..end).contains(&definition)
}

/// Looks for what is not in the stable interface; `own` is where the definitions of this module's functions
/// are.
pub(crate) fn prepare(own: Range<usize>) {
    OWN[0].store(own.start, Ordering::Relaxed);
    OWN[1].store(own.end, Ordering::Relaxed);
    // SAFETY: looks a name up.
    let find = |name: &CStr| unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    METHODS.store(find(c"PyCMethod_Type"), Ordering::Relaxed);
    HAS_QUALIFIED.store(!find(c"PyFrame_GetLasti").is_null(), Ordering::Relaxed);
}

/// More functions are one, so that programs that make them as they go do not fill the memory.
const MOST: usize = 1 << 20;

/// Functions that were met, numbered as they came. Their code objects are kept, so that no address is that of
/// another one later.
pub(crate) struct Functions {
    cached: Box<[(usize, u32); CACHED]>,
    known: FxHashMap<usize, u32>,
    all: Vec<Met>,
    /// References of ours.
    kept: Vec<*mut PyObject>,
    /// The number of all beyond the most, once there are.
    others: Option<u32>,
}

/// What is remembered of a function.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met {
    pub(crate) kind: FunctionKind,
    /// Calls that began, saturating.
    pub(crate) calls: u32,
    /// How often one of its calls went on after it had yielded, saturating.
    pub(crate) resumes: u32,
    /// It is no longer traced, or never was: it is the tracer's own.
    pub(crate) is_demoted: bool,
    /// Its values are told.
    pub(crate) is_logged: bool,
}

/// What is made of a function that is met first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    /// It is one of the tracer's own, which is not a part of the trace.
    pub(crate) is_own: bool,
    pub(crate) is_logged: bool,
}

/// Who can be asked what a function is.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    /// A code object.
    Code(*mut PyObject),
    /// What was called of C.
    Callable(*mut PyObject),
}

impl Functions {
    pub(crate) fn new() -> Functions {
        Functions {
            cached: Box::new([(0, 0); CACHED]),
            known: FxHashMap::default(),
            all: vec![],
            kept: vec![],
            others: None,
        }
    }

    /// Gives back what is kept: numbers mean nothing from then on.
    ///
    /// # Safety
    /// The interpreter is held.
    pub(crate) unsafe fn release(&mut self) {
        self.known.clear();
        self.cached.fill((0, 0));
        for object in std::mem::take(&mut self.kept) {
            Py_DecRef(object);
        }
    }

    pub(crate) fn met(&mut self, number: u32) -> &mut Met {
        &mut self.all[number as usize]
    }

    /// The number of a function that `key` tells from others; `new` hears of those that are met first, and says
    /// what is made of it.
    ///
    /// # Safety
    /// The subject is an object of its kind, and the interpreter is held.
    #[inline]
    pub(crate) unsafe fn number(
        &mut self,
        key: usize,
        subject: Subject,
        new: impl FnOnce(Function) -> Kept,
    ) -> u32 {
        // Objects are aligned to 16 bytes.
        let place = key >> 4 & (CACHED - 1);
        let (cached, number) = self.cached[place];
        if cached == key {
            return number;
        }
        let number = self.find(key, subject, new);
        self.cached[place] = (key, number);
        number
    }

    #[cold]
    unsafe fn find(
        &mut self,
        key: usize,
        subject: Subject,
        new: impl FnOnce(Function) -> Kept,
    ) -> u32 {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let is_full = self.all.len() >= MOST.min(MOST_FUNCTIONS as usize - 1);
        if let (true, Some(others)) = (is_full, self.others) {
            return others;
        }
        let number = self.all.len() as u32;
        let mut function = match subject {
            _ if is_full => Function { name: "other functions".to_owned(), ..Function::default() },
            Subject::Code(code) => code_function(code),
            Subject::Callable(callable) => callable_function(callable),
        };
        function.number = number;
        let kind = function.kind;
        let Kept { is_own: is_demoted, is_logged } = new(function);
        self.all.push(Met { kind, calls: 0, resumes: 0, is_demoted, is_logged });
        if is_full {
            self.others = Some(number);
            return number;
        }
        self.known.insert(key, number);
        let (Subject::Code(kept) | Subject::Callable(kept)) = subject;
        Py_IncRef(kept);
        self.kept.push(kept);
        number
    }
}

/// What tells a function of C from others: its definition where it has one, for objects of bound methods come
/// and go. None for what is not a function of C: its calls have no end that is told, or are of Python.
///
/// # Safety
/// It is an object, and the interpreter is held.
#[inline]
pub(crate) unsafe fn c_key(callable: *mut PyObject) -> Option<usize> {
    let kind = Py_TYPE(callable);
    // After the head of an object stands a function's definition; in a descriptor of a method three more
    // pointers do before it. Both have been so since Python 3.3.
    let definition = |place: usize| {
        let field = callable.cast::<u8>().add(size_of::<PyObject>() + place).cast::<usize>();
        Some(*field).filter(|&definition| !is_own(definition))
    };
    if kind == &raw mut PyCFunction_Type || kind.cast() == METHODS.load(Ordering::Relaxed) {
        return definition(0);
    }
    if kind == &raw mut PyMethodDescr_Type || kind == &raw mut PyClassMethodDescr_Type {
        return definition(3 * size_of::<*mut c_void>());
    }
    None
}

unsafe fn code_function(code: *mut PyObject) -> Function {
    let flags = number(code, c"co_flags");
    const GENERATOR: i64 = 0x20;
    const COROUTINE: i64 = 0x80;
    const ASYNC_GENERATOR: i64 = 0x200;
    let kind = match flags {
        _ if flags & COROUTINE != 0 => FunctionKind::Coroutine,
        _ if flags & ASYNC_GENERATOR != 0 => FunctionKind::AsyncGenerator,
        _ if flags & GENERATOR != 0 => FunctionKind::Generator,
        _ => FunctionKind::Python,
    };
    let is_qualified = HAS_QUALIFIED.load(Ordering::Relaxed);
    let name = text(code, if is_qualified { c"co_qualname" } else { c"co_name" });
    Function {
        number: 0,
        kind,
        name: name.unwrap_or_default(),
        module: String::new(),
        file: text(code, c"co_filename").unwrap_or_default(),
        line: number(code, c"co_firstlineno").max(0) as u32,
    }
}

unsafe fn callable_function(callable: *mut PyObject) -> Function {
    let name = text(callable, c"__qualname__").or_else(|| text(callable, c"__name__"));
    Function {
        kind: FunctionKind::C,
        name: name.unwrap_or_default(),
        module: text(callable, c"__module__").unwrap_or_default(),
        ..Function::default()
    }
}

unsafe fn number(object: *mut PyObject, name: &CStr) -> i64 {
    let value = PyObject_GetAttrString(object, name.as_ptr());
    if value.is_null() {
        PyErr_Clear();
        return 0;
    }
    let number = PyLong_AsLongLong(value);
    PyErr_Clear();
    Py_DecRef(value);
    number
}

/// An attribute where it is a text.
///
/// # Safety
/// It is an object, and the interpreter is held.
pub(crate) unsafe fn text(object: *mut PyObject, name: &CStr) -> Option<String> {
    let value = PyObject_GetAttrString(object, name.as_ptr());
    if value.is_null() {
        PyErr_Clear();
        return None;
    }
    let text = string(value);
    Py_DecRef(value);
    text
}

/// A text.
///
/// # Safety
/// It is an object, and the interpreter is held.
pub(crate) unsafe fn string(value: *mut PyObject) -> Option<String> {
    if PyUnicode_Check(value) == 0 {
        return None;
    }
    // What is not UTF-8 stands in file names.
    let bytes = PyUnicode_AsEncodedString(value, c"utf-8".as_ptr(), c"backslashreplace".as_ptr());
    if bytes.is_null() {
        PyErr_Clear();
        return None;
    }
    let (start, length) = (PyBytes_AsString(bytes), PyBytes_Size(bytes));
    let slice = std::slice::from_raw_parts(start.cast::<u8>(), length.max(0) as usize);
    let text = String::from_utf8_lossy(slice).into_owned();
    Py_DecRef(bytes);
    Some(text)
}
