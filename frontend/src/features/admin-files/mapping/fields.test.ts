import { expect, it } from "vitest";
import { problemText } from "./fields";

it.each([
  ["totalRatings", "Total ratings must be a positive integer.", "Total ratings must be a positive integer."],
  ["images", "Please enter a valid image URL.", "Please enter a valid image URL."],
  ["source", "The file does not name the seller: give --source.", "The file does not name the seller."],
  ["endsAt", "The end must be after the start.", "The end must be after the start."],
  ["endsAt", "“soon” is not a date.", "Ends: “soon” is not a date."],
  [
    "endsAt",
    "“3/4/27” may have the day or the month first: say which with --dates dmy or mdy, or with “order” in a mapping.",
    "Ends: “3/4/27” may have the day or the month first: choose the order under “More”.",
  ],
  ["price", "“price on request” is not a number.", "Price: “price on request” is not a number."],
  [
    "price",
    "“$5” is in dollars: write prices in rupees.",
    "Price: “$5” is in dollars: write prices in rupees.",
  ],
  [
    "_id",
    "An _id must be 1 to 64 letters, digits, - or _.",
    "An _id must be 1 to 64 letters, digits, - or _.",
  ],
  ["", "The row repeats the header: delete it.", "The row repeats the header: delete it."],
])("names the field %s once: %s", (field, message, text) => {
  expect(problemText(field, message)).toBe(text);
});
