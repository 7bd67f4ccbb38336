/** The list as a page holds it: what its cards say stands in their markup only. */
export interface ServedList {
  data: object[];
  /** The page, where it is not the one that is open. */
  page?: string;
}

/**
 * The list as the API answers with it, but with products that are `cut`. A page says once what its
 * cards show, which is a tenth of its bytes.
 */
export function listOf({ data, page, ...rest }: ServedList, open?: Document) {
  const source = page === undefined ? open : new DOMParser().parseFromString(page, "text/html");
  const cards = source ? readCards(source) : [];
  const products = data.map((product, index) => ({ ...product, ...cards[index], cut: true }));
  return { ...rest, data: products };
}

/**
 * What `card` of src/http/pages/product.rs writes of each product, which `held` of
 * src/http/api/products/body.rs leaves out.
 */
function readCards(page: Document) {
  return Array.from(page.querySelectorAll(".cards .card"), (card) => {
    const text = (part: string) => card.querySelector(part)?.textContent;
    const link = (part: string, name: string) => card.querySelector(part)?.getAttribute(name) ?? "";
    return {
      title: text("h2"),
      description: text(".summary"),
      affiliateLink: link("[data-buy]", "href"),
      images: [link("img", "src")].filter(Boolean),
    };
  });
}
