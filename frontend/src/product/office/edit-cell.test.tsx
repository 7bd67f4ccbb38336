import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { aProduct } from "../../test/fake-server";
import { FinalPriceCell } from "./final-price-cell";

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

it("asks for a number with two decimals, and gives up an empty field", async () => {
  const { user, field } = await open();
  await user.keyboard("12.345");
  expect(field).toHaveAccessibleDescription(/^“12.345” can mean two amounts/);
  await user.clear(field);
  await user.tab();
  expect(screen.getByRole("button", { name: /₹1,080\.00\. Change$/ })).toBeVisible();
});
