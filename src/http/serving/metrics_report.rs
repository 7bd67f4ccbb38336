//! The metrics in the text format of Prometheus.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::AtomicU64;
use std::time::SystemTime;

use actix_web::HttpResponse;
use jiff::Timestamp;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;

use super::connections::limits::Connections;
use crate::http::error::ApiError;
use crate::http::state::AppState;
use crate::maintenance::certificates::Condition;
use crate::replica::position_of;
use crate::store::outgoing::JobKind;
use crate::store::{free_bytes, with_suffix};

const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers `GET /metrics`.
pub(crate) async fn report(
    state: &AppState,
    connections: &Connections,
) -> Result<HttpResponse, ApiError> {
    let open = connections.count();
    let shared = state.clone();
    let text = state
        .work(move |_| {
            registry(&shared, open).map_err(|error| ApiError::Internal(error.to_string()))
        })
        .await?;
    Ok(HttpResponse::Ok().content_type(CONTENT_TYPE).body(text))
}

/// Formats all metrics.
fn registry(state: &AppState, open: u64) -> Result<String, std::fmt::Error> {
    let mut registry = Registry::with_prefix("deals");
    if let Some(metrics) = state.metrics() {
        registry.register(
            "http_requests",
            "Requests answered",
            metrics.answers.clone(),
        );
        registry.register(
            "http_request_duration_seconds",
            "Seconds until a response began",
            metrics.times.clone(),
        );
    }
    state.renderer().register(&mut registry);
    let build = Family::<Build, Gauge>::default();
    build.get_or_create(&Build::CURRENT).set(1);
    registry.register("build_info", "What is running", build);
    gauge(&mut registry, "http_connections", "Connections open", open);
    store_figures(&mut registry, state);
    certificate_figures(&mut registry, state);
    job_figures(&mut registry, state);
    process_figures(&mut registry);
    let mut text = String::new();
    encode(&mut text, &registry)?;
    Ok(as_text_format(&text))
}

/// Rewrites OpenMetrics as the older format, which all tools read: there, a counter is declared by
/// the name of its samples, and there is no mark of the end.
fn as_text_format(open_metrics: &str) -> String {
    let counter = |line: &str| {
        let name = line.strip_prefix("# TYPE ")?.strip_suffix(" counter")?;
        Some(name.to_owned())
    };
    let counters: HashSet<String> = open_metrics.lines().filter_map(counter).collect();
    let mut text = String::new();
    for line in open_metrics.lines().filter(|line| *line != "# EOF") {
        match line.splitn(4, ' ').collect::<Vec<_>>()[..] {
            ["#", what, name, rest] if counters.contains(name) => {
                text.push_str(&format!("# {what} {name}_total {rest}\n"));
            }
            _ => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: &'static str,
    commit: &'static str,
}

impl Build {
    const CURRENT: Self = Self {
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("DEALS_COMMIT"),
    };
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let gauge = ConstGauge::<u64>::new(value);
    registry.register(name, help, gauge);
}

fn store_figures(registry: &mut Registry, state: &AppState) {
    let store = state.store();
    if let Ok(products) = store.count_products() {
        let products = u64::try_from(products).unwrap_or_default();
        gauge(registry, "products", "Products in the shop", products);
    }
    if let Ok(mails) = store.count_waiting_jobs(JobKind::Mail) {
        gauge(registry, "mails_waiting", "Mails waiting to be sent", mails);
    }
    let writes = store.write_figures();
    for (name, help, value) in [
        ("writes", "Writes requested", writes.asked),
        (
            "writes_failed",
            "Writes that failed for lack of space or access",
            writes.failed,
        ),
        (
            "transactions",
            "Committed transactions",
            writes.transactions,
        ),
    ] {
        registry.register(name, help, ConstCounter::new(value));
    }
    let seconds = ConstCounter::new(writes.busy.as_secs_f64());
    registry.register(
        "transaction_seconds",
        "Duration of transactions in seconds",
        seconds,
    );
    let size = |path| fs::metadata(path).map_or(0, |file| file.len());
    let path = store.path();
    gauge(
        registry,
        "database_bytes",
        "Size of the database",
        size(path.to_owned()),
    );
    gauge(
        registry,
        "log_bytes",
        "Size of its WAL",
        size(with_suffix(path, "-wal")),
    );
    if let Ok(free) = free_bytes(path) {
        gauge(registry, "disk_free_bytes", "Room on its disk", free);
    }
    if let Some((_, position)) = position_of(path) {
        let help = "Last transaction of the leader in this copy";
        gauge(registry, "follower_position", help, position);
    }
    if let Some(plan) = state.backups().current() {
        // 0 for a folder that can't be read, too, so that an alert on the age fires.
        let newest = plan.newest(path).ok().flatten();
        let time = newest
            .as_ref()
            .and_then(|newest| newest.at.duration_since(SystemTime::UNIX_EPOCH).ok());
        let help = "Time of the newest backup, 0 without one that can be found";
        let seconds = time.map_or(0, |time| time.as_secs());
        gauge(registry, "backup_newest_timestamp_seconds", help, seconds);
        let bytes = newest.map_or(0, |newest| newest.bytes);
        gauge(
            registry,
            "backup_newest_bytes",
            "Size of the newest backup",
            bytes,
        );
    }
}

fn certificate_figures(registry: &mut Registry, state: &AppState) {
    let Some(certificate) = state.certificate() else {
        return;
    };
    let condition = certificate.condition(Timestamp::now());
    let is_usable = !matches!(condition, Condition::Unusable(_));
    let help = "1 when browsers take the certificate that visitors get, 0 when it is expired or not valid yet";
    gauge(registry, "certificate_usable", help, is_usable.into());
    if let Some(ends) = certificate.ends() {
        let seconds = u64::try_from(ends.as_second()).unwrap_or_default();
        let help = "End of the certificate";
        gauge(registry, "certificate_end_timestamp_seconds", help, seconds);
    }
}

/// The name of a background job.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct JobLabel {
    job: String,
}

/// Adds the last run of each background job.
fn job_figures(registry: &mut Registry, state: &AppState) {
    let succeeded = Family::<JobLabel, Gauge<f64, AtomicU64>>::default();
    let seconds = Family::<JobLabel, Gauge<f64, AtomicU64>>::default();
    let failures = Family::<JobLabel, Counter>::default();
    for (job, run) in state.last_runs().all() {
        let label = JobLabel { job };
        let at = Timestamp::from_millisecond(run.succeeded).unwrap_or_default();
        succeeded
            .get_or_create(&label)
            .set(at.as_duration().as_secs_f64());
        seconds.get_or_create(&label).set(run.seconds);
        failures.get_or_create(&label).inc_by(run.failures);
    }
    registry.register(
        "job_last_success_timestamp_seconds",
        "When a background job last ran without an error, 0 when it did not yet",
        succeeded,
    );
    registry.register(
        "job_last_duration_seconds",
        "Seconds that the last run of a background job took",
        seconds,
    );
    registry.register("job_failures", "Failed runs of a background job", failures);
}

/// Adds the figures of the process.
fn process_figures(registry: &mut Registry) {
    let process = registry.sub_registry_with_prefix("process");
    let pages: Option<u64> = fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse().ok());
    if let Some(pages) = pages {
        let bytes = pages * rustix::param::page_size() as u64;
        let memory = Gauge::<u64, AtomicU64>::default();
        memory.set(bytes);
        process.register("resident_memory_bytes", "Memory in use", memory);
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        let files = ConstGauge::<u64>::new(files.count() as u64);
        process.register("open_fds", "Files open", files);
    }
}
