export interface Piece {
  text: string;
  marked: boolean;
}

// The same words as in the server's index: letters, numbers and marks.
const WORD = /[\p{Alphabetic}\p{N}\p{M}]+/gu;
// Most texts are plain, and much quicker to read as such where no compiler helps.
const PLAIN = /^[ -~\s]*$/;
const PLAIN_WORD = /[A-Za-z0-9]+/g;

/**
 * Splits a text at the words to be marked. The words are lower case without accents, as the
 * server sends them.
 */
export function marked(text: string, words: readonly string[] = []): Piece[] {
  if (words.length === 0) {
    return [{ text, marked: false }];
  }
  const pieces: Piece[] = [];
  let from = 0;
  const isPlain = PLAIN.test(text);
  for (const { 0: word, index } of text.matchAll(isPlain ? PLAIN_WORD : WORD)) {
    if (words.includes(isPlain ? word.toLowerCase() : fold(word))) {
      if (index > from) {
        pieces.push({ text: text.slice(from, index), marked: false });
      }
      pieces.push({ text: word, marked: true });
      from = index + word.length;
    }
  }
  if (from < text.length) {
    pieces.push({ text: text.slice(from), marked: false });
  }
  return pieces;
}

function fold(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}
