import { ApiError, request } from "./client";
import type { Message, SignedIn, User } from "./types";

/** Posts to an account call; `failure` is the message of an error without one. */
export function post<T>(
  call: string,
  failure: string,
  body?: unknown,
  credentials: RequestCredentials = "include",
) {
  return request<T>(`/user/${call}`, failure, {
    method: "POST",
    credentials,
    ...(body === undefined ? {} : { body }),
  });
}

export function signIn(email: string, password: string): Promise<SignedIn> {
  return post("sign-in", "failed to login please try again later", { email, password });
}

export function signOut(): Promise<Message> {
  return post("logout", "failed to logout please try again later");
}

export function signOutEverywhere(): Promise<Message> {
  return post("logout-everywhere", "failed to logout please try again later");
}

/** Fetches the user of a token, or of the session's cookie, without which calls are refused. */
export async function fetchUser(token?: string): Promise<User> {
  const path = token === undefined ? "/user/me" : `/user/me/${encodeURIComponent(token)}`;
  const answer = await request<{ user: User }>(path, "please login to continue", { credentials: "include" });
  return answer.user;
}

/** True if the failure of {@link fetchUser} means that the session has ended, not that nobody answers. */
export function hasEnded(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.status === 401 || failure.status === 404);
}
