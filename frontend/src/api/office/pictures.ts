import { smallerPicture } from "../../lib/device/smaller-picture";
import { request } from "../client";
import type { OwnPictures, PictureAdded } from "../types";
import { useCall } from "../use-call";

/** Uploads a picture and returns its address. */
export async function addPicture(file: Blob): Promise<string> {
  const body = new FormData();
  body.append("file", await smallerPicture(file), "picture");
  const failure = "failed to upload the picture please try again later";
  const { url } = await request<PictureAdded>("/picture", failure, { method: "POST", body });
  return url;
}

/** Has the server keep a copy of a seller's picture, and returns its address. */
export async function copyPicture(address: string, source: string): Promise<string> {
  const failure = "failed to copy the picture please try again later";
  const body = { url: address, source };
  const { url } = await request<PictureAdded>("/picture/copy", failure, { method: "POST", body });
  return url;
}

/** Returns number and size of the pictures that the shop keeps itself. */
export function useOwnPictures() {
  return useCall<OwnPictures>("/picture", "Failed to count the pictures");
}
