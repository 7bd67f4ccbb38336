//! Renders visitors' pages with the app's own screens.

mod engine;
mod roots;

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

use self::roots::{Key, Roots};
use super::log_limit::LogLimit;

pub(crate) use engine::warm_up;

/// Maximum number of waiting jobs with which pages are rendered beside each other. With more, one is at a
/// time, and browsers render the others: many addresses must not make a visitor wait.
const WAITING: usize = 8;

/// Upper bounds of the histogram of times, in seconds.
const BUCKETS: [f64; 7] = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5];

/// Renders pages, and caches them.
pub(crate) struct Renderer {
    script: &'static str,
    work: Mutex<Work>,
    /// Notified when a page is done.
    done: Condvar,
    seconds: Histogram,
    failed: Counter,
    skipped: Counter,
    failures: LogLimit,
    skips: LogLimit,
}

#[derive(Default)]
struct Work {
    roots: Roots,
    /// Pages that are being rendered.
    running: HashSet<Key>,
}

/// A page that is being rendered, until it is dropped.
struct Running<'a>(&'a Renderer, Key);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.work().running.remove(&self.1);
        self.0.done.notify_all();
    }
}

impl Default for Renderer {
    fn default() -> Self {
        Self::new(engine::SCRIPT)
    }
}

impl Renderer {
    fn new(script: &'static str) -> Self {
        Self {
            script,
            work: Mutex::default(),
            done: Condvar::new(),
            seconds: Histogram::new(BUCKETS),
            failed: Counter::default(),
            skipped: Counter::default(),
            failures: LogLimit::default(),
            skips: LogLimit::default(),
        }
    }

    /// Returns the content of the page's root element. `None` if it failed, or was not tried because too
    /// many jobs wait: the browser renders the page then.
    ///
    /// `data` is the page's data as JSON. A page that failed is not tried again with the same data, and one
    /// that another thread renders is waited for.
    pub(crate) fn root(
        &self,
        address: &str,
        data: &str,
        waiting: impl Fn() -> usize,
    ) -> Option<Arc<str>> {
        let key = roots::key(address, data);
        let mut work = self.work();
        let _running = loop {
            if let Some(root) = work.roots.find(&key) {
                return root;
            }
            if work.running.contains(&key) {
                let woken = self.done.wait(work);
                work = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let waiting = waiting();
            if waiting > WAITING && !work.running.is_empty() {
                drop(work);
                self.skipped.inc();
                if let Some(left_out) = self.skips.take_any() {
                    tracing::warn!(waiting, left_out, "too busy to render pages: browsers do");
                }
                return None;
            }
            work.running.insert(key);
            drop(work);
            break Running(self, key);
        };
        let start = Instant::now();
        let rendered = engine::render(self.script, address, data);
        self.seconds.observe(start.elapsed().as_secs_f64());
        let root = match rendered {
            Ok(markup) => Some(markup.into()),
            Err(error) => {
                self.failed.inc();
                if let Some(left_out) = self.failures.take_any() {
                    tracing::error!(%error, address, left_out, "cannot render a page: browsers do");
                }
                None
            }
        };
        self.work().roots.insert(key, root.clone());
        root
    }

    /// Adds its figures to a report.
    pub(crate) fn register(&self, registry: &mut Registry) {
        registry.register(
            "render_seconds",
            "Seconds to render a page",
            self.seconds.clone(),
        );
        registry.register(
            "render_failed",
            "Pages left to browsers after an error",
            self.failed.clone(),
        );
        registry.register(
            "render_skipped",
            "Pages left to browsers because too many requests waited",
            self.skipped.clone(),
        );
    }

    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails at one address, and counts its pages.
    const SCRIPT: &str = "let pages = 0; globalThis.render = (address, data) => {
        if (address === '/broken') throw new Error('broken');
        pages += 1;
        return `${pages} ${data}`;
    };";

    fn render(renderer: &Renderer, address: &str, data: &str) -> Option<String> {
        let root = renderer.root(address, data, || 0);
        root.map(|root| root.to_string())
    }

    #[test]
    fn a_page_with_the_same_data_is_rendered_once() {
        let renderer = Renderer::new(SCRIPT);
        for _ in 0..2 {
            assert_eq!(render(&renderer, "/", "a").as_deref(), Some("1 a"));
        }
        assert_eq!(render(&renderer, "/", "b").as_deref(), Some("2 b"));
        assert_eq!(render(&renderer, "/?page=2", "b").as_deref(), Some("3 b"));
    }

    #[test]
    fn a_page_that_fails_is_not_tried_again_until_its_data_change() {
        let renderer = Renderer::new(SCRIPT);
        for data in ["a", "a", "b", "a"] {
            assert_eq!(render(&renderer, "/broken", data), None);
        }
        assert_eq!(renderer.failed.get(), 2);
    }

    #[test]
    fn the_page_after_a_failed_one_is_rendered_in_a_new_context() {
        let renderer = Renderer::new(SCRIPT);
        assert_eq!(render(&renderer, "/", "a").as_deref(), Some("1 a"));
        assert_eq!(render(&renderer, "/broken", "a"), None);
        assert_eq!(render(&renderer, "/", "b").as_deref(), Some("1 b"));
    }

    #[test]
    fn with_many_waiting_jobs_one_page_is_rendered_at_a_time() {
        let renderer = Renderer::new(SCRIPT);
        let busy = || WAITING + 1;
        assert!(renderer.root("/", "a", busy).is_some());
        let other = roots::key("/?page=2", "a");
        renderer.work().running.insert(other);
        let running = Running(&renderer, other);
        assert!(renderer.root("/", "a", busy).is_some());
        assert!(renderer.root("/", "b", busy).is_none());
        assert_eq!(renderer.skipped.get(), 1);
        drop(running);
        // It did not fail, so it is tried later.
        assert!(renderer.root("/", "b", busy).is_some());
    }

    #[test]
    fn a_page_that_another_thread_renders_is_waited_for() {
        let renderer = Renderer::new(SCRIPT);
        let key = roots::key("/", "a");
        renderer.work().running.insert(key);
        let running = Running(&renderer, key);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| render(&renderer, "/", "a"));
            renderer
                .work()
                .roots
                .insert(key, Some("of the other".into()));
            drop(running);
            assert_eq!(waits.join().unwrap().as_deref(), Some("of the other"));
        });
    }

    #[test]
    fn a_broken_script_is_an_error_of_each_page() {
        let renderer = Renderer::new("nothing such as JavaScript");
        assert_eq!(render(&renderer, "/", "a"), None);
        assert_eq!(renderer.failed.get(), 1);
    }
}
