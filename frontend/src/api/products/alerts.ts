import { alertFailed, pushRefused } from "../../texts/en.json";
import { ApiError, request } from "../client";
import type { AlertsRequest, AlertsResponse } from "../types";

export function setAlerts(body: AlertsRequest): Promise<AlertsResponse> {
  return request<AlertsResponse>("/alert", alertFailed, { method: "POST", body });
}

/** Returns true if this browser may get alerts of the shop. */
export async function hasPush(): Promise<boolean> {
  const registration = await navigator.serviceWorker?.getRegistration();
  return Boolean(await registration?.pushManager?.getSubscription());
}

/** Asks the visitor, and returns the browser's subscription to push messages. */
export async function subscribeToPush(): Promise<NonNullable<AlertsRequest["push"]>> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new ApiError(pushRefused, 0);
  }
  const { key } = await request<{ key: string }>("/alert/key", alertFailed);
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // It has one for a former key of the shop.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options).catch(() => Promise.reject(new ApiError(pushRefused, 0)));
  });
  return subscription.toJSON() as NonNullable<AlertsRequest["push"]>;
}

/** Ends all alerts of this browser; returns the shop's words. */
export async function endPush(): Promise<string> {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  const body = { endpoint: subscription?.endpoint ?? "" };
  const { message } = await request<{ message: string }>("/alert/stop", alertFailed, {
    method: "POST",
    body,
  });
  await subscription?.unsubscribe();
  return message;
}
