import useSWR, { useSWRConfig } from "swr";
import { request } from "../client";
import type {
  ChannelInput,
  ChannelKind,
  ChannelMade,
  ChannelPosts,
  Channels,
  Message,
  Posted,
  PostPreview,
} from "../types";
import { useCall } from "../use-call";

const CHANNELS = "/channel";

function pathOf(id: string, rest = "") {
  return `${CHANNELS}/${encodeURIComponent(id)}${rest}`;
}

/** Returns the channels; what waits, was posted and failed changes by itself. */
export function useChannels(refreshInterval = 0) {
  return useCall<Channels>(CHANNELS, "The channels could not be loaded", { refreshInterval });
}

/** Returns the last posts of a channel. */
export function useChannelPosts(id: string) {
  return useCall<ChannelPosts>(pathOf(id, "/posts"), "The posts could not be loaded", {
    refreshInterval: 3_000,
  });
}

/** Returns a deal, or the newest one, as a template would have it posted; the former one until the answer is here. */
export function usePostPreview(kind: ChannelKind, template: string, id?: string) {
  const path = `${CHANNELS}/preview`;
  return useSWR<PostPreview>(
    [path, kind, template, id],
    () =>
      request<PostPreview>(path, "The preview could not be made", {
        method: "POST",
        body: { kind, template, ...(id === undefined ? {} : { id }) },
      }),
    { keepPreviousData: true, shouldRetryOnError: false, revalidateOnFocus: false },
  );
}

export function useChannelChanges() {
  const { mutate } = useSWRConfig();
  const call = async <T>(
    path: string,
    failure: string,
    method: "DELETE" | "POST" | "PUT",
    body?: object,
  ): Promise<T> => {
    try {
      return await request<T>(path, failure, { method, ...(body && { body }) });
    } finally {
      await mutate(CHANNELS);
    }
  };
  return {
    /** Adds a channel; only this answer has the secret of a webhook. */
    add: (channel: ChannelInput) => call<ChannelMade>(CHANNELS, "The channel was not added", "POST", channel),

    change: (id: string, changes: ChannelInput) =>
      call<ChannelMade>(pathOf(id), "The channel was not changed", "PUT", changes),

    remove: (id: string) => call<unknown>(pathOf(id), "The channel was not deleted", "DELETE"),

    /** Sends a test; returns what happened. */
    test: (id: string) => call<Message>(pathOf(id, "/test"), "The test was not sent", "POST"),

    /** Posts deals; returns what became of each. */
    post: (id: string, ids: readonly string[]) =>
      call<Posted>(pathOf(id, "/post"), "Nothing was posted", "POST", { ids }),
  };
}
