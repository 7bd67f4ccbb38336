//! Time limit for a request's body, and where it begins and ends.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use actix_http::BoxedPayloadStream;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::{ContentLength, Header};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use actix_web::{Error, HttpRequest};
use futures_core::Stream;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};

use super::progress::ConnectionProgress;

/// Time limit of a small body (security, R9).
const BODY_TIME: Duration = Duration::from_secs(12);
/// Bytes that extend it by a millisecond: the slowest rate of a large body.
const BYTES_PER_MILLISECOND: u64 = 16;

/// Time limit of a client that is still sending a body when it is answered.
pub(crate) const LINGER: Duration = Duration::from_secs(1);

/// Ends bodies that stall or trickle, for which actix would wait forever, and tells the connection
/// where in a request it is.
pub(crate) async fn body(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let progress = request.conn_data::<Rc<ConnectionProgress>>().cloned();
    let (request, payload) = request.into_parts();
    if let Some(progress) = &progress {
        progress.begin(match payload {
            Payload::None => Some(0),
            _ => ContentLength::parse(&request)
                .ok()
                .map(|length| *length as u64),
        });
    }
    let (payload, kept) = match payload {
        Payload::None => (Payload::None, None),
        payload => {
            let shared = Rc::new(RefCell::new(payload));
            let timed: BoxedPayloadStream = Box::pin(Timed {
                payload: Rc::clone(&shared),
                deadline: Box::pin(sleep(BODY_TIME)),
                progress: progress.clone(),
            });
            (Payload::Stream { payload: timed }, Some(shared))
        }
    };
    let ending = Ending {
        payload: kept,
        progress,
    };
    let request = ServiceRequest::from_parts(request, payload);
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Response {
        body,
        _ending: ending,
    }))
}

/// Whether a body was ended because it took too long.
pub(crate) fn is_too_late(error: &PayloadError) -> bool {
    matches!(error, PayloadError::Io(error) if error.kind() == io::ErrorKind::TimedOut)
}

/// Excludes the received part of a body from its connection's memory, because it is in a file.
pub(crate) fn written(request: &HttpRequest) {
    if let Some(progress) = request.conn_data::<Rc<ConnectionProgress>>() {
        progress.forget();
    }
}

struct Timed {
    payload: Rc<RefCell<Payload>>,
    deadline: Pin<Box<Sleep>>,
    progress: Option<Rc<ConnectionProgress>>,
}

impl Stream for Timed {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut *this.payload.borrow_mut()).poll_next(context);
        if let Some(progress) = &this.progress {
            match &polled {
                Poll::Ready(Some(Ok(bytes))) => progress.taken(bytes.len()),
                Poll::Ready(_) => progress.arrived(),
                Poll::Pending => progress.taken(usize::MAX),
            }
        }
        match polled {
            Poll::Ready(Some(Ok(bytes))) => {
                let extension = Duration::from_millis(bytes.len() as u64 / BYTES_PER_MILLISECOND);
                let until = this.deadline.deadline() + extension;
                this.deadline.as_mut().reset(until);
                Poll::Ready(Some(Ok(bytes)))
            }
            Poll::Pending => this
                .deadline
                .as_mut()
                .poll(context)
                .map(|()| Some(Err(PayloadError::Io(io::ErrorKind::TimedOut.into())))),
            ended => ended,
        }
    }
}

/// Ends a request when its answer has been made. actix closes a connection whose payload has not
/// been read by then; of a dropped one in chunks it would wait for the rest, however long that
/// takes.
struct Ending {
    payload: Option<Rc<RefCell<Payload>>>,
    progress: Option<Rc<ConnectionProgress>>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let Some(progress) = &self.progress else {
            return;
        };
        let mut context = Context::from_waker(Waker::noop());
        let has_arrived = self.payload.as_ref().is_none_or(|payload| {
            let mut payload = payload.borrow_mut();
            loop {
                match Pin::new(&mut *payload).poll_next(&mut context) {
                    Poll::Ready(Some(Ok(_))) => {}
                    Poll::Ready(None) => return true,
                    _ => return false,
                }
            }
        });
        progress.end(has_arrived);
    }
}

pin_project! {
    struct Response<B> {
        #[pin]
        body: B,
        _ending: Ending,
    }
}

impl<B: MessageBody> MessageBody for Response<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.project().body.poll_next(context)
    }
}
