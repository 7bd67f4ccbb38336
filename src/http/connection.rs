//! What every connection is held to before HTTP is spoken: how many there may be, and
//! how long one may take to be served.

use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_http::Protocol;
use actix_web::rt::net::TcpStream;
use ipnet::IpNet;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use super::limits::Client;

/// Connections at once that one process serves; each takes some 20 to 40 kB.
const MOST: u64 = 12_000;
/// Connections whose clients are waited for to take an answer; each holds 50 kB and more.
/// A slow phone is waited for, and thousands of clients that never read are not.
const MOST_BLOCKED: u64 = 512;
/// File descriptors for everything but connections: the database, its readers, logs.
const OTHER_FILES: u64 = 64;
/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// How long one that is refused may take to send what is not looked at.
const REFUSING: Duration = Duration::from_millis(500);
/// How long a client may take none of an answer, before what it took counts.
const STALLED: Duration = Duration::from_secs(30);
/// The slowest that a client may take an answer, in bytes a millisecond.
const SLOWEST: u64 = 1;
/// What a client gets that is one too many.
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
content-type: application/json\r\ncontent-length: 71\r\n\r\n\
{\"error\":\"Too many connections are open. Please try again in a moment.\"}";

/// The connections that are open, by the address that they come from.
#[derive(Debug)]
pub(super) struct Connections {
    open: Mutex<Open>,
    /// Those whose clients do not take what is written.
    blocked: AtomicU64,
    most: u64,
    most_of_one: u64,
    trusted_proxies: Vec<IpNet>,
}

#[derive(Debug, Default)]
struct Open {
    all: u64,
    by_client: HashMap<Client, u64>,
}

impl Connections {
    /// Takes as many in all as the process may open files, and `most_of_one` of one
    /// address that is no trusted proxy.
    pub(super) fn new(most_of_one: u64, trusted_proxies: Vec<IpNet>) -> Self {
        let files = raise_file_limit();
        Self {
            open: Mutex::default(),
            blocked: AtomicU64::new(0),
            most: MOST.min(files.saturating_sub(OTHER_FILES).max(1)),
            most_of_one,
            trusted_proxies,
        }
    }

    /// How many are open.
    pub(super) fn count(&self) -> u64 {
        self.lock().all
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<Place, Refused> {
        let client = Client::new(peer);
        let peer = peer.to_canonical();
        let is_proxy = self.trusted_proxies.iter().any(|net| net.contains(&peer));
        let mut open = self.lock();
        let of_this = open.by_client.get(&client).copied().unwrap_or_default();
        if open.all >= self.most {
            return Err(Refused::ByAll);
        }
        if !is_proxy && of_this >= self.most_of_one {
            return Err(Refused::ByOne);
        }
        open.all += 1;
        open.by_client.insert(client, of_this + 1);
        Ok(Place {
            connections: Arc::clone(self),
            client,
            is_blocked: false,
        })
    }
}

/// Lets the process open as many files as the system allows it, and tells how many.
fn raise_file_limit() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let now = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    now.unwrap_or(u64::MAX)
}

/// Who has too many connections open.
enum Refused {
    ByAll,
    ByOne,
}

/// A connection's place, given back when it ends.
struct Place {
    connections: Arc<Connections>,
    client: Client,
    is_blocked: bool,
}

impl Place {
    /// Notes whether the client is waited for, and tells whether it may be.
    fn set_blocked(&mut self, is_blocked: bool) -> bool {
        let all = &self.connections.blocked;
        match (self.is_blocked, is_blocked) {
            (false, true) => {
                self.is_blocked = true;
                all.fetch_add(1, Ordering::Relaxed) < MOST_BLOCKED
            }
            (true, false) => {
                self.is_blocked = false;
                all.fetch_sub(1, Ordering::Relaxed);
                true
            }
            _ => true,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.set_blocked(false);
        let mut open = self.connections.lock();
        open.all -= 1;
        if let Some(count) = open.by_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                open.by_client.remove(&self.client);
            }
        }
    }
}

/// What HTTP is spoken over.
pub(super) struct Connection {
    stream: Stream,
    /// When the client is given up, while it does not take what is written.
    given_up: Option<Pin<Box<Sleep>>>,
    place: Place,
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
pub(super) async fn accept(
    stream: TcpStream,
    connections: Arc<Connections>,
    tls: Option<TlsAcceptor>,
) -> io::Result<(Connection, Protocol, Option<std::net::SocketAddr>)> {
    let peer = stream.peer_addr()?;
    let place = match connections.admit(peer.ip()) {
        Ok(place) => place,
        Err(refused) => {
            tracing::debug!("a connection was refused: too many are open");
            if tls.is_none() {
                refuse(stream, &refused).await;
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
            let stream = timeout(HANDSHAKE, tls.accept(stream)).await??;
            let protocol = match stream.get_ref().1.alpn_protocol() {
                Some(b"h2") => Protocol::Http2,
                _ => Protocol::Http1,
            };
            (Stream::Tls(Box::new(stream)), protocol)
        }
    };
    let connection = Connection {
        stream,
        given_up: None,
        place,
    };
    Ok((connection, protocol, Some(peer)))
}

/// Tells a client that it is one too many, as far as that costs nothing.
async fn refuse(mut stream: TcpStream, refused: &Refused) {
    let told = timeout(REFUSING, stream.write_all(REFUSAL)).await;
    if told.is_ok() && matches!(refused, Refused::ByOne) {
        // Closing with a request unread would reset the connection, and the client
        // would not see the answer.
        let mut request = [0; 4_096];
        let _ = timeout(REFUSING, stream.read(&mut request)).await;
    }
}

impl Connection {
    /// Watches over how fast the client takes what is written: `outcome` is that of a
    /// write of so many bytes.
    fn watch(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<usize>>,
        wanted: usize,
    ) -> Poll<io::Result<usize>> {
        let is_blocked = match &outcome {
            Poll::Pending => true,
            Poll::Ready(Ok(written)) => *written < wanted,
            Poll::Ready(Err(_)) => false,
        };
        if !self.place.set_blocked(is_blocked) {
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
        match &mut self.get_mut().stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Stream::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
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
        let outcome = match &mut this.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        this.watch(context, outcome, bytes.len())
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
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
