//! The stream under HTTP: TCP or TLS, with time limits for clients that send or read slowly.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::limits::{ConnectionSlot, Connections};

/// Time limit of a connection without traffic, longer than any request takes. actix has none
/// for the head of a second request.
const IDLE: Duration = Duration::from_secs(150);
/// Time limit of a client that reads nothing of its response.
const STALLED: Duration = Duration::from_secs(30);
/// Both limits are extended by this much for each byte written, so a client may read 1 kB/s.
const EXTENSION: Duration = Duration::from_millis(1);
/// Bytes read that extend the limits as one written byte does: responses were asked for, but a
/// client can send anything.
const READ_PER_WRITTEN: usize = 16;
/// Time limit of a TLS handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Time limit for writing a refusal, and for reading the request after it.
const REFUSAL_TIME: Duration = Duration::from_millis(500);
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
content-type: application/json\r\ncontent-length: 86\r\n\r\n\
{\"error\":\"Too many connections are open. Please try again in a moment.\",\"code\":\"busy\"}";

/// An admitted connection.
pub(crate) struct Connection {
    stream: Stream,
    slot: ConnectionSlot,
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
            Box::pin(refuse(stream, &connections)).await;
        }
        return Err(io::ErrorKind::ResourceBusy.into());
    };
    // Otherwise a compressed response waits 40 ms for the acknowledgement of the one before.
    stream.set_nodelay(true)?;
    let stream = match tls {
        None => Stream::Plain(stream),
        Some(tls) => {
            let stream = Box::pin(timeout(HANDSHAKE, tls.accept(stream))).await??;
            Stream::Tls(Box::new(stream))
        }
    };
    let connection = Connection {
        stream,
        slot,
        idle_at: Instant::now() + IDLE,
        stalled_at: None,
        alarm: Box::pin(sleep(IDLE)),
    };
    Ok((connection, Some(peer)))
}

/// Sends 503 and closes.
async fn refuse(mut stream: TcpStream, connections: &Connections) {
    let _ = timeout(REFUSAL_TIME, stream.write_all(REFUSAL)).await;
    // To close before the request has arrived would reset the connection, and the client would not
    // see the response.
    if let Some(_permit) = connections.refusal() {
        let mut request = [0; 4_096];
        let _ = timeout(REFUSAL_TIME, stream.read(&mut request)).await;
    }
}

fn timed_out(reason: &'static str) -> io::Error {
    tracing::debug!("a connection was closed: {reason}");
    io::Error::new(io::ErrorKind::TimedOut, reason)
}

impl Connection {
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
        let (at, reason) = match self.stalled_at {
            Some(at) if at < self.idle_at => (at, "the client does not read"),
            _ => (self.idle_at, "it was idle"),
        };
        if at < self.alarm.deadline() {
            self.alarm.as_mut().reset(at);
        }
        while self.alarm.as_mut().poll(context).is_ready() {
            if Instant::now() >= at {
                return Poll::Ready(Err(timed_out(reason)));
            }
            self.alarm.as_mut().reset(at);
        }
        Poll::Pending
    }

    /// Applies the limits of slow readers to the outcome of a write of `len` bytes.
    fn after_write(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
        len: usize,
    ) -> Poll<io::Result<usize>> {
        let is_blocked = match &outcome {
            Poll::Pending => true,
            Poll::Ready(Ok(written)) => {
                self.extend(*written);
                *written < len
            }
            Poll::Ready(Err(_)) => false,
        };
        self.stalled_at =
            is_blocked.then(|| self.stalled_at.unwrap_or_else(|| Instant::now() + STALLED));
        if !self.slot.set_blocked(is_blocked) {
            return Poll::Ready(Err(timed_out("too many clients do not read")));
        }
        match outcome {
            Poll::Pending => self.poll_limits(context),
            ready => ready,
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
        let before = buffer.filled().len();
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        };
        if outcome.is_pending() {
            return this.poll_limits(context);
        }
        this.extend((buffer.filled().len() - before) / READ_PER_WRITTEN);
        outcome
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        this.after_write(context, outcome, bytes.len())
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let outcome = match &mut this.stream {
            // Has no buffer: its flush says nothing about the client.
            Stream::Plain(stream) => return Pin::new(stream).poll_flush(context),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(context),
        };
        this.after_write(context, outcome.map_ok(|()| 0), 0)
            .map_ok(drop)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
