//! Counters of requests.

use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

/// Upper bounds of the latency histogram, in seconds: from cached responses to password hashes.
const BUCKETS: [f64; 9] = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct ResponseLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RouteLabel {
    route: String,
}

/// Counters that grow with each request; gauges are read when the report is made.
pub(crate) struct Metrics {
    pub(crate) answers: Family<ResponseLabels, Counter>,
    pub(crate) times: Family<RouteLabel, Histogram>,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            answers: Family::default(),
            times: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
        }
    }
}

impl Metrics {
    /// Counts a response by its route's pattern: paths contain tokens and are unlimited in number.
    pub(crate) fn answered(
        &self,
        method: &Method,
        route: Option<&str>,
        status: StatusCode,
        took: Duration,
    ) {
        let route = route.unwrap_or("other").to_owned();
        let method = match *method {
            Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::DELETE => {
                method.as_str()
            }
            _ => "other",
        };
        let answer = ResponseLabels {
            method: method.to_owned(),
            route: route.clone(),
            status: status.as_u16(),
        };
        self.answers.get_or_create(&answer).inc();
        self.times
            .get_or_create(&RouteLabel { route })
            .observe(took.as_secs_f64());
    }
}
