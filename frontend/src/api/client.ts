/** An answer of the server that says no, or no answer at all (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly fields: Readonly<Record<string, string>> = {},
    /** The form that waits for its code, where the server tells it. */
    readonly registration?: string,
  ) {
    super(message);
  }

  /** Nobody answered: the network or the server is down. */
  get unreachable(): boolean {
    return this.status === 0;
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON; a file is sent as it is. */
  body?: unknown;
  credentials?: RequestCredentials;
  /** Lets the request outlive the page, for counts sent while leaving it. */
  keepalive?: boolean;
}

/** Calls whose refusal says nothing new of the session. */
const ASKS_WHO = ["/user/sign-in", "/user/me/"];
const refused = new Set<() => void>();

/** Calls back when the server does not know any more who is signed in; gives the way to stop. */
export function onRefused(tell: () => void): () => void {
  refused.add(tell);
  return () => refused.delete(tell);
}

/**
 * Sends a request and reads its JSON answer.
 *
 * @param failure the sentence for an answer that carries none of its own
 * @throws {ApiError} for every answer but a 2xx, and when there is none
 */
export async function request<T>(path: string, failure: string, options: RequestOptions = {}): Promise<T> {
  const { method = "GET", body, credentials = "include", keepalive = false } = options;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials,
      keepalive,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(failure, 0);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    if (response.status === 401 && !ASKS_WHO.some((start) => path.startsWith(start))) {
      for (const tell of refused) {
        tell();
      }
    }
    const message = text(answer, "error") ?? failure;
    throw new ApiError(message, response.status, fields(answer), text(answer, "registration"));
  }
  return answer as T;
}

function text(answer: unknown, name: string): string | undefined {
  const found = property(answer, name);
  return typeof found === "string" ? found : undefined;
}

function fields(answer: unknown): Record<string, string> {
  const found = property(answer, "fields");
  if (typeof found !== "object" || found === null) {
    return {};
  }
  return Object.fromEntries(Object.entries(found).map(([name, message]) => [name, String(message)]));
}

function property(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
