import type { ErrorCode } from "./types";

/** An error of the server, or no answer (`status` 0). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly fields: Readonly<Record<string, string>> = {},
    /** Handle of the form that waits for its code, if the server sent one. */
    readonly registration?: string,
    /** Id of what is there already, if the server named it. */
    readonly existing?: string,
    readonly code?: ErrorCode,
    /** Handle of the sign-in that waits for a code. */
    readonly pending?: string,
  ) {
    super(message);
  }

  /** The network or the server is down. */
  get unreachable(): boolean {
    return this.status === 0;
  }

  /** The server has too much to do for this client, and answers later. */
  get busy(): boolean {
    return this.status === 503;
  }
}

interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Sent as JSON; a Blob or a form is sent unchanged. */
  body?: unknown;
  credentials?: RequestCredentials;
  /** Lets the request outlive the page. */
  keepalive?: boolean;
  /** Lets the request be repeated without doing anything twice. */
  idempotencyKey?: string;
}

/** Returns true for calls whose 401 does not mean that the session has ended. */
function asksWho(method: string, path: string): boolean {
  return path.startsWith("/user/sign-in") || (method === "GET" && path.startsWith("/user/me"));
}

const refused = new Set<() => unknown>();

/**
 * Registers a listener for answers that the session has ended; returns a function to remove it.
 * The call is repeated if one returns a promise of true.
 */
export function onRefused(listener: () => unknown): () => void {
  refused.add(listener);
  return () => refused.delete(listener);
}

/** Asks for a code of the second factor; true if it was right. */
let askForCode: (() => Promise<boolean>) | undefined;

/** Sets what asks for a code when a call needs one, which is then repeated; returns a function to end that. */
export function onCodeNeeded(ask: () => Promise<boolean>): () => void {
  askForCode = ask;
  return () => {
    askForCode = undefined;
  };
}

/**
 * Sends a request and reads its JSON answer.
 *
 * @param failure the sentence for an answer that carries none of its own
 * @throws {ApiError} for every answer but a 2xx, and when there is none
 */
export async function request<T>(path: string, failure: string, options: RequestOptions = {}): Promise<T> {
  const { method = "GET", body, credentials = "include", keepalive = false, idempotencyKey } = options;
  // The browser names the type of a form, with its boundary.
  const isForm = body instanceof FormData;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials,
      keepalive,
      headers: {
        accept: "application/json",
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: isForm || body instanceof Blob ? body : JSON.stringify(body) }),
    });
  } catch {
    throw new ApiError(failure, 0);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    if (response.status === 401 && !asksWho(method, path)) {
      const again = await Promise.all([...refused].map((listener) => listener()));
      if (again.includes(true)) {
        return request(path, failure, options);
      }
    }
    if (response.status === 403 && code(answer) === "code_needed" && (await askForCode?.())) {
      return request(path, failure, options);
    }
    const message = text(answer, "error") ?? failure;
    throw new ApiError(
      message,
      response.status,
      fields(answer),
      text(answer, "registration"),
      text(answer, "id"),
      code(answer),
      text(answer, "pending"),
    );
  }
  return answer as T;
}

function text(answer: unknown, name: string): string | undefined {
  const found = property(answer, name);
  return typeof found === "string" ? found : undefined;
}

function code(answer: unknown): ErrorCode | undefined {
  return text(answer, "code") as ErrorCode | undefined;
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
