export type ShareOutcome = "shared" | "copied" | "cancelled";

/**
 * Shares a link with the system's dialog, or copies it if there is none.
 *
 * @throws when the link could be neither shared nor copied
 */
export async function share(title: string, url: string): Promise<ShareOutcome> {
  if (typeof navigator.share === "function") {
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

export async function copyText(text: string): Promise<void> {
  // Browsers offer the clipboard only over https and on localhost.
  const copied = navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (!(await copied)) {
    copySelected(text);
  }
}

/** Copies a text without the clipboard's interface, which may be missing or refuse. */
function copySelected(text: string): void {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) {
    throw new Error("copying was refused");
  }
}
