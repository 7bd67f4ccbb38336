import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import type { DomainCheck } from "../../../api/types";
import { fakeServer } from "../../../test/fake-server";
import { ToastProvider } from "../../../ui/toast/toast";
import { AddressStep } from "./instructions";

it.each([
  [true, "sasta.example leads to this machine (1.2.3.4).", "✓"],
  [false, "sasta.example leads nowhere yet.", "✗"],
])("says where a domain leads, and what is to be done on the machine", async (leadsHere, message, sign) => {
  const { requests } = fakeServer(() => ({
    body: { leadsHere, addresses: [], message } satisfies DomainCheck,
  }));
  const user = userEvent.setup();
  render(
    <MemoryRouter>
      <ToastProvider>
        <AddressStep />
      </ToastProvider>
    </MemoryRouter>,
  );
  await user.type(screen.getByLabelText("Your domain"), "https://sasta.example/{Enter}");
  expect(await screen.findByText(`${sign} ${message}`)).toBeVisible();
  expect(requests[0]?.init.body).toBe('{"domain":"sasta.example"}');
  expect(screen.getByText(/write the line DEALS_ACME_DOMAIN=sasta\.example into/)).toBeVisible();
  await user.type(screen.getByLabelText("Your domain"), "x");
  expect(screen.queryByText(`${sign} ${message}`)).toBeNull();
});
