//! The interpreter's profile function, for versions before `sys.monitoring`: Python 3.8 to 3.11.
//!
//! What is not part of the stable interface is looked for when it is needed, so that one extension is right
//! for all versions.

use std::os::raw::{c_int, c_void};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use calltrace::{FunctionKind, Happened};
use pyo3_ffi::*;

use crate::functions::{Subject, c_key};
use crate::logging::log;
use crate::tracer::{Tracer, current};

type Hook = unsafe extern "C" fn(*mut PyObject, *mut PyObject, c_int, *mut PyObject) -> c_int;
type SetProfile = unsafe extern "C" fn(Option<Hook>, *mut PyObject);
type GetLast = unsafe extern "C" fn(*mut PyObject) -> c_int;
type GetCode = unsafe extern "C" fn(*mut PyObject) -> *mut PyObject;

static SET_PROFILE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static GET_CODE: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
/// `PyFrame_GetLasti`, from 3.11 on, and the name of the attribute that says the same before; the name is kept for ever.
static GET_LAST: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());
static F_LASTI: AtomicPtr<PyObject> = AtomicPtr::new(std::ptr::null_mut());
/// What stands for the tracer where Python asks for the profile function; kept for ever.
static SIGN: AtomicPtr<PyObject> = AtomicPtr::new(std::ptr::null_mut());
/// Where a frame has its code, in versions whose frames are objects of a known form; 0 where not.
static CODE_OFFSET: AtomicUsize = AtomicUsize::new(0);
static WITH_C: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

const CALL: c_int = 0;
const RETURN: c_int = 3;
const C_CALL: c_int = 4;
const C_EXCEPTION: c_int = 5;
const C_RETURN: c_int = 6;

/// Looks for what is needed; whether all of it is there.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn prepare(minor: u32, with_c: bool) -> bool {
    let find = |name: &std::ffi::CStr| libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
    SET_PROFILE.store(find(c"PyEval_SetProfile"), Ordering::Relaxed);
    GET_CODE.store(find(c"PyFrame_GetCode"), Ordering::Relaxed);
    GET_LAST.store(find(c"PyFrame_GetLasti"), Ordering::Relaxed);
    if F_LASTI.load(Ordering::Relaxed).is_null() {
        F_LASTI.store(PyUnicode_InternFromString(c"f_lasti".as_ptr()), Ordering::Relaxed);
    }
    // Head with a size, the frame before, the code.
    let known = if minor < 11 { size_of::<PyObject>() + 2 * size_of::<usize>() } else { 0 };
    CODE_OFFSET.store(known, Ordering::Relaxed);
    WITH_C.store(with_c, Ordering::Relaxed);
    let is_null = |place: &AtomicPtr<c_void>| place.load(Ordering::Relaxed).is_null();
    !is_null(&SET_PROFILE) && (known > 0 || !is_null(&GET_CODE))
}

/// What `sys.getprofile()` gives from now on where a thread is watched.
///
/// # Safety
/// The interpreter is held.
pub(crate) unsafe fn set_sign(sign: *mut PyObject) {
    if SIGN.swap(sign, Ordering::Relaxed) != sign {
        Py_IncRef(sign);
    }
}

/// Watches this thread, or no longer.
///
/// # Safety
/// The interpreter is held, and [`prepare`] found everything.
pub(crate) unsafe fn watch(is_on: bool) {
    let set = SET_PROFILE.load(Ordering::Relaxed);
    if set.is_null() {
        return;
    }
    let set: SetProfile = std::mem::transmute(set);
    let sign = if is_on { SIGN.load(Ordering::Relaxed) } else { std::ptr::null_mut() };
    set(is_on.then_some(hook as Hook), sign);
}

unsafe extern "C" fn hook(
    _: *mut PyObject,
    frame: *mut PyObject,
    what: c_int,
    argument: *mut PyObject,
) -> c_int {
    let Some(tracer) = current() else {
        watch(false);
        return 0;
    };
    match what {
        CALL | RETURN => of_python(tracer, frame, what, argument),
        C_CALL | C_RETURN | C_EXCEPTION if WITH_C.load(Ordering::Relaxed) => {
            if let Some(key) = c_key(argument) {
                let function = tracer.function(key, Subject::Callable(argument));
                match what {
                    C_CALL => tracer.call(function),
                    C_RETURN => tracer.goes(Happened::Return, function),
                    _ => tracer.goes(Happened::Unwind, function),
                };
            }
        }
        _ => {}
    }
    0
}

unsafe fn of_python(
    tracer: &mut Tracer,
    frame: *mut PyObject,
    what: c_int,
    argument: *mut PyObject,
) {
    let code = code_of(frame);
    if code.is_null() {
        return;
    }
    let function = tracer.function(code as usize, Subject::Code(code));
    let kind = tracer.kind(function);
    let is_plain = matches!(kind, FunctionKind::Python | FunctionKind::C);
    if what == CALL {
        // A generator is called for each time that it goes on.
        if is_plain || has_not_begun(frame) {
            tracer.call(function);
            if tracer.is_logged(function) {
                log(function, Happened::Call, std::ptr::null_mut());
            }
        } else {
            tracer.goes(Happened::Resume, function);
        }
        return;
    }
    let happened = if argument.is_null() {
        Happened::Unwind
    } else if !is_plain && !is_at_end(tracer, function, frame) {
        Happened::Suspend
    } else {
        Happened::Return
    };
    tracer.goes(happened, function);
    if tracer.is_logged(function) {
        log(function, happened, argument);
    }
}

/// The code of a frame, which the frame keeps alive.
unsafe fn code_of(frame: *mut PyObject) -> *mut PyObject {
    let offset = CODE_OFFSET.load(Ordering::Relaxed);
    if offset > 0 {
        return *frame.cast::<u8>().add(offset).cast::<*mut PyObject>();
    }
    let get: GetCode = std::mem::transmute(GET_CODE.load(Ordering::Relaxed));
    let code = get(frame);
    Py_DecRef(code);
    code
}

unsafe fn last_instruction(frame: *mut PyObject) -> i64 {
    let get = GET_LAST.load(Ordering::Relaxed);
    if !get.is_null() {
        let get: GetLast = std::mem::transmute(get);
        return get(frame).into();
    }
    let value = PyObject_GetAttr(frame, F_LASTI.load(Ordering::Relaxed));
    if value.is_null() {
        PyErr_Clear();
        return -1;
    }
    let number = PyLong_AsLongLong(value);
    PyErr_Clear();
    Py_DecRef(value);
    number
}

/// Whether a generator's frame is called for the first time.
unsafe fn has_not_begun(frame: *mut PyObject) -> bool {
    !current().is_some_and(|tracer| tracer.is_alive(frame as usize))
}

/// Whether the instruction that a generator's frame is at returns.
unsafe fn is_at_end(tracer: &mut Tracer, function: u32, frame: *mut PyObject) -> bool {
    const RETURN_VALUE: u8 = 83;
    let at = usize::try_from(last_instruction(frame));
    let code = tracer.generator_code(function, || bytes_of(code_of(frame)));
    at.is_ok_and(|at| code.get(at) == Some(&RETURN_VALUE))
}

/// The instructions of code, as they were compiled.
unsafe fn bytes_of(code: *mut PyObject) -> Box<[u8]> {
    let bytes = PyObject_GetAttrString(code, c"co_code".as_ptr());
    if bytes.is_null() {
        PyErr_Clear();
        return Box::default();
    }
    let length = PyBytes_Size(bytes).max(0) as usize;
    let copy = std::slice::from_raw_parts(PyBytes_AsString(bytes).cast::<u8>(), length).into();
    Py_DecRef(bytes);
    copy
}
