/** A table to fill in, as spreadsheets open it. */
export const EXAMPLE = [
  "Title,Description,MRP,Price,Category,Seller,Link,Image,Rating,Reviews,Ends",
  'Steel water bottle,"Keeps a litre cold for a day, and does not leak.",999,599,Home,Amazon,https://www.amazon.in/dp/B0EXAMPLE1,https://example.com/bottle.jpg,4.3,1280,31/12/2027',
  'Cotton kurta,Hand-printed cotton in five sizes.,"1,499",749,Clothing,Myntra,https://www.myntra.com/kurta/12345,https://example.com/kurta.jpg,,,',
  "",
].join("\r\n");
