//! What an HTTP/2 client may send, looked at as it passes to `h2`: that bounds neither how
//! many fields and frames the head of a request has, nor frames that carry nothing
//! (security, R21; RUSTSEC-2026-0258).

use std::time::{Duration, Instant};

use super::http2_head::{Head, Refusal};

/// Bytes of one head, as they are sent: as many as HTTP/1 takes.
const MOST_BYTES: u32 = 32 * 1_024;
/// How long the head of a request may take, over HTTP/1 too.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(5);
/// Requests that came and have not begun; the app itself allows 64 that run (`limits.rs`).
const MOST_WAITING: u32 = 128;

/// What a frame costs, in bytes that are worth as much: a client may send as many frames
/// as it likes as long as they carry something.
const FRAME: u64 = 128;
/// What a new request is worth: its body may be small, and its answer is acknowledged.
const REQUEST: u64 = 4 * FRAME;
/// What may be spent at once.
const SAVED: u64 = 2_000 * FRAME;
/// What is earned by waiting: some two hundred frames a second.
const EARNED_EACH_MS: u64 = 25;

/// What a client sends first (RFC 9113, section 3.4).
const PREFACE: usize = 24;
/// The head of each frame (RFC 9113, section 4.1).
const FRAME_HEAD: usize = 9;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;
const END_HEADERS: u8 = 0x4;
const PADDED: u8 = 0x8;
const PRIORITY: u8 = 0x20;

/// Follows the frames of one connection.
pub(crate) struct Frames {
    /// Bytes of the preface that are still to come.
    preface: usize,
    head: [u8; FRAME_HEAD],
    head_length: usize,
    frame: Frame,
    /// The head of a request that has begun and not ended.
    block: Option<Head>,
    last_stream: u32,
    /// Requests that came.
    requests: u32,
    saved: u64,
    earned_at: Instant,
}

/// The frame that is being read.
#[derive(Default)]
struct Frame {
    kind: u8,
    flags: u8,
    length: u32,
    /// Bytes that have passed.
    passed: u32,
    /// In `HEADERS`, bytes of padding at the end.
    padding: u32,
}

impl Frame {
    /// Bytes before the fields.
    fn prelude(&self) -> u32 {
        if self.kind != HEADERS {
            return 0;
        }
        u32::from(self.flags & PADDED != 0) + 5 * u32::from(self.flags & PRIORITY != 0)
    }

    fn belongs_to_a_head(&self) -> bool {
        matches!(self.kind, HEADERS | CONTINUATION)
    }

    fn is_over(&self) -> bool {
        self.passed == self.length
    }
}

impl Frames {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            preface: PREFACE,
            head: [0; FRAME_HEAD],
            head_length: 0,
            frame: Frame::default(),
            block: None,
            last_stream: 0,
            requests: 0,
            saved: SAVED,
            earned_at: now,
        }
    }

    /// When the head that is open must have ended.
    pub(crate) fn head_until(&self) -> Option<Instant> {
        Some(self.block.as_ref()?.since + HEAD_TIME)
    }

    /// Notes that so many bytes were written: the client asked for them, and acknowledges them
    /// by frames.
    pub(crate) fn wrote(&mut self, bytes: usize) {
        self.earn(bytes as u64 / 2);
    }

    /// Follows what was read; `begun` is how many requests the app has seen.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] when the connection must be ended.
    pub(crate) fn read(
        &mut self,
        mut bytes: &[u8],
        begun: u32,
        now: Instant,
    ) -> Result<(), Refusal> {
        self.earn_by_waiting(now);
        let preface = self.preface.min(bytes.len());
        self.preface -= preface;
        bytes = &bytes[preface..];
        while !bytes.is_empty() {
            if self.head_length < FRAME_HEAD {
                let taken = bytes.len().min(FRAME_HEAD - self.head_length);
                self.head[self.head_length..][..taken].copy_from_slice(&bytes[..taken]);
                self.head_length += taken;
                bytes = &bytes[taken..];
                if self.head_length < FRAME_HEAD {
                    break;
                }
                self.begin_frame(begun, now)?;
            }
            let left = (self.frame.length - self.frame.passed) as usize;
            let (payload, rest) = bytes.split_at(left.min(bytes.len()));
            bytes = rest;
            self.read_payload(payload)?;
            if self.frame.is_over() {
                self.end_frame();
            }
        }
        match self.head_until() {
            Some(until) if until <= now => Err("the head of a request takes too long"),
            _ => Ok(()),
        }
    }

    fn begin_frame(&mut self, begun: u32, now: Instant) -> Result<(), Refusal> {
        let [a, b, c, kind, flags, stream @ ..] = self.head;
        let stream = u32::from_be_bytes(stream) & 0x7fff_ffff;
        self.frame = Frame {
            kind,
            flags,
            length: u32::from_be_bytes([0, a, b, c]),
            ..Frame::default()
        };
        if kind == HEADERS && stream > self.last_stream {
            self.last_stream = stream;
            self.requests = self.requests.wrapping_add(1);
            if self.requests.wrapping_sub(begun) > MOST_WAITING {
                return Err("too many requests at once");
            }
            self.earn(REQUEST);
        }
        if kind == DATA && flags & PADDED == 0 {
            self.earn(self.frame.length.into());
        }
        self.saved = self
            .saved
            .checked_sub(FRAME)
            .ok_or("too many frames that carry nothing")?;
        if self.frame.belongs_to_a_head() {
            let block = self.block.get_or_insert_with(|| Head::new(now));
            block.bytes = block.bytes.saturating_add(self.frame.length);
            if block.bytes > MOST_BYTES {
                return Err("the head of a request is too long");
            }
        }
        Ok(())
    }

    fn read_payload(&mut self, payload: &[u8]) -> Result<(), Refusal> {
        let frame = &self.frame;
        if let (DATA, 0, true, [padding, ..]) =
            (frame.kind, frame.passed, frame.flags & PADDED != 0, payload)
        {
            // Neither padding nor its length carries anything.
            let carried = frame.length.saturating_sub(1 + u32::from(*padding));
            self.earn(carried.into());
        }
        let frame = &mut self.frame;
        let Some(block) = self.block.as_mut().filter(|_| frame.belongs_to_a_head()) else {
            frame.passed += u32::try_from(payload.len()).unwrap_or(u32::MAX);
            return Ok(());
        };
        for byte in payload {
            if frame.passed == 0 && frame.kind == HEADERS && frame.flags & PADDED != 0 {
                frame.padding = u32::from(*byte);
            } else if frame.passed >= frame.prelude()
                && frame.passed < frame.length.saturating_sub(frame.padding)
            {
                block.read(*byte)?;
            }
            frame.passed += 1;
        }
        Ok(())
    }

    fn end_frame(&mut self) {
        self.head_length = 0;
        if self.frame.belongs_to_a_head() && self.frame.flags & END_HEADERS != 0 {
            self.block = None;
        }
    }

    fn earn_by_waiting(&mut self, now: Instant) {
        let waited = now.saturating_duration_since(self.earned_at).as_millis();
        if waited > 0 {
            self.earned_at = now;
            self.earn(
                u64::try_from(waited)
                    .unwrap_or(SAVED)
                    .saturating_mul(EARNED_EACH_MS),
            );
        }
    }

    fn earn(&mut self, bytes: u64) {
        self.saved = self.saved.saturating_add(bytes).min(SAVED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        let mut frame = length[1..].to_vec();
        frame.extend([kind, flags]);
        frame.extend(stream.to_be_bytes());
        frame.extend(payload);
        frame
    }

    /// What becomes of a connection that sends these frames, in pieces of any size.
    fn outcome(frames: &[Vec<u8>]) -> Result<(), Refusal> {
        let bytes = [vec![0; PREFACE], frames.concat()].concat();
        let outcomes = [1, 7, 4_096].map(|size| {
            let now = Instant::now();
            let mut follow = Frames::new(now);
            bytes.chunks(size).try_for_each(|piece| {
                let begun = follow.requests;
                follow.read(piece, begun, now)
            })
        });
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]));
        outcomes[0]
    }

    #[test]
    fn a_head_of_many_one_byte_fields_is_refused_and_one_of_long_fields_is_not() {
        let many = frame(HEADERS, END_HEADERS, 1, &[0xbe; 65]);
        assert!(outcome(&[many]).is_err());
        let few = frame(HEADERS, END_HEADERS, 1, &[0x82; 64]);
        assert_eq!(outcome(&[few]), Ok(()));
        // New names and values, one of them longer than fits into one byte.
        let mut long = vec![0x40, 1, b'a', 0x7f, 0x81, 0x03];
        long.extend([0x82; 127 + 1 + 3 * 128]);
        long.extend([0x0f, 0x80, 0x01, 2, 0x82, 0x82]);
        long.extend([0x82; 62]);
        assert_eq!(outcome(&[frame(HEADERS, END_HEADERS, 1, &long)]), Ok(()));
        long.push(0x82);
        assert!(outcome(&[frame(HEADERS, END_HEADERS, 1, &long)]).is_err());
    }

    #[test]
    fn padding_and_priority_are_no_fields() {
        let mut padded = vec![200, 0, 0, 0, 0, 16];
        padded.extend([0x82; 10]);
        padded.extend([0x82; 200]);
        let flags = END_HEADERS | PADDED | PRIORITY;
        assert_eq!(outcome(&[frame(HEADERS, flags, 1, &padded)]), Ok(()));
    }

    #[test]
    fn a_head_that_goes_on_in_further_frames_is_one_head() {
        let begin = frame(HEADERS, 0, 1, &[0x82; 40]);
        let more = frame(CONTINUATION, 0, 1, &[0x82; 20]);
        assert_eq!(outcome(&[begin.clone(), more.clone()]), Ok(()));
        assert!(outcome(&[begin.clone(), more.clone(), more]).is_err());
        let long = frame(CONTINUATION, 0, 1, &[0x40; 16_384]);
        assert!(outcome(&[begin, long.clone(), long]).is_err());
    }

    #[test]
    fn a_head_that_does_not_end_is_refused_after_its_time() {
        let now = Instant::now();
        let mut frames = Frames::new(now);
        frames.read(&[0; PREFACE], 0, now).unwrap();
        let begin = frame(HEADERS, 0, 1, &[0x82]);
        frames.read(&begin, 0, now).unwrap();
        assert_eq!(frames.head_until(), Some(now + HEAD_TIME));
        let drip = frame(CONTINUATION, 0, 1, &[]);
        let early = now + HEAD_TIME - Duration::from_millis(1);
        frames.read(&drip, 1, early).unwrap();
        assert!(frames.read(&drip, 1, now + HEAD_TIME).is_err());
    }

    /// Stands for DATA that is nothing but padding.
    const PADDED_DATA: u8 = 200;
    const PADDING: [u8; 200] = {
        let mut payload = [0; 200];
        payload[0] = 199;
        payload
    };

    #[test]
    fn frames_that_carry_nothing_are_bounded_and_an_upload_is_not() {
        for (kind, payload) in [
            (DATA, &[][..]),
            (DATA, &[1]),
            (PADDED_DATA, &PADDING),
            (2, &[0; 5]),
            (8, &[0; 4]),
            (CONTINUATION, &[]),
            (77, &[0; 3]),
        ] {
            let sent = match kind {
                PADDED_DATA => frame(DATA, PADDED, 1, payload),
                _ => frame(kind, 0, 1, payload),
            };
            assert!(outcome(&vec![sent.clone(); 1_000]).is_ok());
            assert!(outcome(&vec![sent; 2_100]).is_err());
        }
        let upload = vec![frame(DATA, 0, 1, &[1; 1_024]); 5_000];
        assert_eq!(outcome(&upload), Ok(()));
        // A request with a small body, and the frames that its answer is acknowledged by.
        let requests: Vec<_> = (0..5_000)
            .flat_map(|n| {
                [
                    frame(HEADERS, END_HEADERS, 2 * n + 1, &[0x82]),
                    frame(DATA, 1, 2 * n + 1, b"{}"),
                    frame(8, 0, 0, &[0; 4]),
                ]
            })
            .collect();
        assert_eq!(outcome(&requests), Ok(()));
    }

    #[test]
    fn requests_that_the_app_has_not_begun_are_bounded() {
        let now = Instant::now();
        let mut frames = Frames::new(now);
        frames.read(&[0; PREFACE], 0, now).unwrap();
        let refused = (0..200).position(|n| {
            let request = frame(HEADERS, END_HEADERS, 2 * n + 1, &[0x82]);
            frames.read(&request, 0, now).is_err()
        });
        assert_eq!(refused, Some(128));
    }
}
