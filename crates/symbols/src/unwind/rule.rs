//! How to get from a frame to its caller: what unwind information says at one address.

use gimli::{EndianSlice, LittleEndian};

use super::registers::{Architecture, Registers};

/// The deepest that an expression of unwind information stacks values, and the most that it does; those
/// of compilers have a dozen operations.
const MAX_VALUES: usize = 16;
const MAX_OPERATIONS: usize = 256;
/// Stacks are not larger: what is further away was misread.
const MAX_STACK: u64 = 1 << 30;

/// Where the caller's frame and registers are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rule {
    /// The canonical frame address: what the stack pointer was before the call.
    pub(super) frame: Frame,
    pub(super) return_address: Saved,
    /// Other registers, by DWARF's number.
    pub(super) registers: Box<[(u8, Saved)]>,
    /// A signal interrupted the caller, so that its address is that of an instruction and not the one
    /// after a call.
    pub(super) is_signal: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Frame {
    /// A register and so many bytes.
    Register(u8, i64),
    /// The result of an expression.
    Expression(Box<[u8]>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Saved {
    /// As it is.
    Same,
    /// It cannot be known. As return address: nobody called.
    Undefined,
    /// In memory, so many bytes from the frame address.
    At(i64),
    /// The frame address and so many bytes.
    Is(i64),
    /// In another register.
    Register(u8),
    /// In memory, where an expression says.
    AtExpression(Box<[u8]>),
    /// The result of an expression.
    IsExpression(Box<[u8]>),
}

/// The copy of a stack: bytes from the stack pointer up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dump<'a> {
    pub(super) begin: u64,
    pub(super) bytes: &'a [u8],
}

/// Why a rule could not be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Nobody called: the stack ends here.
    Outermost,
    /// The caller's frame is beyond the copy.
    BeyondDump,
    /// What is read makes no sense.
    Misread,
}

impl Dump<'_> {
    pub(super) fn read(&self, address: u64) -> Result<u64, Stop> {
        let offset = address.checked_sub(self.begin).ok_or(Stop::Misread)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = start.checked_add(8).and_then(|end| self.bytes.get(start..end));
        match bytes.and_then(|bytes| bytes.try_into().ok()) {
            Some(bytes) => Ok(u64::from_le_bytes(bytes)),
            None if offset < MAX_STACK => Err(Stop::BeyondDump),
            None => Err(Stop::Misread),
        }
    }
}

impl Rule {
    /// Makes the registers of a frame those of its caller, whose instruction is in `pc` then.
    pub(super) fn apply(
        &self,
        architecture: Architecture,
        registers: &mut Registers,
        stack: &Dump<'_>,
        is_leaf: bool,
    ) -> Result<(), Stop> {
        let sp = registers.get(architecture.sp()).ok_or(Stop::Misread)?;
        let frame = match &self.frame {
            Frame::Register(register, offset) => {
                let value = value_of(architecture, registers, *register).ok_or(Stop::Misread)?;
                value.checked_add_signed(*offset).ok_or(Stop::Misread)?
            }
            Frame::Expression(bytes) => evaluate(architecture, bytes, registers, stack, None)?,
        };
        let inner = *registers;
        let find = |saved: &Saved, register: u8| {
            let address = |offset: i64| frame.checked_add_signed(offset).ok_or(Stop::Misread);
            Ok(Some(match saved {
                Saved::Same => return Ok(value_of(architecture, &inner, register)),
                Saved::Undefined => return Ok(None),
                Saved::At(offset) => stack.read(address(*offset)?)?,
                Saved::Is(offset) => address(*offset)?,
                Saved::Register(other) => return Ok(value_of(architecture, &inner, *other)),
                Saved::AtExpression(bytes) => {
                    stack.read(evaluate(architecture, bytes, &inner, stack, Some(frame))?)?
                }
                Saved::IsExpression(bytes) => {
                    evaluate(architecture, bytes, &inner, stack, Some(frame))?
                }
            }))
        };
        if self.return_address == Saved::Undefined {
            return Err(Stop::Outermost);
        }
        let pc = find(&self.return_address, architecture.ra())?.ok_or(Stop::Misread)?;
        registers.keep_callee_saved(architecture);
        registers.set(architecture.sp(), frame);
        for (register, saved) in &self.registers {
            match find(saved, *register) {
                Ok(Some(value)) => registers.set(*register, value),
                Ok(None) => registers.forget(*register),
                // In the leaf, a register may have been taken from below the stack pointer already, and
                // unwind information may not say so.
                Err(Stop::Misread) if is_leaf => {}
                // The caller's caller may not need it.
                Err(_) => registers.forget(*register),
            }
        }
        let outer = registers.get(architecture.sp()).ok_or(Stop::Misread)?;
        // Frames lead upwards; only one that has not touched the stack stays where it is, and a signal
        // may have its own stack.
        let advances = outer > sp || (is_leaf && outer == sp && pc != inner.pc) || self.is_signal;
        if !advances {
            return Err(Stop::Misread);
        }
        registers.pc = pc;
        if pc == 0 { Err(Stop::Outermost) } else { Ok(()) }
    }
}

fn value_of(architecture: Architecture, registers: &Registers, register: u8) -> Option<u64> {
    if architecture == Architecture::X86_64 && register == architecture.ra() {
        return Some(registers.pc);
    }
    registers.get(register)
}

/// What an expression comes to. There are no branches, so it ends.
fn evaluate(
    architecture: Architecture,
    bytes: &[u8],
    registers: &Registers,
    stack: &Dump<'_>,
    first: Option<u64>,
) -> Result<u64, Stop> {
    use gimli::Operation as Do;
    let encoding = gimli::Encoding { address_size: 8, format: gimli::Format::Dwarf32, version: 4 };
    let mut bytes = EndianSlice::new(bytes, LittleEndian);
    let mut values = Values::default();
    if let Some(first) = first {
        values.push(first)?;
    }
    for _ in 0..MAX_OPERATIONS {
        if bytes.is_empty() {
            return values.pop();
        }
        let operation = Do::parse(&mut bytes, encoding).map_err(|_| Stop::Misread)?;
        let result = match operation {
            Do::UnsignedConstant { value } | Do::Address { address: value } => value,
            Do::SignedConstant { value } => value.cast_unsigned(),
            Do::RegisterOffset { register, offset, .. } => {
                let register = u8::try_from(register.0).map_err(|_| Stop::Misread)?;
                let value = value_of(architecture, registers, register).ok_or(Stop::Misread)?;
                value.wrapping_add_signed(offset)
            }
            Do::Deref { space: false, size: 8, .. } => stack.read(values.pop()?)?,
            Do::Pick { index } => values.pick(index)?,
            Do::Drop => {
                values.pop()?;
                continue;
            }
            Do::Swap => {
                let (top, below) = (values.pop()?, values.pop()?);
                values.push(top)?;
                below
            }
            Do::PlusConstant { value } => values.pop()?.wrapping_add(value),
            Do::Neg => values.pop()?.wrapping_neg(),
            Do::Not => !values.pop()?,
            Do::Nop => continue,
            operation => {
                let (top, below) = (values.pop()?, values.pop()?);
                binary(&operation, below, top).ok_or(Stop::Misread)?
            }
        };
        values.push(result)?;
    }
    Err(Stop::Misread)
}

/// Operations on two values. Comparisons are of signed numbers.
fn binary(
    operation: &gimli::Operation<EndianSlice<'_, LittleEndian>>,
    left: u64,
    right: u64,
) -> Option<u64> {
    use gimli::Operation as Do;
    let (signed, other) = (left.cast_signed(), right.cast_signed());
    let shift = u32::try_from(right).unwrap_or(u32::MAX);
    Some(match operation {
        Do::Plus => left.wrapping_add(right),
        Do::Minus => left.wrapping_sub(right),
        Do::Mul => left.wrapping_mul(right),
        Do::And => left & right,
        Do::Or => left | right,
        Do::Xor => left ^ right,
        Do::Shl => left.checked_shl(shift).unwrap_or(0),
        Do::Shr => left.checked_shr(shift).unwrap_or(0),
        Do::Shra => (signed >> shift.min(63)).cast_unsigned(),
        Do::Eq => u64::from(left == right),
        Do::Ne => u64::from(left != right),
        Do::Ge => u64::from(signed >= other),
        Do::Gt => u64::from(signed > other),
        Do::Le => u64::from(signed <= other),
        Do::Lt => u64::from(signed < other),
        _ => return None,
    })
}

/// The values of an expression.
#[derive(Default)]
struct Values {
    values: [u64; MAX_VALUES],
    count: usize,
}

impl Values {
    fn push(&mut self, value: u64) -> Result<(), Stop> {
        *self.values.get_mut(self.count).ok_or(Stop::Misread)? = value;
        self.count += 1;
        Ok(())
    }

    fn pop(&mut self) -> Result<u64, Stop> {
        self.count = self.count.checked_sub(1).ok_or(Stop::Misread)?;
        Ok(self.values[self.count])
    }

    /// The value so many below the top.
    fn pick(&self, index: u8) -> Result<u64, Stop> {
        let below = usize::from(index) + 1;
        self.count.checked_sub(below).map(|at| self.values[at]).ok_or(Stop::Misread)
    }
}
