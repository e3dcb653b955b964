//! Slots of the fields of events.

pub(super) const START: u8 = 0;
pub(super) const THREAD: u8 = 1;
pub(super) const SAMPLED: u8 = 2;
pub(super) const STACK: u8 = 3;
pub(super) const STATE: u8 = 4;
pub(super) const CLASS: u8 = 5;
pub(super) const SAMPLES: u8 = 6;
pub(super) const ID: u8 = 7;
pub(super) const NAME: u8 = 8;
pub(super) const VALUE: u8 = 9;
pub(super) const JVM_NAME: u8 = 10;
pub(super) const JVM_VERSION: u8 = 11;
pub(super) const JVM_ARGUMENTS: u8 = 12;
pub(super) const JAVA_ARGUMENTS: u8 = 13;
/// The first of the measures.
pub(super) const MEASURE: u8 = 14;
pub(super) const DURATION: u8 = 16;
pub(super) const COUNT: usize = 17;
