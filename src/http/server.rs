//! Listening, and stopping without dropping anybody.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::{Arc, OnceLock};

use actix_web::HttpServer;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;
use url::Url;

use super::{AppState, app};

/// Seconds that running requests get to finish after a stop was asked for.
const SHUTDOWN_SECONDS: u64 = 8;
/// Threads of each worker that may wait for the disk: more would only queue for
/// the database's connections.
const BLOCKING_THREADS: usize = 8;

/// Why the server can't listen, in a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is no address.
    #[error("cannot listen on {0}: write an address and a port, like 127.0.0.1:8080")]
    Address(String),
    /// Another program listens there.
    #[error(
        "cannot listen on {0}: another program is using this port. Stop it, or choose another with --listen."
    )]
    InUse(SocketAddr),
    /// The system refused.
    #[error("cannot listen on {0}: {1}. Choose another address with --listen.")]
    Refused(SocketAddr, std::io::Error),
    /// It was stopped for this reason.
    #[error("{0}")]
    Stopped(String),
    /// The server broke down.
    #[error("the server stopped: {0}")]
    Broken(#[from] std::io::Error),
}

/// Stops a server from another thread.
#[derive(Clone, Default)]
pub struct Stopper(Arc<Stop>);

#[derive(Default)]
struct Stop {
    asked: Notify,
    reason: OnceLock<String>,
}

impl Stopper {
    /// Has the server stop as SIGTERM does, and end with this reason as its failure.
    pub fn stop(&self, reason: String) {
        tracing::error!(reason, "stopping");
        let _ = self.0.reason.set(reason);
        self.0.asked.notify_one();
    }
}

/// A server that has its port, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    stopper: Stopper,
}

impl Server {
    /// Takes the address, so that a port in use is told before any work is done.
    ///
    /// # Errors
    ///
    /// [`ServeError`] says why not.
    pub fn bind(listen: &str) -> Result<Self, ServeError> {
        let address = listen
            .to_socket_addrs()
            .ok()
            .and_then(|mut addresses| addresses.next())
            .ok_or_else(|| ServeError::Address(listen.to_owned()))?;
        let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => ServeError::InUse(address),
            _ => ServeError::Refused(address, error),
        })?;
        let address = listener.local_addr()?;
        Ok(Self {
            listener,
            address,
            stopper: Stopper::default(),
        })
    }

    /// What stops it from elsewhere.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Where it listens; the port is the real one also when 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for visitors when none was configured.
    pub fn local_url(&self) -> Url {
        let mut url = Url::parse("http://localhost").unwrap_or_else(|_| unreachable!());
        let _ = url.set_ip_host(self.address.ip());
        let _ = url.set_port(Some(self.address.port()));
        url
    }

    /// Serves until SIGTERM or SIGINT, then lets running requests finish. `ready`
    /// is called once requests are answered and signals are heard. The database
    /// is closed when this returns.
    ///
    /// # Errors
    ///
    /// [`ServeError::Broken`] when the sockets or signals fail, and
    /// [`ServeError::Stopped`] when its [`Stopper`] was used.
    pub fn run(self, state: AppState, ready: impl FnOnce()) -> Result<(), ServeError> {
        let stopper = self.stopper.clone();
        let stop = self.stopper;
        actix_web::rt::System::new().block_on(async move {
            let mut terminate = signal(SignalKind::terminate())?;
            let mut interrupt = signal(SignalKind::interrupt())?;
            let server = HttpServer::new(move || app(state.for_worker()))
                .listen(self.listener)?
                // Without it a compressed answer waits 40 ms for the client's
                // acknowledgement of the one before.
                .tcp_nodelay(true)
                .worker_max_blocking_threads(BLOCKING_THREADS)
                .shutdown_timeout(SHUTDOWN_SECONDS)
                .disable_signals()
                .run();
            let handle = server.handle();
            actix_web::rt::spawn(async move {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                    () = stop.0.asked.notified() => {}
                }
                let stopped = handle.stop(true);
                tracing::info!("stopping: no new connections, running requests may finish");
                stopped.await;
            });
            ready();
            server.await
        })?;
        match stopper.0.reason.get() {
            Some(reason) => Err(ServeError::Stopped(reason.clone())),
            None => Ok(()),
        }
    }
}
