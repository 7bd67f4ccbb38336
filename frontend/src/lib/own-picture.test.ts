import { expect, it } from "vitest";
import { ownPicture } from "./own-picture";

const START = `https://shop.example/picture/${"0123456789abcdef".repeat(2)}`;

it("names the files of an own picture with their widths", () => {
  expect(ownPicture(`${START}-480x720.webp`, "6rem")).toEqual({
    srcSet: `${START}-96.webp 64w, ${START}-360.webp 240w, ${START}-480x720.webp 480w`,
    sizes: "6rem",
    width: 480,
    height: 720,
  });
});

it("names no larger file than a small picture has", () => {
  expect(ownPicture(`${START}-90x60.webp`, "6rem")).toMatchObject({ srcSet: `${START}-90x60.webp 90w` });
});

it("knows nothing of a seller's picture", () => {
  for (const address of ["https://m.media.example/a-480x720.webp", "/demo/cable.svg", `${START}.webp`]) {
    expect(ownPicture(address, "6rem")).toEqual({});
  }
});
