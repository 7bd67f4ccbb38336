import { useShop } from "../shop/shop";

/** Says where codes go in a shop without a mail server; nothing with one. */
export function NoMail() {
  const { noMail } = useShop();
  if (noMail === undefined) {
    return null;
  }
  return (
    <p className="max-w-[30rem] text-base text-ink-2">
      {noMail === "log"
        ? "This shop has no mail server: your code is printed in the server's log, on this computer."
        : "This shop can't send mail: codes are printed in the server's log, which only its owner can read."}
    </p>
  );
}
