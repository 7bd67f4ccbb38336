//! Starting, running and stopping the server.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use actix_http::HttpService;
use actix_http::error::DispatchError;
use actix_server::GracefulShutdownSignal;
use actix_service::{
    IntoServiceFactory, ServiceFactory, ServiceFactoryExt, fn_service, map_config,
};
use actix_web::body::MessageBody;
use actix_web::dev::{AppConfig, ServiceRequest, ServiceResponse};
use actix_web::rt::net::TcpStream;
use actix_web::{App, Error};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use url::Url;

use super::connections::body_timeout::LINGER;
use super::connections::limits::{
    Connections, MIN_ADDRESS_SPACE, MIN_FILES, address_space, raise_file_limit,
};
use super::connections::stream::{Connection, accept};
use super::listeners::{SideListener, side_app};
use super::tls::{Certificate, Tls, TlsError};
use crate::http::{AppState, app};
use crate::maintenance::certificates::SiteCertificate;

const MIB: u64 = 1_024 * 1_024;
/// Seconds for running requests to finish after a stop.
const SHUTDOWN_SECONDS: u64 = 6;
/// Blocking threads of each worker: more would only queue for database connections.
const BLOCKING_THREADS: usize = 8;
/// Maximum time for workers to end after the server has stopped.
const WORKER_SHUTDOWN: Duration = Duration::from_secs(2);
/// Time limit for the head of a connection's first request.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Time limit of an idle connection.
const IDLE_TIME: Duration = Duration::from_secs(15);
/// Maximum connections of a worker, above the limit in `connections/limits.rs`, so that a client
/// over that limit gets a 503.
const MAX_ACCEPTED: usize = 1 << 20;

/// Error that keeps the server from starting or ended it, with advice.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Invalid address.
    #[error("cannot listen on {0}: write an address and a port, like 127.0.0.1:8080")]
    Address(String),
    /// The port is in use.
    #[error(
        "cannot listen on {0}: another program is using this port. Stop it, or choose another with {1}."
    )]
    InUse(SocketAddr, &'static str),
    /// The port is only for root.
    #[error(
        "cannot listen on {0}: this user may not use the port. Run it as the service that \
         `deals systemd` prints, or as root, or choose a port from 1024 with {1}."
    )]
    Privileged(SocketAddr, &'static str),
    /// The system refused to listen.
    #[error("cannot listen on {0}: {2}. Choose another address with {1}.")]
    Refused(SocketAddr, &'static str, std::io::Error),
    /// The limit of open files is too low.
    #[error(
        "this process may open {0} files, and a server needs {MIN_FILES} at least. \
         Raise the limit with `ulimit -n {MIN_FILES}` or more, or LimitNOFILE= in the unit."
    )]
    FewFiles(u64),
    /// The limit of address space is too low.
    #[error(
        "this process may have {0} MiB of address space, and a server needs {least} at least, \
         of which it uses little. Raise the limit with `ulimit -v`, and limit memory by \
         MemoryMax= in the unit.",
        least = MIN_ADDRESS_SPACE / MIB
    )]
    LittleSpace(u64),
    /// Unusable certificate.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Stopped for this reason.
    #[error("{0}")]
    Stopped(String),
    /// Socket or signal failure.
    #[error("the server stopped: {0}")]
    Broken(#[from] std::io::Error),
}

/// Stops a server from another thread.
#[derive(Clone, Default)]
pub struct Stopper(Arc<StopState>);

#[derive(Default)]
struct StopState {
    requested: Notify,
    /// Why; `None` to start anew.
    reason: OnceLock<Option<String>>,
}

impl Stopper {
    /// Stops the server as SIGTERM does; `run` fails with this reason.
    pub fn stop(&self, reason: String) {
        tracing::error!(reason, "stopping");
        let _ = self.0.reason.set(Some(reason));
        self.0.requested.notify_one();
    }

    /// Stops the server so that its [`Server::successor`] goes on.
    pub fn start_anew(&self) {
        let _ = self.0.reason.set(None);
        self.0.requested.notify_one();
    }
}

/// Listen addresses and limits.
#[derive(Debug, Default)]
pub struct Listening {
    /// Address and port of the site.
    pub address: String,
    /// Serves TLS with this certificate.
    pub certificate: Option<Certificate>,
    /// Address of the listener that redirects http to https.
    pub redirect_from: Option<String>,
    /// Address of the metrics.
    pub metrics: Option<String>,
    /// Maximum connections from one address.
    pub connections_per_address: u32,
}

/// A server that is bound and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    redirect: Option<TcpListener>,
    metrics: Option<TcpListener>,
    tls: Option<Tls>,
    connections_per_address: u32,
    stopper: Stopper,
}

impl Server {
    /// Binds all addresses and reads the certificate, so that a port in use is reported before any
    /// work starts.
    ///
    /// # Errors
    ///
    /// See [`ServeError`].
    pub fn bind(listening: Listening) -> Result<Self, ServeError> {
        let files = raise_file_limit();
        if files < MIN_FILES {
            return Err(ServeError::FewFiles(files));
        }
        if address_space() < MIN_ADDRESS_SPACE {
            return Err(ServeError::LittleSpace(address_space() / MIB));
        }
        // Keeps SIGHUP from ending a server that starts: tokio's handler stays until the process ends.
        actix_web::rt::System::new().block_on(async { signal(SignalKind::hangup()).map(drop) })?;
        let listener = bind(&listening.address, "--listen")?;
        let address = listener.local_addr()?;
        let redirect = listening
            .redirect_from
            .as_deref()
            .map(|address| bind(address, "--redirect-from"))
            .transpose()?;
        let metrics = listening
            .metrics
            .as_deref()
            .map(|address| bind(address, "--metrics-listen"))
            .transpose()?;
        let tls = listening.certificate.map(Certificate::open).transpose()?;
        Ok(Self {
            listener,
            address,
            redirect,
            metrics,
            tls,
            connections_per_address: listening.connections_per_address,
            stopper: Stopper::default(),
        })
    }

    /// Returns a server that goes on with the same sockets after this one; connections wait
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// See [`ServeError`].
    pub fn successor(&self, certificate: Option<Certificate>) -> Result<Self, ServeError> {
        let copy = |socket: &TcpListener| socket.try_clone();
        Ok(Self {
            listener: copy(&self.listener)?,
            address: self.address,
            redirect: self.redirect.as_ref().map(copy).transpose()?,
            metrics: self.metrics.as_ref().map(copy).transpose()?,
            tls: certificate.map(Certificate::open).transpose()?,
            connections_per_address: self.connections_per_address,
            stopper: Stopper::default(),
        })
    }

    /// Returns a handle that stops the server.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// The certificate, if the server speaks TLS.
    pub fn certificate(&self) -> Option<SiteCertificate> {
        self.tls.as_ref().map(|tls| tls.site.clone())
    }

    /// The site's address, with the real port if 0 was requested.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Address that redirects to https, if any.
    pub fn redirects_from(&self) -> Option<SocketAddr> {
        self.redirect.as_ref()?.local_addr().ok()
    }

    /// Address of the metrics, if any.
    pub fn metrics_at(&self) -> Option<SocketAddr> {
        self.metrics.as_ref()?.local_addr().ok()
    }

    /// Default public address.
    pub fn local_url(&self) -> Url {
        let localhost = match &self.tls {
            None => "http://localhost",
            Some(_) => "https://localhost",
        };
        let mut url = Url::parse(localhost).unwrap_or_else(|_| unreachable!());
        let _ = url.set_ip_host(self.address.ip());
        let _ = url.set_port(Some(self.address.port()));
        url
    }

    /// Serves until SIGTERM or SIGINT, then lets running requests finish and closes the database.
    /// `ready` is called once requests are answered. Returns true if a successor is to go on.
    ///
    /// # Errors
    ///
    /// [`ServeError::Broken`] if sockets or signals fail, [`ServeError::Stopped`] if its
    /// [`Stopper`] was used.
    pub fn run(self, state: AppState, ready: impl FnOnce()) -> Result<bool, ServeError> {
        let stopper = self.stopper.clone();
        let stop = self.stopper;
        let in_use = state.in_use();
        actix_web::rt::System::new().block_on(async move {
            let mut terminate = signal(SignalKind::terminate())?;
            let mut interrupt = signal(SignalKind::interrupt())?;
            log_hangup()?;
            let acceptor = self.tls.map(|tls| {
                actix_web::rt::spawn(tls.keep);
                tls.acceptor
            });
            let new_connections = || {
                let proxies = state.options().trusted_proxies.clone();
                Arc::new(Connections::new(
                    self.connections_per_address.into(),
                    proxies,
                ))
            };
            let connections = new_connections();
            let shop = Endpoint {
                connections: Arc::clone(&connections),
                tls: acceptor,
                address: self.address,
            };
            // Others wait until one that takes over has stopped, and it only answers reads.
            let is_copy = state.options().leader.is_some();
            let mut builder = actix_server::Server::build()
                .max_concurrent_connections(MAX_ACCEPTED)
                .worker_max_blocking_threads(BLOCKING_THREADS)
                .shutdown_timeout(if is_copy { 1 } else { SHUTDOWN_SECONDS })
                .disable_signals();
            let ending = builder.graceful_shutdown_signal();
            let mut listeners = Vec::new();
            if let Some(listener) = self.redirect {
                let target = state.public_url().clone();
                listeners.push(("redirect", listener, SideListener::Redirect(target)));
            }
            if let Some(listener) = self.metrics {
                state.enable_metrics();
                let metrics = SideListener::Metrics(state.clone(), connections);
                listeners.push(("metrics", listener, metrics));
            }
            for (name, listener, role) in listeners {
                let plain = Endpoint {
                    tls: None,
                    address: listener.local_addr()?,
                    // Separate, so that many visitors do not make the metrics unreachable.
                    connections: new_connections(),
                };
                let ending = ending.clone();
                builder = builder.listen(name, listener, move || {
                    plain.clone().serve(side_app(role.clone()), ending.clone())
                })?;
            }
            let server = builder
                .listen("shop", self.listener, move || {
                    shop.clone().serve(app(state.clone()), ending.clone())
                })?
                .run();
            let handle = server.handle();
            actix_web::rt::spawn(async move {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                    () = stop.0.requested.notified() => {}
                }
                let stopped = handle.stop(true);
                tracing::info!("stopping: no new connections, running requests may finish");
                stopped.await;
            });
            ready();
            server.await
        })?;
        wait_for_workers(in_use);
        match stopper.0.reason.get() {
            Some(Some(reason)) => Err(ServeError::Stopped(reason.clone())),
            Some(None) => Ok(true),
            None => Ok(false),
        }
    }
}

/// Waits until workers have released the database at the end of their threads, which nothing else waits for.
fn wait_for_workers(in_use: impl Fn() -> bool) {
    let until = Instant::now() + WORKER_SHUTDOWN;
    while in_use() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Logs SIGHUP. It does not end the server: `Restart=on-failure` would not start another.
fn log_hangup() -> std::io::Result<()> {
    let mut hangup = signal(SignalKind::hangup())?;
    actix_web::rt::spawn(async move {
        while hangup.recv().await.is_some() {
            tracing::info!("SIGHUP: the server goes on; SIGTERM stops it");
        }
    });
    Ok(())
}

fn bind(listen: &str, option: &'static str) -> Result<TcpListener, ServeError> {
    let address = listen
        .to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next())
        .ok_or_else(|| ServeError::Address(listen.to_owned()))?;
    TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => ServeError::InUse(address, option),
        ErrorKind::PermissionDenied => ServeError::Privileged(address, option),
        _ => ServeError::Refused(address, option, error),
    })
}

/// Turns connections of one address into requests.
#[derive(Clone)]
struct Endpoint {
    connections: Arc<Connections>,
    tls: Option<TlsAcceptor>,
    address: SocketAddr,
}

impl Endpoint {
    /// Serves like actix-web's own server, over connections with limits.
    fn serve<S, B>(
        self,
        app: App<S>,
        ending: GracefulShutdownSignal,
    ) -> impl ServiceFactory<TcpStream, Config = (), Response = (), Error = DispatchError, InitError = ()>
    where
        S: ServiceFactory<
                ServiceRequest,
                Config = (),
                Response = ServiceResponse<B>,
                Error = Error,
                InitError = (),
            > + 'static,
        B: MessageBody + 'static,
    {
        let app = app
            .into_factory()
            .map_err(|error: Error| error.error_response());
        let app = map_config(app, |()| AppConfig::default());
        let http = HttpService::build()
            .keep_alive(IDLE_TIME)
            .client_request_timeout(HEAD_TIME)
            // A client may still send when it is answered, e.g. with 413. Closing at once would
            // reset the connection and lose the response.
            .client_disconnect_timeout(LINGER)
            .local_addr(self.address)
            .graceful_shutdown_signal(move || {
                let ending = ending.clone();
                async move { ending.notified().await }
            })
            .on_connect_ext(|connection: &Connection, data| {
                data.insert(connection.progress());
            })
            .h1(app);
        let site = self;
        fn_service(move |stream: TcpStream| {
            let site = site.clone();
            async move {
                accept(stream, site.connections, site.tls)
                    .await
                    .map_err(DispatchError::Io)
            }
        })
        .and_then(http)
    }
}
