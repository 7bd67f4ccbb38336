//! Time limit for a request's body.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::BoxedPayloadStream;
use actix_web::Error;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use futures_core::Stream;
use pin_project_lite::pin_project;
use tokio::time::{Sleep, sleep};

/// Time limit of a small body (security, R9).
const BODY_TIME: Duration = Duration::from_secs(12);
/// Bytes that extend it by a millisecond: the slowest rate of a large body.
const BYTES_PER_MILLISECOND: u64 = 16;

/// Time limit of a client that is still sending a body when it is answered.
pub(crate) const LINGER: Duration = Duration::from_secs(1);

/// Ends bodies that stall or trickle, for which actix would wait forever.
pub(crate) async fn body(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let (request, payload) = request.into_parts();
    let (payload, kept) = match payload {
        Payload::None => (Payload::None, None),
        payload => {
            let shared = Rc::new(RefCell::new(payload));
            let timed: BoxedPayloadStream = Box::pin(Timed {
                payload: Rc::clone(&shared),
                deadline: Box::pin(sleep(BODY_TIME)),
            });
            (Payload::Stream { payload: timed }, Some(shared))
        }
    };
    let request = ServiceRequest::from_parts(request, payload);
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| Response {
        body,
        _payload: kept,
    }))
}

/// Whether a body was ended because it took too long.
pub(crate) fn is_too_late(error: &PayloadError) -> bool {
    matches!(error, PayloadError::Io(error) if error.kind() == io::ErrorKind::TimedOut)
}

struct Timed {
    payload: Rc<RefCell<Payload>>,
    deadline: Pin<Box<Sleep>>,
}

impl Stream for Timed {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut *this.payload.borrow_mut()).poll_next(context);
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

pin_project! {
    /// A response that keeps its request's payload. actix closes a connection whose payload has
    /// not been read by the end of the response; of a dropped one in chunks it would wait for
    /// the rest, however long that takes.
    struct Response<B> {
        #[pin]
        body: B,
        _payload: Option<Rc<RefCell<Payload>>>,
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
