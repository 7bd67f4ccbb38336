//! The script engine: QuickJS with the app's screens as one script (`frontend/ssr`).

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rquickjs::{CatchResultExt as _, Context, Ctx, Function, Runtime};

/// The screens of visitors, built by `build.rs`.
pub(super) const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/server.js"));
/// Function that the script defines.
const RENDER: &str = "render";
/// Maximum memory of a context in bytes. The largest page needs less than 2 MB.
const MEMORY: usize = 24 * 1_024 * 1_024;
/// Maximum stack of a context in bytes, below the 2 MiB of a thread.
const STACK: usize = 512 * 1_024;
/// Maximum calls of the interrupt handler while a page is rendered; it is called after some ten thousand
/// jumps and calls. A count, because a page takes longer on a busy machine, but not more of them.
const INTERRUPTS: u32 = 200;

thread_local! {
    /// The engine of this thread, started on first use.
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// Reason why a page was not rendered, for the log.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct ScriptError(String);

/// Renders a page in this thread's context of the script. A context that threw is dropped, because its
/// state is unknown.
///
/// # Errors
///
/// An exception of the script, or one of its limits.
pub(super) fn render(script: &str, address: &str, data: &str) -> Result<String, ScriptError> {
    ENGINE.with_borrow_mut(|engine| {
        let started = match engine.take() {
            Some(started) => started,
            None => Engine::start(script)?,
        };
        let markup = started.render(address, data)?;
        *engine = Some(started);
        Ok(markup)
    })
}

/// Starts this thread's context, which takes longer than a page does.
pub(crate) fn warm_up() {
    ENGINE.with_borrow_mut(|engine| *engine = Engine::start(SCRIPT).ok());
}

struct Engine {
    context: Context,
    /// Calls of the interrupt handler that are left.
    interrupts: Rc<Cell<u32>>,
}

impl Engine {
    fn start(script: &str) -> Result<Self, ScriptError> {
        let runtime = Runtime::new().map_err(in_words)?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        let interrupts = Rc::new(Cell::new(INTERRUPTS));
        let left = Rc::clone(&interrupts);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        })));
        let context = Context::full(&runtime).map_err(in_words)?;
        context.with(|ctx| caught(&ctx, ctx.eval::<(), _>(script)))?;
        Ok(Self {
            context,
            interrupts,
        })
    }

    fn render(&self, address: &str, data: &str) -> Result<String, ScriptError> {
        self.interrupts.set(INTERRUPTS);
        self.context.with(|ctx| {
            let render = ctx.globals().get::<_, Function<'_>>(RENDER);
            let markup = render.and_then(|render| render.call((address, data)));
            caught(&ctx, markup)
        })
    }
}

fn caught<T>(ctx: &Ctx<'_>, result: rquickjs::Result<T>) -> Result<T, ScriptError> {
    result.catch(ctx).map_err(|error| {
        let words = error.to_string();
        // The script names product texts in no message, but a limit is better than trust.
        ScriptError(words.chars().take(MESSAGE).collect())
    })
}

/// Maximum length of an error message in characters.
const MESSAGE: usize = 500;

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn in_words(error: rquickjs::Error) -> ScriptError {
    ScriptError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders a page with a script of the test.
    fn rendered(script: &str) -> Result<String, ScriptError> {
        Engine::start(&format!(
            "globalThis.render = (address, data) => {{ {script} }}"
        ))?
        .render("/", "{}")
    }

    #[test]
    fn a_script_that_never_ends_is_interrupted() {
        let error = rendered("for (;;) {}").unwrap_err();
        assert!(error.to_string().contains("interrupted"), "{error}");
    }

    #[test]
    fn a_deep_recursion_is_an_error() {
        let error = rendered("const deeper = (n) => deeper(n + 1) + 1; return '' + deeper(0);");
        let error = error.unwrap_err();
        assert!(error.to_string().contains("stack"), "{error}");
    }

    #[test]
    fn a_gigabyte_of_garbage_is_an_error() {
        let error = rendered("const all = []; for (;;) all.push('x'.repeat(1e6) + all.length);");
        let error = error.unwrap_err();
        assert!(error.to_string().contains("memory"), "{error}");
    }

    #[test]
    fn an_exception_keeps_its_message_to_a_limit() {
        let error = rendered("throw new Error('no such ' + 'screen '.repeat(1e5));").unwrap_err();
        assert!(error.to_string().contains("no such screen"), "{error}");
        assert_eq!(error.to_string().chars().count(), MESSAGE);
    }

    #[test]
    fn each_page_has_the_same_number_of_interrupts() {
        let some = "let sum = 0; for (let n = 0; n < 3e5; n += 1) sum += n; return '' + sum;";
        let engine = Engine::start(&format!("globalThis.render = () => {{ {some} }}")).unwrap();
        for _ in 0..50 {
            assert!(engine.render("/", "{}").is_ok());
        }
    }

    #[test]
    fn lone_surrogates_are_an_error_or_replaced_and_never_sent() {
        if let Ok(markup) = rendered("return 'a\\ud83d';") {
            assert_eq!(markup, "a\u{fffd}");
        }
    }
}
