//! Counting the fields of a request's head as HTTP/2 sends it.

use std::time::Instant;

/// Fields of one head; each takes some 500 bytes of memory and can be sent as one byte.
/// Browsers send some twenty. Sixty-four requests of a connection may run at once, whose
/// heads take two megabytes then.
const MOST_FIELDS: u32 = 64;

/// Why a connection is ended, for the log.
pub(crate) type Refusal = &'static str;

/// The head of a request: counts its fields, as HPACK writes them (RFC 7541, section 6),
/// without decoding what they say.
pub(crate) struct Head {
    /// When it began.
    pub(crate) since: Instant,
    /// As it is sent.
    pub(crate) bytes: u32,
    fields: u32,
    next: Next,
}

/// What the next byte of a head is.
#[derive(Clone, Copy)]
enum Next {
    /// The first of a field.
    Field,
    /// More of a number, before this.
    Number(After),
    /// The length of a text.
    Length(Text),
    /// More of that length.
    LongLength(Text, u32, u32),
    /// So much of a text.
    Inside(Text, u32),
}

#[derive(Clone, Copy)]
enum After {
    Field,
    Value,
}

#[derive(Clone, Copy)]
enum Text {
    Name,
    Value,
}

impl Head {
    pub(crate) fn new(since: Instant) -> Self {
        Self {
            since,
            bytes: 0,
            fields: 0,
            next: Next::Field,
        }
    }

    pub(crate) fn read(&mut self, byte: u8) -> Result<(), Refusal> {
        self.next = match self.next {
            Next::Field => {
                self.fields += 1;
                if self.fields > MOST_FIELDS {
                    return Err("the head of a request has too many fields");
                }
                begin_field(byte)
            }
            Next::Number(_) if byte & 0x80 != 0 => self.next,
            Next::Number(After::Field) => Next::Field,
            Next::Number(After::Value) => Next::Length(Text::Value),
            Next::Length(text) => match u32::from(byte & 0x7f) {
                0x7f => Next::LongLength(text, 0x7f, 0),
                length => inside(text, length),
            },
            Next::LongLength(text, length, shift) => {
                let length = length.saturating_add(u32::from(byte & 0x7f) << shift);
                match (byte & 0x80 != 0, shift < 21) {
                    (true, true) => Next::LongLength(text, length, shift + 7),
                    (true, false) => return Err("the head of a request can't be read"),
                    (false, _) => inside(text, length),
                }
            }
            Next::Inside(text, left) => inside(text, left - 1),
        };
        Ok(())
    }
}

fn begin_field(byte: u8) -> Next {
    let (index, most, after) = match byte {
        // An indexed field.
        0x80.. => (byte & 0x7f, 0x7f, After::Field),
        // A literal one that joins the table.
        0x40.. => (byte & 0x3f, 0x3f, After::Value),
        // The table's size.
        0x20.. => (byte & 0x1f, 0x1f, After::Field),
        // A literal one that doesn't.
        _ => (byte & 0x0f, 0x0f, After::Value),
    };
    match after {
        after if index == most => Next::Number(after),
        After::Value if index == 0 => Next::Length(Text::Name),
        After::Value => Next::Length(Text::Value),
        After::Field => Next::Field,
    }
}

fn inside(text: Text, left: u32) -> Next {
    match (text, left) {
        (Text::Name, 0) => Next::Length(Text::Value),
        (Text::Value, 0) => Next::Field,
        _ => Next::Inside(text, left),
    }
}
