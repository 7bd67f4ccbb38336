import { saveFile } from "../../lib/device/save-file";
import { steps } from "./week-line";

/** Width and height of the picture in pixels: a square shows whole in every messenger. */
const SIZE = 1_080;
const EDGE = 88;
const TEXT = 54;

interface WeekPicture {
  number: string;
  text: string;
  line: readonly number[];
  name: string;
}

/** Shares the week as a picture with the system's dialog, or saves it if there is none. */
export async function shareWeek(week: WeekPicture): Promise<"shared" | "saved"> {
  const file = new File([await draw(week)], "week.png", { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return "shared";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") {
        return "shared";
      }
    }
  }
  saveFile(file.name, file);
  return "saved";
}

/** Draws the poster with the colours and typefaces of the page. */
async function draw({ number, text, line, name }: WeekPicture): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  const poster = document.getElementById("week")?.parentElement;
  const figure = poster?.querySelector(".display");
  if (!pen || !poster || !figure) {
    throw new Error("nothing to draw on");
  }
  const { backgroundColor, color, fontFamily } = getComputedStyle(poster);
  const display = getComputedStyle(figure).fontFamily;
  pen.fillStyle = backgroundColor;
  pen.fillRect(0, 0, SIZE, SIZE);
  pen.fillStyle = pen.strokeStyle = color;
  pen.lineWidth = 6;
  pen.translate(0, SIZE * 0.7);
  const height = SIZE * 0.3;
  pen.globalAlpha = 0.12;
  pen.fill(new Path2D(`${steps(line, SIZE, height)}V${height}H0Z`));
  pen.globalAlpha = 0.7;
  pen.stroke(new Path2D(steps(line, SIZE, height)));
  pen.resetTransform();
  pen.globalAlpha = 1;
  pen.font = `800 ${TEXT}px ${display}`;
  pen.fillText(name, EDGE, EDGE + TEXT, SIZE - 2 * EDGE);
  pen.font = `800 300px ${display}`;
  pen.fillText(number, EDGE - 8, 430, SIZE - 2 * EDGE);
  pen.font = `400 ${TEXT}px ${fontFamily}`;
  for (const [index, words] of linesOf(pen, text).entries()) {
    pen.fillText(words, EDGE, 530 + index * TEXT * 1.3);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

function linesOf(pen: CanvasRenderingContext2D, text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = [lines.at(-1), word].filter(Boolean).join(" ");
    if (lines.length > 0 && pen.measureText(longer).width <= SIZE - 2 * EDGE) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
