/** CSS selectors of what a shop's page shows; the first match with text is taken. */
export interface Selectors {
  /** Stands before the title. */
  brand?: string;
  title?: string;
  price?: string;
  mrp?: string;
  image?: string;
  rating?: string;
  ratings?: string;
  about?: string;
  /** Paths of its products' pages. */
  path?: RegExp;
  /** Path of the product's own address, made of the match of `id` in the current one. */
  id?: [RegExp, string];
}

/** Selectors by the ends of the shops' hosts. */
export const SHOPS: Record<string, Selectors> = {
  "amazon.in": {
    title: "#productTitle,#title",
    price:
      ".priceToPay .a-offscreen,.priceToPay,.apexPriceToPay .a-offscreen,#corePrice_feature_div .a-offscreen,#price,#kindle-price",
    mrp: ".basisPrice .a-offscreen,#listPrice,[id^=corePrice] .a-price[data-a-strike=true] .a-offscreen",
    path: /\/(dp|gp\/product|gp\/aw\/d)\//,
    image: "#landingImage,#imgBlkFront,#ebooksImgBlkFront",
    rating: "#acrPopover .a-icon-alt",
    ratings: "#acrCustomerReviewText",
    about: "#feature-bullets li:not(.aok-hidden)",
    id: [/\/(?:dp|gp\/product|gp\/aw\/d)\/([A-Z0-9]{10})/, "/dp/"],
  },
  "flipkart.com": {
    title: ".VU-ZEz,.B_NuCI,h1",
    path: /\/p\/itm/,
    price: ".Nx9bqj.CxhGGd,._30jeq3._16Jk6d,.hZ3P6w",
    mrp: ".yRaY8j,._3I9_wc,.kRYCnD",
    rating: ".XQDdHH,._3LWZlK,.MKiFS6",
    ratings: ".Wphh3N,._2_R_DZ,.PvbNMB",
  },
  "myntra.com": {
    brand: ".pdp-title",
    title: ".pdp-name",
    price: ".pdp-price",
    mrp: ".pdp-mrp",
    image: ".image-grid-image",
    rating: ".index-overallRating",
    ratings: ".index-ratingsCount",
  },
  "ajio.com": {
    brand: ".brand-name",
    title: ".prod-name",
    price: ".prod-sp",
    mrp: ".prod-cp",
    rating: "[aria-label*=rating i]",
    ratings: "[class*=ratings-count],.rating-popup-count",
  },
  "meesho.com": {
    price: "h4",
    mrp: "[class*=MRP]",
    rating: "[class*=Rating] span",
    ratings: "[class*=RatingCount]",
  },
  "nykaa.com": { mrp: "[class*=mrp] span,[class*=mrp]" },
  "croma.com": {
    title: ".pd-title",
    price: "#pdp-product-price",
    mrp: "#old-price",
    image: "[id='0prod_img'],.product-gallery img",
  },
  "tatacliq.com": {
    title: "[class*=MainCard__productName],h1",
    price: "[class*=MainCard__price]",
    mrp: "[class*=MainCard__cancelPrice]",
  },
  "jiomart.com": {
    title: "#pdp_product_name",
    price: "#price_section .jm-heading-xs",
    mrp: "#price_section [class*=through]",
  },
  "reliancedigital.in": {
    title: ".product-name,.pdp__title",
    price: ".product-price,.pdp__offerPrice",
    mrp: ".mrp-amount,.pdp__mrpPrice",
  },
};
