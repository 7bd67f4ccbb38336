import { marked } from "../lib/mark";

export function Marked({ text, words }: { text: string; words: readonly string[] | undefined }) {
  return marked(text, words).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
    piece.marked ? <mark key={index}>{piece.text}</mark> : piece.text,
  );
}
