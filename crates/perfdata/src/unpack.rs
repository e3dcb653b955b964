//! Records that were compressed as they were recorded: one zstd frame (RFC 8878) through all
//! `COMPRESSED` records of a file, flushed after each of them and never ended.

use ruzstd::decoding::FrameDecoder;

use crate::arena::Arena;

/// Unpacks the pieces of a stream.
pub(crate) struct Unpacker {
    decoder: FrameDecoder,
    frame: Option<Frame>,
    /// Of a block that goes on in the next piece.
    left: Vec<u8>,
}

/// What the frame that is read says of itself.
#[derive(Clone, Copy)]
struct Frame {
    /// Bytes that the decoder keeps back as long as the frame goes on.
    window: u64,
    has_checksum: bool,
}

impl std::fmt::Debug for Unpacker {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Unpacker").field("left", &self.left.len()).finish_non_exhaustive()
    }
}

/// A block is at most this long.
const BLOCK: usize = 128 << 10;
/// More than a piece can become: what unpacks to more is an attack.
const MOST: usize = 32 << 20;
/// What a frame may want to look back.
const WINDOW: u64 = 16 << 20;

impl Unpacker {
    pub(crate) fn new() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Unpacker { decoder, frame: None, left: vec![] }
    }

    /// Appends what a piece unpacks to; false if it is damaged. The last bytes come later, see
    /// [`Unpacker::position`] and [`Unpacker::finish`].
    pub(crate) fn push(&mut self, piece: &[u8], out: &mut Arena) -> bool {
        let mut input = std::mem::take(&mut self.left);
        input.extend_from_slice(piece);
        let mut rest = &input[..];
        let is_sound = self.unpack(&mut rest, out).is_some();
        let used = input.len() - rest.len();
        input.drain(..used);
        if is_sound {
            self.left = input;
            return true;
        }
        // The next piece may begin a frame.
        *self = Unpacker::new();
        false
    }

    /// Where in `out` what was pushed until now will end, if that can be said.
    pub(crate) fn position(&self, out: &Arena) -> Option<u64> {
        let frame = self.frame.filter(|_| out.end() > 0)?;
        Some(out.end() + frame.window)
    }

    /// Ends the frame, so that its last bytes come.
    pub(crate) fn finish(&mut self, out: &mut Arena) {
        const LAST_BLOCK: [u8; 3] = [1, 0, 0];
        let Some(frame) = self.frame else { return };
        self.left.clear();
        self.push(&LAST_BLOCK, out);
        if frame.has_checksum {
            self.push(&[0; 4], out);
        }
    }

    fn unpack(&mut self, rest: &mut &[u8], out: &mut Arena) -> Option<()> {
        let before = out.end();
        let mut target = vec![0; BLOCK];
        loop {
            let Some(frame) = self.frame else {
                if rest.is_empty() {
                    return Some(());
                }
                self.frame = Some(Frame::parse(rest)?);
                self.decoder.reset(&mut *rest).ok()?;
                continue;
            };
            // One block at a time, for a block of one byte may become many.
            let Some(&[low, middle, high]) = rest.first_chunk::<3>() else { return Some(()) };
            let header = u32::from_le_bytes([low, middle, high, 0]);
            let (is_last, is_run) = (header & 1 != 0, header >> 1 & 3 == 1);
            let size = (header >> 3) as usize;
            let checksum = if is_last && frame.has_checksum { 4 } else { 0 };
            if size > BLOCK {
                return None;
            }
            let whole = 3 + if is_run { 1 } else { size } + checksum;
            let Some((mut block, behind)) = rest.split_at_checked(whole) else { return Some(()) };
            loop {
                let (read, written) = self.decoder.decode_from_to(block, &mut target).ok()?;
                block = block.get(read..)?;
                out.push(&target[..written]);
                if read == 0 && written == 0 {
                    break;
                }
            }
            if !block.is_empty() || out.end() - before > MOST as u64 {
                return None;
            }
            *rest = behind;
            if is_last {
                self.frame = None;
            }
        }
    }
}

impl Frame {
    /// What the header says, see section 3.1.1.1 of the RFC.
    fn parse(bytes: &[u8]) -> Option<Frame> {
        let (&descriptor, &next) = (bytes.get(4)?, bytes.get(5)?);
        let is_single = descriptor >> 5 & 1 != 0;
        let base = 1u64 << (10 + (next >> 3));
        // A single segment keeps all of itself back, and no more than that.
        let window = if is_single { WINDOW } else { base + base / 8 * u64::from(next & 7) };
        Some(Frame { window, has_checksum: descriptor >> 2 & 1 != 0 })
    }
}
