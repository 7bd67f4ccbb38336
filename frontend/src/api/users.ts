import { request } from "./client";

/** An account as its owner sees it. */
export interface User {
  _id: string;
  username: string;
  email: string;
  Role: "admin" | "user";
  createdAt: string;
}

export interface SignedIn {
  token: string;
  user: User;
}

export interface Told {
  message: string;
}

/** Posts to a call about accounts; `failure` is said where the answer says nothing. */
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

export function signOut(): Promise<Told> {
  return post("logout", "failed to logout please try again later");
}

export function signOutEverywhere(): Promise<Told> {
  return post("logout-everywhere", "failed to logout please try again later");
}

export async function fetchUser(token: string): Promise<User> {
  const path = `/user/me/${encodeURIComponent(token)}`;
  const answer = await request<{ user: User }>(path, "please login to continue", { credentials: "include" });
  return answer.user;
}
