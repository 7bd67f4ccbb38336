import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { aProduct } from "../../../test/fake-server";
import { FinalPriceCell } from "./final-price-cell";
import { largeChange } from "./large-change";

/** Opens the final price of a deal with a list price of ₹1,500. */
async function open() {
  const user = userEvent.setup();
  const onSave = vi.fn(async () => undefined);
  render(
    <>
      <FinalPriceCell product={aProduct({ price: 1500, finalPrice: 1080 })} onSave={onSave} />
      <button type="button">Elsewhere</button>
    </>,
  );
  await user.click(screen.getByRole("button", { name: /^Final price of .*: ₹1,080\.00\. Change$/ }));
  const field = screen.getByRole("textbox", { name: /^Final price of/ });
  return { user, onSave, field };
}

it("says next to the field why a final price above the list price is refused, and keeps the focus", async () => {
  const { user, onSave, field } = await open();
  expect(field).toHaveAccessibleDescription("was ₹1,080.00");
  await user.keyboard("1500.01{Enter}");
  expect(screen.getByText("At most the list price, ₹1,500.00")).toBeVisible();
  expect(field).toHaveAccessibleDescription("At most the list price, ₹1,500.00");
  expect(field).toBeInvalid();
  expect(field).toHaveFocus();
  await user.clear(field);
  await user.keyboard("1,500{Enter}");
  expect(onSave).toHaveBeenCalledExactlyOnceWith(1500);
});

it("keeps a refused price with its reason when the focus goes elsewhere, and leaves the focus there", async () => {
  const { user, onSave, field } = await open();
  await user.keyboard("9999");
  await user.click(screen.getByRole("button", { name: "Elsewhere" }));
  expect(field).toHaveValue("9999");
  expect(screen.getByText("At most the list price, ₹1,500.00")).toBeVisible();
  expect(screen.getByRole("button", { name: "Elsewhere" })).toHaveFocus();
  await user.click(field);
  await user.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: /₹1,080\.00\. Change$/ })).toHaveFocus();
  expect(onSave).not.toHaveBeenCalled();
});

it("has buttons that save and cancel, as on a phone without Escape", async () => {
  const { user, onSave, field } = await open();
  await user.keyboard("9999");
  await user.click(screen.getByRole("button", { name: /^Save: Final price of/ }));
  expect(field).toHaveFocus();
  expect(onSave).not.toHaveBeenCalled();
  await user.clear(field);
  await user.keyboard("1050");
  await user.click(screen.getByRole("button", { name: /^Cancel: Final price of/ }));
  const cell = screen.getByRole("button", { name: /₹1,080\.00\. Change$/ });
  expect(cell).toHaveFocus();
  expect(onSave).not.toHaveBeenCalled();
  await user.click(cell);
  await user.keyboard("1050");
  await user.click(screen.getByRole("button", { name: /^Save: Final price of/ }));
  expect(onSave).toHaveBeenCalledExactlyOnceWith(1050);
});

it("asks for a number with two decimals, and gives up an empty field", async () => {
  const { user, field } = await open();
  await user.keyboard("12.345");
  expect(field).toHaveAccessibleDescription(/^“12.345” can mean two amounts/);
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "Elsewhere" }));
  expect(screen.getByRole("button", { name: /₹1,080\.00\. Change$/ })).toBeVisible();
});

it("asks before a price of half or less is saved, by keyboard", async () => {
  const { user, onSave, field } = await open();
  await user.type(field, "{Control>}a{/Control}108{Enter}");
  const change = screen.getByRole("button", { name: /^Change: Final price of/ });
  expect(screen.getByRole("alert")).toHaveTextContent("₹1,080 → ₹108, 90% less. Save it?");
  expect(change).toHaveFocus();
  expect(change).toHaveAccessibleDescription("₹1,080 → ₹108, 90% less. Save it?");
  await user.keyboard("{Enter}");
  expect(screen.getByRole("textbox")).toHaveFocus();
  expect(screen.getByRole("textbox")).toHaveValue("108");
  await user.keyboard("{Enter}{Escape}");
  expect(screen.getByRole("button", { name: /₹1,080\.00\. Change$/ })).toHaveFocus();
  expect(onSave).not.toHaveBeenCalled();
  await user.keyboard("{Enter}");
  await user.keyboard("108{Enter}");
  await user.click(screen.getByRole("button", { name: /^Save: Final price of/ }));
  expect(onSave).toHaveBeenCalledExactlyOnceWith(108);
  expect(screen.getByRole("button", { name: /^Final price of.*Change$/ })).toHaveFocus();
});

it("asks for a large change too when the focus goes elsewhere, and leaves the focus there", async () => {
  const { user, onSave } = await open();
  await user.keyboard("10.80");
  await user.click(screen.getByRole("button", { name: "Elsewhere" }));
  expect(screen.getByRole("alert")).toHaveTextContent("₹1,080 → ₹10.80, 99% less. Save it?");
  expect(screen.getByRole("button", { name: "Elsewhere" })).toHaveFocus();
  expect(onSave).not.toHaveBeenCalled();
});

it.each([
  [220, 22, "₹220 → ₹22, 90% less"],
  [220, 110, "₹220 → ₹110, 50% less"],
  [220, 110.01, undefined],
  [220, 439.99, undefined],
  [220, 440, "₹220 → ₹440, 100% more"],
  [220, 2200, "₹220 → ₹2,200, 900% more"],
  [220, 0, "₹220 → ₹0, 100% less"],
  [0, 220, undefined],
])("names a change from %s to %s if it is large", (from, to, words) => {
  expect(largeChange(from, to)).toBe(words);
});
