//! What every connection is held to before HTTP is spoken: how long its client may take.

use std::io::{self, Write as _};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_http::Protocol;
use actix_server::GracefulShutdownSignal;
use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::http2_frames::Frames;
use super::limits::{ConnectionSlot, Connections, Refused, Requests};

/// How long a connection may be without traffic to speak of: longer than any request
/// takes. Actix has no deadline for the head of a second request, or for a body that its
/// handler does not want.
const QUIET: Duration = Duration::from_secs(150);
/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// How long telling a refused client may take, and then waiting for what it sends.
const REFUSING: Duration = Duration::from_millis(500);
/// How long a client may take nothing of an answer; what it takes gives it more time.
const STALLED: Duration = Duration::from_secs(30);
/// The slowest that a client may take an answer, in bytes a millisecond.
const SLOWEST: u64 = 1;
/// How long an HTTP/2 connection has had nothing to do when a server that stops ends it:
/// long enough to write the end of the last answer.
const LAST_FRAMES: Duration = Duration::from_millis(200);
/// Bytes read that count for as much as one that is written: a client can send what it
/// likes, and what is written was asked for.
const READ_FOR_WRITTEN: usize = 16;
/// What a client gets that is one too many.
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
content-type: application/json\r\ncontent-length: 72\r\n\r\n\
{\"error\":\"Too many connections are open. Please try again in a moment.\"}";

/// What HTTP is spoken over.
pub(crate) struct Connection {
    stream: Stream,
    requests: Requests,
    /// For HTTP/2 only.
    frames: Option<Box<Frames>>,
    /// Bytes of HTTP/2 that are encrypted and not sent: see [`Connection::hold_back`].
    held_back: usize,
    /// Wakes the connection to see whether it must end; set later only when it goes off, not with
    /// each byte.
    alarm: Pin<Box<Sleep>>,
    /// When it has been without traffic for too long.
    quiet_at: Instant,
    /// When the client is given up, while it does not take what is written.
    given_up: Option<Pin<Box<Sleep>>>,
    /// For HTTP/2 only: actix tells connections of HTTP/1 itself when the server stops.
    ending: Option<Ending>,
    slot: ConnectionSlot,
}

/// Ends a connection on which nothing runs once the server stops.
struct Ending {
    asked: Pin<Box<dyn Future<Output = ()>>>,
    /// From then on, how long nothing ran.
    idle: Option<Pin<Box<Sleep>>>,
}

impl Ending {
    fn at(stop: GracefulShutdownSignal) -> Self {
        Self {
            asked: Box::pin(async move { stop.notified().await }),
            idle: None,
        }
    }

    /// Ready when the connection is to end. To be asked until then.
    fn poll(&mut self, is_busy: bool, context: &mut Context<'_>) -> Poll<()> {
        let idle = match &mut self.idle {
            Some(idle) => idle,
            None => {
                ready!(self.asked.as_mut().poll(context));
                self.idle.insert(Box::pin(sleep(LAST_FRAMES)))
            }
        };
        if is_busy {
            idle.as_mut().reset(Instant::now() + LAST_FRAMES);
        }
        idle.as_mut().poll(context)
    }
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Admits a connection and shakes hands.
///
/// # Errors
///
/// When there are too many, or the handshake fails or takes too long.
pub(crate) async fn accept(
    stream: TcpStream,
    connections: Arc<Connections>,
    tls: Option<TlsAcceptor>,
    stop: GracefulShutdownSignal,
) -> io::Result<(Connection, Protocol, Option<std::net::SocketAddr>)> {
    let peer = stream.peer_addr()?;
    let slot = match connections.admit(peer.ip()) {
        Ok(slot) => slot,
        Err(refused) => {
            tracing::debug!("a connection was refused: too many are open");
            if tls.is_none() {
                Box::pin(refuse(stream, &refused)).await;
            }
            return Err(io::ErrorKind::ResourceBusy.into());
        }
    };
    // Without it a compressed answer waits 40 ms for the client's acknowledgement of
    // the one before.
    stream.set_nodelay(true)?;
    let (stream, protocol) = match tls {
        None => (Stream::Plain(stream), Protocol::Http1),
        Some(tls) => {
            // Boxed, like the refusal: what is not takes up room in each connection as long as
            // it lasts.
            let stream = Box::pin(timeout(HANDSHAKE, tls.accept(stream))).await??;
            let protocol = match stream.get_ref().1.alpn_protocol() {
                Some(b"h2") => Protocol::Http2,
                _ => Protocol::Http1,
            };
            (Stream::Tls(Box::new(stream)), protocol)
        }
    };
    let connection = Connection {
        stream,
        requests: Requests::default(),
        frames: (protocol == Protocol::Http2)
            .then(|| Box::new(Frames::new(Instant::now().into_std()))),
        alarm: Box::pin(sleep(QUIET)),
        quiet_at: Instant::now() + QUIET,
        given_up: None,
        held_back: 0,
        ending: (protocol == Protocol::Http2).then(|| Ending::at(stop)),
        slot,
    };
    Ok((connection, protocol, Some(peer)))
}

/// The end of a connection, with its reason in the log.
fn ended(reason: &'static str) -> io::Error {
    tracing::debug!("a connection was closed: {reason}");
    io::Error::new(io::ErrorKind::TimedOut, reason)
}

/// Tells a client that it is one too many, as far as that costs nothing.
async fn refuse(mut stream: TcpStream, refused: &Refused) {
    let told = timeout(REFUSING, stream.write_all(REFUSAL)).await;
    if told.is_ok() && matches!(refused, Refused::InPeace(_)) {
        // Closing with a request unread would reset the connection, and the client
        // would not see the answer.
        let mut request = [0; 4_096];
        let _ = timeout(REFUSING, stream.read(&mut request)).await;
    }
}

impl Connection {
    /// Its requests.
    pub(crate) fn requests(&self) -> Requests {
        self.requests.clone()
    }

    /// Moves the end of a connection without traffic on by what was read or written.
    fn passed(&mut self, bytes: usize) {
        let earned = Duration::from_millis(bytes as u64 / SLOWEST);
        self.quiet_at = (self.quiet_at + earned).min(Instant::now() + QUIET);
    }

    /// When it ends if nothing happens, and why.
    fn ends_at(&self) -> (Instant, &'static str) {
        let head = self.frames.as_ref().and_then(|frames| frames.head_until());
        let head = head.map(|at| (at.into(), "the head of a request takes too long"));
        let body = self.requests.unread_until();
        let body = body.map(|at| (at, "a body that nobody reads takes too long"));
        let quiet = (self.quiet_at, "nothing happens on it");
        [head, body]
            .into_iter()
            .flatten()
            .fold(
                quiet,
                |first, other| if other.0 < first.0 { other } else { first },
            )
    }

    /// Ends a connection whose time is over, while there is nothing to read.
    fn check_time(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let (at, reason) = self.ends_at();
        if at < self.alarm.deadline() {
            self.alarm.as_mut().reset(at);
        }
        while self.alarm.as_mut().poll(context).is_ready() {
            if Instant::now() >= at {
                return Poll::Ready(Err(ended(reason)));
            }
            self.alarm.as_mut().reset(at);
        }
        Poll::Pending
    }

    /// Takes what HTTP/2 writes without sending it, as long as there is room. An answer is written as
    /// its head with its data, and then as an empty frame that ends it: each would be a packet of its
    /// own. What came together is sent when the connection is polled the next time, which is at once.
    /// It is worth a tenth of the answers over HTTP/2 (`benches/listing.rs`).
    fn hold_back(
        &mut self,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        while let Stream::Tls(stream) = &mut self.stream {
            let taken = stream.get_mut().1.writer().write_vectored(slices)?;
            if taken == 0 && self.held_back > 0 {
                ready!(self.send_held(context))?;
                continue;
            }
            if self.held_back == 0 {
                context.waker().wake_by_ref();
            }
            self.held_back += taken;
            return Poll::Ready(Ok(taken));
        }
        Poll::Ready(Err(io::ErrorKind::Unsupported.into()))
    }

    /// Sends what was held back; done when nothing is left.
    fn send_held(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let held = self.held_back;
        let outcome = match &mut self.stream {
            Stream::Tls(stream) if held > 0 => Pin::new(stream).poll_flush(context),
            _ => return Poll::Ready(Ok(())),
        };
        if outcome.is_ready() {
            self.held_back = 0;
        }
        let outcome = outcome.map_ok(|()| held);
        self.watch(context, outcome, held).map_ok(|_| ())
    }

    /// Looks at what was read.
    fn check_read(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.passed(bytes.len() / READ_FOR_WRITTEN);
        if let Some(frames) = &mut self.frames {
            let now = Instant::now().into_std();
            return frames
                .read(bytes, self.requests.begun(), now)
                .map_err(ended);
        }
        match self.requests.unread_until() {
            Some(until) if until <= Instant::now() => {
                Err(ended("a body that nobody reads takes too long"))
            }
            _ => Ok(()),
        }
    }

    /// Watches over how fast the client takes what is written: `outcome` is that of a
    /// write of so many bytes.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
        wanted: usize,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(written)) = &outcome {
            self.passed(*written);
            if let Some(frames) = &mut self.frames {
                frames.wrote(*written);
            }
        }
        let is_blocked = match &outcome {
            Poll::Pending => true,
            Poll::Ready(Ok(written)) => *written < wanted,
            Poll::Ready(Err(_)) => false,
        };
        if !self.slot.set_blocked(is_blocked) {
            tracing::debug!("a connection was closed: too many clients do not read");
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        match outcome {
            Poll::Pending => {
                let given_up = self
                    .given_up
                    .get_or_insert_with(|| Box::pin(sleep(STALLED)));
                ready!(given_up.as_mut().poll(context));
                tracing::debug!("a connection was closed: its client does not read");
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Ready(Ok(written)) if is_blocked => {
                if let Some(given_up) = &mut self.given_up {
                    let earned = Duration::from_millis(written as u64 / SLOWEST);
                    let latest = Instant::now() + STALLED;
                    let until = (given_up.deadline() + earned).min(latest);
                    given_up.as_mut().reset(until);
                }
                Poll::Ready(Ok(written))
            }
            ready => {
                self.given_up = None;
                ready
            }
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.requests.are_too_many() {
            tracing::debug!("a connection was closed: it asked for too much at once");
            return Poll::Ready(Err(io::ErrorKind::ResourceBusy.into()));
        }
        if let Poll::Ready(Err(error)) = this.send_held(context) {
            return Poll::Ready(Err(error));
        }
        let before = buffer.filled().len();
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        match outcome {
            Poll::Pending => {
                let is_busy = this.requests.are_running() || this.slot.is_blocked();
                let ending = this.ending.as_mut();
                if ending.is_some_and(|ending| ending.poll(is_busy, context).is_ready()) {
                    tracing::debug!("a connection was closed: the server stops");
                    // Nothing was read, which means that nothing more will be.
                    return Poll::Ready(Ok(()));
                }
                this.requests.wait(context.waker());
                this.check_time(context)
            }
            Poll::Ready(Ok(())) => Poll::Ready(this.check_read(&buffer.filled()[before..])),
            failed => failed,
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if this.frames.is_some() {
            return this.hold_back(context, &[io::IoSlice::new(bytes)]);
        }
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        this.watch(context, outcome, bytes.len())
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.frames.is_some() {
            // What was held back is sent when the connection is polled the next time.
            return Poll::Ready(Ok(()));
        }
        let outcome = match &mut this.stream {
            // Holds nothing back, so nothing is told by it.
            Stream::Plain(stream) => return Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        };
        // Nothing is left to write when it ends.
        this.watch(context, outcome.map_ok(|()| 0), 0)
            .map_ok(|_| ())
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wanted = slices.iter().map(|slice| slice.len()).sum();
        let this = self.get_mut();
        if this.frames.is_some() {
            return this.hold_back(context, slices);
        }
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Stream::Tls(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        };
        this.watch(context, outcome, wanted)
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }
}
