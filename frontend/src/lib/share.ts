export type ShareOutcome = "shared" | "copied" | "cancelled";

/**
 * Shares a link with the system's dialog, or copies it if there is none.
 *
 * @throws when the link could be neither shared nor copied
 */
export async function share(title: string, url: string): Promise<ShareOutcome> {
  if (typeof navigator.share === "function" && navigator.canShare?.({ title, url }) !== false) {
    try {
      await navigator.share({ title, url });
      return "shared";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") {
        return "cancelled";
      }
    }
  }
  await copyText(url);
  return "copied";
}

/**
 * Copies a text; to be called in the event of a press, without an `await` before it.
 *
 * @throws when the browser refuses
 */
export async function copyText(text: string): Promise<void> {
  // Browsers offer the clipboard only over https and on localhost. Without it nothing is awaited:
  // WebKit copies a selection within the press only.
  const copied =
    navigator.clipboard &&
    (await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    ));
  if (!copied && !copySelected(text)) {
    throw new Error("copying was refused");
  }
}

/** Copies a text without the clipboard's interface, which may be missing or refuse; false if it can't be. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "sr-only";
  // Nothing outside of an open dialog can be selected.
  (focused?.closest("dialog") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) {
    focused.focus();
  }
  return copied;
}
