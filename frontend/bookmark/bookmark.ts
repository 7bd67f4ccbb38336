import { readPage } from "./read-page";

/*
 * The code of the bookmark. It makes no request: it opens the shop's form in a tab, with what the
 * page says in the fragment. The capture screen puts in the shop's address.
 */

/** Defined by the build as a text that the capture screen replaces. */
declare const SHOP: string;

const fields = window.location.origin === SHOP ? undefined : readPage(document, window.location.href);
if (fields) {
  const form = `${SHOP}/add-product#${fields}`;
  if (!window.open(form, "_blank")) {
    // Browsers may refuse a new tab.
    window.location.href = form;
  }
} else {
  alert(
    "There is no product on this page. Open a product's own page at its shop, then press the bookmark again.",
  );
}
