import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPage, aUser, fakeServer } from "../../test/fake-server";
import { renderApp } from "../../test/render-app";

it("opens the form with a pasted link, and with a typed one", async () => {
  localStorage.setItem("token", "a-token");
  fakeServer(({ pathname }) => {
    if (pathname.startsWith("/user/me/")) {
      return { body: { user: aUser({ Role: "admin" }) } };
    }
    return { body: pathname === "/product/category-like" ? { category: null, products: 0 } : aPage([]) };
  });
  const { user, location, go } = renderApp("/admin/capture");
  const link = "https://www.flipkart.com/kavrel/p/itm1?pid=X";
  const opened = async () => {
    await waitFor(() => expect(location().pathname).toBe("/add-product"));
    expect(await screen.findByLabelText("Affiliate link")).toHaveValue(link);
    expect(screen.getByLabelText("Source")).toHaveValue("Flipkart");
  };
  await user.click(await screen.findByLabelText("Paste a link or message"));
  await user.paste(`Look ${link}`);
  await opened();
  await go(-1);
  await user.type(await screen.findByLabelText("Paste a link or message"), `${link}{Enter}`);
  await opened();
});
