import { describe, expect, it } from "vitest";
import { marked } from "./mark";

const shown = (text: string, words: string[]) =>
  marked(text, words).map((piece) => (piece.marked ? `[${piece.text}]` : piece.text));

describe("marking", () => {
  it("marks words as they are written, whatever their case and accents", () => {
    expect(shown("A Café-CABLE, cables", ["cable", "cafe"])).toEqual([
      "A ",
      "[Café]",
      "-",
      "[CABLE]",
      ", cables",
    ]);
  });

  it("leaves a text without such words in one piece", () => {
    expect(shown("Kettle", ["cable"])).toEqual(["Kettle"]);
    expect(shown("Kettle", [])).toEqual(["Kettle"]);
    expect(shown("", ["cable"])).toEqual([]);
  });

  it("finds the same words in a plain text as in another", () => {
    const plain = "USB-C_cable (2m), usb_hub; Café".replace("é", "e");
    expect(shown(plain, ["cafe", "usb", "cable"])).toEqual(
      shown(`${plain}é`, ["cafee", "usb", "cable"]).map((piece) => piece.replace("Cafeé", "Cafe")),
    );
  });

  it("knows words of every script", () => {
    expect(shown("हिन्दी किताब", ["हिन्दी"])).toEqual(["[हिन्दी]", " किताब"]);
  });
});
