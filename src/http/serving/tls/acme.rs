//! Certificates from an ACME server: when they are ordered, and what is said when they are not given.

use std::future::poll_fn;
use std::io;
use std::net::ToSocketAddrs;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_core::Stream;
use jiff::{SignedDuration, Timestamp};
use rustls_acme::acme::Identifier;
use rustls_acme::caches::DirCache;
use rustls_acme::{
    AcmeConfig, AcmeState, CertCache, EventError, EventOk, OrderError, ResolvesServerCertAcme,
    UseChallenge, is_tls_alpn_challenge,
};
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{ClientConfig, Error as RustlsError, RootCertStore};
use url::Url;

use super::acceptor::{HTTP, Tls, TlsError, acceptor, unusable};
use crate::domain::{counted, moment_in_india};
use crate::maintenance::acme::AcmeProgress;
use crate::maintenance::certificates::{
    Served, SiteCertificate, certificates_in, provider, validity,
};
use crate::maintenance::listener::{ask, connect, encrypted};

/// Maximum duration of connecting to the ACME server, and of each wait for it.
const PATIENCE: Duration = Duration::from_secs(30);
/// Maximum duration of an order, with the visits of the ACME server.
const ORDER_TIME: Duration = Duration::from_secs(600);
/// Longest sleep, after which the clock is read again.
const LONGEST_SLEEP: Duration = Duration::from_secs(3_600);
/// Time before the library renews by itself, at which an order is made here.
const EARLIER: SignedDuration = SignedDuration::from_mins(10);
/// Seconds until the next try when the ACME server can't be reached, and when it refused.
const UNREACHABLE: [i64; 4] = [30, 60, 300, 900];
const REFUSED: [i64; 4] = [60, 300, 900, 1_200];

type OrderState = AcmeState<io::Error, io::Error>;

/// Orders and renews the certificate of these names.
pub(super) struct Acme {
    domains: Vec<String>,
    contact: Option<String>,
    directory: Url,
    client: Arc<ClientConfig>,
    folder: PathBuf,
    resolver: Arc<Resolver>,
}

/// Why there is no certificate.
enum OrderFailure {
    Unreachable(String),
    Refused(String),
}

impl Acme {
    pub(super) fn open(
        domains: Vec<String>,
        contact: Option<String>,
        directory: Url,
        authority: Option<&Path>,
        folder: PathBuf,
        site: SiteCertificate,
    ) -> Result<Tls, TlsError> {
        make_private(&folder).map_err(|error| unusable(&folder, &error))?;
        let mut roots = RootCertStore::empty();
        match authority {
            None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(path) => {
                let found = certificates_in(path).map_err(|error| unusable(path, &error))?;
                if roots.add_parsable_certificates(found).0 == 0 {
                    return Err(unusable(path, &"it has no certificate in PEM form"));
                }
            }
        }
        let client = ClientConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let acme = Self {
            domains,
            contact,
            directory,
            client: Arc::new(client),
            folder,
            resolver: Arc::new(Resolver {
                served: site.served.clone(),
                current: Mutex::default(),
            }),
        };
        Ok(Tls {
            acceptor: acceptor(acme.resolver.clone(), &[HTTP, b"acme-tls/1"])?,
            keep: Box::pin(acme.keep()),
            site,
        })
    }

    /// Orders and renews the certificate for as long as the server runs.
    async fn keep(self) {
        let mut failures = 0;
        loop {
            let failure = match self.serve_until_due().await {
                Ok(()) => match self.order().await {
                    Ok(()) => {
                        failures = 0;
                        continue;
                    }
                    Err(failure) => failure,
                },
                Err(until) => {
                    sleep_until(until).await;
                    continue;
                }
            };
            let now = Timestamp::now();
            let (delays, reason) = match failure {
                OrderFailure::Unreachable(reason) => (UNREACHABLE, reason),
                OrderFailure::Refused(reason) => (REFUSED, reason),
            };
            let delay = SignedDuration::from_secs(delays[failures.min(delays.len() - 1)]);
            failures += 1;
            let mut progress = AcmeProgress::load(&self.folder);
            let next = (now + delay).max(progress.may_order_from(&self.key(), now + delay));
            let seconds = next.duration_since(now).as_secs().unsigned_abs();
            let wait = match seconds {
                0..60 => counted(seconds, "second"),
                _ => counted(seconds.div_ceil(60), "minute"),
            };
            progress.fail(reason.clone(), next);
            // A full disk was named.
            let _ = progress.save(&self.folder);
            tracing::error!(
                "no new certificate: {reason} It is tried again in {wait}, at {}.",
                moment_in_india(next)
            );
            sleep_until(next).await;
        }
    }

    /// Serves the certificate that was kept, until another is due and may be ordered.
    ///
    /// # Errors
    ///
    /// The time from which an order may be made, if that is later.
    async fn serve_until_due(&self) -> Result<(), Timestamp> {
        let kept = DirCache::new(self.folder.clone());
        let kept = kept.load_cert(&self.domains, self.directory.as_str()).await;
        let due = kept.ok().flatten().and_then(|pem| renewal(&pem));
        if let Some(due) = due {
            let mut state = self.state();
            // The library reports that it serves the certificate that it read, and waits.
            while let Ok(Some(event)) = timeout(PATIENCE, next(&mut state)).await {
                if matches!(event, Ok(EventOk::DeployedCachedCert)) {
                    tracing::info!("serving the certificate that was kept");
                    break;
                }
            }
            drop(state);
            sleep_until(due).await;
        }
        let now = Timestamp::now();
        match AcmeProgress::load(&self.folder).may_order_from(&self.key(), now) {
            from if from > now => Err(from),
            _ => Ok(()),
        }
    }

    /// Orders a certificate.
    async fn order(&self) -> Result<(), OrderFailure> {
        let (directory, client) = (self.directory.clone(), Arc::clone(&self.client));
        let reached = tokio::task::spawn_blocking(move || reach(&directory, client)).await;
        match reached {
            Ok(Ok(())) => {}
            Ok(Err(reason)) => {
                return Err(OrderFailure::Unreachable(format!(
                    "the ACME server {} {reason}.",
                    self.server()
                )));
            }
            Err(error) => return Err(OrderFailure::Unreachable(format!("{error}."))),
        }
        // Kept first, so that a folder that can't be written to loses no certificate.
        let mut progress = AcmeProgress::load(&self.folder);
        progress.add(&self.key(), Timestamp::now());
        progress.save(&self.folder).map_err(|error| {
            let folder = self.folder.display();
            OrderFailure::Refused(format!("{folder} can't be written to ({error})."))
        })?;
        let mut state = self.state();
        let given = async {
            while let Some(event) = next(&mut state).await {
                match event {
                    Ok(EventOk::DeployedNewCert) => tracing::info!("got a new certificate"),
                    Ok(EventOk::CertCacheStore) => return Ok(()),
                    Ok(EventOk::DeployedCachedCert | EventOk::AccountCacheStore) => {}
                    Err(EventError::Order(error)) => return Err(self.describe_failure(&error)),
                    Err(error) => return Err(format!("{error}.")),
                }
            }
            Err("the order ended.".to_owned())
        };
        match timeout(ORDER_TIME, given).await {
            Ok(given) => given.map_err(OrderFailure::Refused)?,
            Err(_) => {
                let reason = format!("the ACME server {} did not finish.", self.server());
                return Err(OrderFailure::Refused(reason));
            }
        }
        let _ = AcmeProgress::default().save(&self.folder);
        Ok(())
    }

    /// Begins with the library anew, which has no time-outs and waits for up to 18 hours.
    fn state(&self) -> OrderState {
        let mut config =
            AcmeConfig::new_with_client_config(&self.domains, Arc::clone(&self.client));
        if let Some(contact) = &self.contact {
            config = config.contact_push(format!("mailto:{contact}"));
        }
        let state = config
            .directory(&self.directory)
            .cache(DirCache::new(self.folder.clone()))
            .challenge_type(UseChallenge::TlsAlpn01)
            .state();
        self.resolver.lock().state = Some(state.resolver());
        state
    }

    fn server(&self) -> &str {
        self.directory.host_str().unwrap_or_default()
    }

    /// The subject of the orders that are counted together.
    fn key(&self) -> String {
        format!("{} {}", self.directory, self.domains.join(","))
    }

    /// Describes a failed order with the words of the ACME server.
    fn describe_failure(&self, error: &OrderError) -> String {
        let names = self.domains.join(", ");
        let says = |detail: &str| {
            let detail: String = detail
                .chars()
                .filter(|c| !c.is_control())
                .take(400)
                .collect();
            let detail = detail.trim().trim_end_matches('.');
            format!(
                "the ACME server {} says: {detail}. Each of {names} must lead to port 443 of this \
                 machine.",
                self.server()
            )
        };
        match error {
            OrderError::BadAuth(refused) => {
                let mut problems = refused.challenges.iter().filter_map(|it| it.error.as_ref());
                let Identifier::Dns(name) = &refused.identifier;
                match problems.find_map(|problem| problem.detail.as_deref()) {
                    Some(detail) => says(detail),
                    None => says(&format!("it cannot confirm {name}")),
                }
            }
            OrderError::BadOrder(order) => {
                let problem = order.error.as_ref();
                says(problem.and_then(|it| it.detail.as_deref()).unwrap_or("no"))
            }
            OrderError::TooManyAttemptsAuth(name) => {
                says(&format!("{name} was not confirmed in time"))
            }
            OrderError::Acme(error) => says(&detail_in(&error.to_string())),
            error => format!("{error}."),
        }
    }
}

/// Returns the detail of a problem (RFC 7807) that an error quotes, or else the error.
fn detail_in(error: &str) -> String {
    let quoted = error.find('"').map(|start| &error[start..]);
    let body = quoted.and_then(|text| serde_json::from_str::<String>(text).ok());
    let problem = body.and_then(|body| serde_json::from_str::<serde_json::Value>(&body).ok());
    let detail = problem.and_then(|it| Some(it.get("detail")?.as_str()?.to_owned()));
    detail.unwrap_or_else(|| error.to_owned())
}

/// Asks for the directory, as the library waits for a silent server for ever.
fn reach(directory: &Url, client: Arc<ClientConfig>) -> Result<(), String> {
    let described = |error: io::Error| {
        let tls = error.get_ref().and_then(|it| it.downcast_ref());
        match (error.kind(), tls) {
            (_, Some(RustlsError::InvalidCertificate(cause))) => format!(
                "has a certificate that is not trusted ({cause:?}): with another ACME server, name its \
                 authority by --acme-ca"
            ),
            (io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock, _) => {
                format!("did not answer within {} seconds", PATIENCE.as_secs())
            }
            (io::ErrorKind::ConnectionRefused, _) => "refuses connections".to_owned(),
            _ => format!("can't be reached ({error})"),
        }
    };
    let host = directory.host_str().unwrap_or_default();
    let port = directory.port_or_known_default().unwrap_or(443);
    let addresses = (host.trim_matches(['[', ']']), port).to_socket_addrs();
    let addresses = addresses.map_err(|_| "was not found: check its name".to_owned())?;
    let mut stream = Err("can't be reached: its name has no address".to_owned());
    for address in addresses {
        stream = connect(&address, PATIENCE).map_err(described);
        if stream.is_ok() {
            break;
        }
    }
    let answer = encrypted(stream?, host.trim_matches(['[', ']']), Some(client))
        .and_then(|stream| ask(stream, host, directory.path()))
        .map_err(described)?;
    match answer.split(' ').nth(1) {
        Some("200") => Ok(()),
        Some(status) => Err(format!("answers with status {status} at {directory}")),
        None => Err("does not speak HTTP".to_owned()),
    }
}

async fn next(state: &mut OrderState) -> Option<<OrderState as Stream>::Item> {
    poll_fn(|context| Pin::new(&mut *state).poll_next(context)).await
}

/// Sleeps by the wall clock, which may be set meanwhile.
async fn sleep_until(at: Timestamp) {
    while let Ok(left) = Duration::try_from(at.duration_since(Timestamp::now()))
        && !left.is_zero()
    {
        tokio::time::sleep(left.min(LONGEST_SLEEP)).await;
    }
}

/// Returns the time to renew the certificate in a file at: when a third of its life is left.
fn renewal(pem: &[u8]) -> Option<Timestamp> {
    let (begins, ends) = validity(&CertificateDer::from_pem_slice(pem).ok()?).ok()?;
    Some(ends - ends.duration_since(begins) / 3 - EARLIER)
}

/// Resolver of the library's current state, and the certificate of those before.
#[derive(Debug)]
struct Resolver {
    current: Mutex<Current>,
    served: Served,
}

#[derive(Debug, Default)]
struct Current {
    state: Option<Arc<ResolvesServerCertAcme>>,
    last: Option<Arc<CertifiedKey>>,
}

impl Resolver {
    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResolvesServerCert for Resolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let is_challenge = is_tls_alpn_challenge(&hello);
        let mut current = self.lock();
        let found = current.state.as_ref().and_then(|it| it.resolve(hello));
        if is_challenge {
            return found;
        }
        if let Some(found) = found {
            self.served.set(found.cert.first().cloned());
            current.last = Some(found);
        }
        current.last.clone()
    }
}

/// Creates a folder for keys that only this user can read.
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))
}

#[cfg(test)]
mod tests {
    use super::detail_in;

    #[test]
    fn the_detail_of_an_acme_error_is_extracted() {
        let body =
            "{\n \"type\": \"urn:ietf:params:acme:error:rateLimited\", \"detail\": \"too many\"}";
        let error = format!("http request error: non 2xx http status: 429 {body:?}");
        assert_eq!(detail_in(&error), "too many");
        assert_eq!(detail_in("io error"), "io error");
        assert_eq!(
            detail_in("status: 500 \"not JSON\""),
            "status: 500 \"not JSON\""
        );
    }
}
