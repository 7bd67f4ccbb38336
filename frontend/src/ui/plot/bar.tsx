/** A bar in the shop's colour, as long as a number's part of the largest one. */
export function Bar({ part }: { part: number }) {
  return (
    <span
      aria-hidden
      style={{ width: `calc(min(100%, 16rem) * ${part})` }}
      className="block rounded-full border-fill border-b-[10px]"
    />
  );
}
