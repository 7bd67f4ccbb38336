// A product for the form, and filling it in.

export const KETTLE = {
  Title: "Whistling copper kettle",
  Description: "Holds two litres and whistles when it boils.",
  Price: "1299.99",
  Discount: "12.5",
  Source: "Croma",
  "Affiliate link": "https://seller.example/kettle",
  "Picture 1": "https://pictures.example/kettle.jpg",
  "Average rating": "4.5",
  "Total ratings": "12",
};

export async function fillIn(page, fields) {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}
