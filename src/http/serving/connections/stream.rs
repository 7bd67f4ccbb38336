//! The stream under HTTP: TCP or TLS, with time limits for clients that send or read slowly.

use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use actix_web::rt::spawn;
use actix_web::web::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::limits::{ConnectionSlot, Connections};
use super::progress::{ConnectionProgress, PIECE, ReadStep};

/// Time limit of a connection without traffic, longer than any request takes. actix has none
/// for the head of a second request.
const IDLE: Duration = Duration::from_secs(150);
/// Time limit of a client that reads nothing of its response.
const STALLED: Duration = Duration::from_secs(30);
/// Time after which a client that reads nothing counts as blocked.
const BLOCKED: Duration = Duration::from_secs(2);
/// Memory of an unfinished connection besides its request and answer.
const BASE: usize = 32 * 1_024;
/// Memory that rustls may use for a handshake, and afterwards for what the client has not read.
const HANDSHAKE_BUFFER: usize = 64 * 1_024;
/// Size of actix's buffer of an answer at first.
const EMPTY: usize = 8 * 1_024;
/// Size of an answer from which actix does not keep its buffer.
const MAX_KEPT: usize = 128 * 1_024;
/// Both limits are extended by this much for each byte written, so a client may read 1 kB/s.
const EXTENSION: Duration = Duration::from_millis(1);
/// Bytes read that extend the limits as one written byte does: responses were asked for, but a
/// client can send anything.
const READ_PER_WRITTEN: usize = 16;
/// Time limit of a TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Time limit for writing a refusal, and for reading the request after it.
const REFUSAL_TIME: Duration = Duration::from_millis(500);
const TOO_MANY: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
cache-control: no-store\r\ncontent-type: application/json\r\ncontent-length: 86\r\n\r\n\
{\"error\":\"Too many connections are open. Please try again in a moment.\",\"code\":\"busy\"}";
const LONG_ADDRESS: &[u8] = b"HTTP/1.1 414 URI Too Long\r\nconnection: close\r\n\
cache-control: no-store\r\ncontent-type: application/json\r\ncontent-length: 63\r\n\r\n\
{\"error\":\"This address is too long.\",\"code\":\"address_too_long\"}";
const LONG_HEAD: &[u8] = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\
cache-control: no-store\r\ncontent-type: application/json\r\ncontent-length: 78\r\n\r\n\
{\"error\":\"The header fields of this request exceed 16 kB.\",\"code\":\"too_large\"}";

/// An admitted connection.
pub(crate) struct Connection {
    stream: Stream,
    slot: ConnectionSlot,
    progress: Rc<ConnectionProgress>,
    /// Bytes that were read and not given to HTTP.
    ahead: Bytes,
    /// When the request began to arrive.
    begun_at: Instant,
    /// When the client took bytes of an answer last.
    taken_at: Instant,
    /// Bytes of an answer that the client has not taken.
    unread: usize,
    /// Size of actix's buffer for answers.
    kept: usize,
    /// When the connection ends for lack of traffic.
    idle_at: Instant,
    /// When it ends because the client does not read.
    stalled_at: Option<Instant>,
    /// Wakes the task at one of these times. It is moved to a later time only when it fires, not
    /// with each byte.
    alarm: Pin<Box<Sleep>>,
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
    /// Was given to [`refuse`].
    Refused,
}

/// Admits a connection and completes its TLS handshake.
///
/// # Errors
///
/// When there are too many connections, or the handshake fails or takes too long.
pub(crate) async fn accept(
    stream: TcpStream,
    connections: Arc<Connections>,
    tls: Option<TlsAcceptor>,
) -> io::Result<(Connection, Option<SocketAddr>)> {
    let peer = stream.peer_addr()?;
    let Some(slot) = connections.admit(peer.ip()) else {
        tracing::debug!("a connection was refused: too many are open");
        if tls.is_none() {
            // Boxed, because each connection's task has room for this future as long as it lasts.
            Box::pin(refuse(stream, TOO_MANY, connections)).await;
        }
        return Err(io::ErrorKind::ResourceBusy.into());
    };
    // Otherwise a compressed response waits 40 ms for the acknowledgement of the one before.
    stream.set_nodelay(true)?;
    let now = Instant::now();
    let stream = match tls {
        None => Stream::Plain(stream),
        Some(tls) => {
            slot.hold(BASE + HANDSHAKE_BUFFER, false, Some(now));
            let mut handshake = Box::pin(timeout(HANDSHAKE, tls.accept(stream)));
            let stream = poll_fn(|context| {
                if slot.account.has_ended(context) {
                    return Poll::Ready(Err(timed_out(OVER_BUDGET)));
                }
                handshake.as_mut().poll(context).map(|outcome| outcome?)
            });
            Stream::Tls(Box::new(stream.await?))
        }
    };
    let connection = Connection {
        stream,
        progress: ConnectionProgress::new(Arc::clone(&slot.account)),
        slot,
        ahead: Bytes::new(),
        begun_at: now,
        taken_at: now,
        unread: 0,
        kept: 0,
        idle_at: now + IDLE,
        stalled_at: None,
        alarm: Box::pin(sleep(IDLE)),
    };
    Ok((connection, Some(peer)))
}

/// Sends an error and closes.
async fn refuse(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    error: &[u8],
    connections: Arc<Connections>,
) {
    let _ = timeout(REFUSAL_TIME, async {
        stream.write_all(error).await?;
        stream.shutdown().await
    })
    .await;
    // To close before the request has arrived would reset the connection, and the client would not
    // see the response.
    if let Some(_permit) = connections.refusal() {
        let mut request = [0; 4_096];
        let rest = async { while stream.read(&mut request).await.is_ok_and(|read| read > 0) {} };
        let _ = timeout(REFUSAL_TIME, rest).await;
    }
}

const OVER_BUDGET: &str = "unfinished requests and unread answers need too much memory";

fn timed_out(reason: &'static str) -> io::Error {
    tracing::debug!("a connection was closed: {reason}");
    io::Error::new(io::ErrorKind::TimedOut, reason)
}

impl Connection {
    /// Returns where in a request the connection is, for the middleware.
    pub(crate) fn progress(&self) -> Rc<ConnectionProgress> {
        Rc::clone(&self.progress)
    }

    /// Extends the time limits for bytes that were transferred.
    fn extend(&mut self, bytes: usize) {
        let now = Instant::now();
        let extension = EXTENSION * u32::try_from(bytes).unwrap_or(u32::MAX);
        self.idle_at = (self.idle_at + extension).min(now + IDLE);
        self.stalled_at = self
            .stalled_at
            .map(|at| (at + extension).min(now + STALLED));
    }

    /// Fails once a time limit is over.
    fn poll_limits<T>(&mut self, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        loop {
            let (at, reason) = match self.stalled_at {
                Some(at) if at < self.idle_at => (at, "the client does not read"),
                _ => (self.idle_at, "it was idle"),
            };
            let next = match self.stalled_at {
                Some(_) if !self.is_blocked() => at.min(self.taken_at + BLOCKED),
                _ => at,
            };
            if next < self.alarm.deadline() {
                self.alarm.as_mut().reset(next);
            }
            ready!(self.alarm.as_mut().poll(context));
            if Instant::now() >= at {
                return Poll::Ready(Err(timed_out(reason)));
            }
            self.alarm.as_mut().reset(next);
            self.settle();
        }
    }

    fn is_blocked(&self) -> bool {
        self.taken_at.elapsed() >= BLOCKED
    }

    /// Records what the connection holds at the end of a turn.
    fn settle(&self) {
        let kept = self.unread.max(self.kept);
        let (bytes, is_overdue, since) = if let Some(bytes) = self.progress.unfinished() {
            let bytes = BASE + bytes + self.ahead.len() + kept;
            (bytes, true, Some(self.begun_at))
        } else if self.unread > 0 {
            (BASE + kept, self.is_blocked(), Some(self.taken_at))
        } else {
            let since = self.progress.is_idle().then_some(self.taken_at);
            (kept, false, since)
        };
        self.slot.hold(bytes, is_overdue, since);
    }

    /// Applies the limits of slow readers to the outcome of a write of `len` bytes.
    fn after_write(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
        len: usize,
    ) -> Poll<io::Result<usize>> {
        let written = match &outcome {
            Poll::Pending => 0,
            Poll::Ready(Ok(written)) => *written,
            Poll::Ready(Err(_)) => return outcome,
        };
        self.unread = len.saturating_sub(written);
        if written > 0 || self.stalled_at.is_none() {
            self.taken_at = Instant::now();
            self.extend(written);
        }
        let stalled_at = self.stalled_at.unwrap_or(self.taken_at + STALLED);
        self.stalled_at = (self.unread > 0).then_some(stalled_at);
        match outcome {
            Poll::Pending => {
                self.settle();
                self.poll_limits(context)
            }
            ready => ready,
        }
    }

    /// Reads the next bytes for HTTP from the socket; none at the end of the stream.
    fn poll_ahead(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut space = [0; PIECE];
        let mut piece = ReadBuf::new(&mut space);
        let outcome = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, &mut piece),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, &mut piece),
            Stream::Refused => Poll::Ready(Ok(())),
        };
        if outcome.is_pending() {
            return self.poll_limits(context);
        }
        self.ahead = Bytes::copy_from_slice(piece.filled());
        self.extend(self.ahead.len() / READ_PER_WRITTEN);
        outcome
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.slot.account.has_ended(context) {
            return Poll::Ready(Err(timed_out(OVER_BUDGET)));
        }
        if this.ahead.is_empty() {
            ready!(this.poll_ahead(context))?;
            if this.ahead.is_empty() {
                this.progress.close();
                return Poll::Ready(Ok(()));
            }
        }
        if this.progress.is_idle() {
            this.begun_at = Instant::now();
        }
        let most = this.ahead.len().min(buffer.remaining());
        match this.progress.next(&this.ahead[..most]) {
            ReadStep::Take(bytes) => buffer.put_slice(&this.ahead.split_to(bytes)),
            ReadStep::Wait => return this.poll_limits(context),
            ReadStep::Pause => {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            ReadStep::TooLong(is_address) => {
                let error = if is_address { LONG_ADDRESS } else { LONG_HEAD };
                let connections = this.slot.connections();
                match std::mem::replace(&mut this.stream, Stream::Refused) {
                    Stream::Plain(stream) => spawn(refuse(stream, error, connections)),
                    Stream::Tls(stream) => spawn(refuse(stream, error, connections)),
                    Stream::Refused => return Poll::Ready(Ok(())),
                };
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.slot.account.has_ended(context) {
            return Poll::Ready(Err(timed_out(OVER_BUDGET)));
        }
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Refused => Poll::Ready(Ok(bytes.len())),
        };
        if this.unread == 0 {
            this.kept = match bytes.len() {
                MAX_KEPT.. => 0,
                0..=EMPTY => this.kept,
                len => this.kept.max(len.next_power_of_two()),
            };
        }
        this.after_write(context, outcome, bytes.len())
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Stream::Tls(stream) = &mut this.stream {
            // Its buffer holds what the client has not read.
            let outcome = Pin::new(stream).poll_flush(context);
            let unread = usize::from(outcome.is_pending()) * HANDSHAKE_BUFFER;
            ready!(this.after_write(context, outcome.map_ok(|()| 0), unread))?;
        }
        this.settle();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Refused => Poll::Ready(Ok(())),
        }
    }
}
