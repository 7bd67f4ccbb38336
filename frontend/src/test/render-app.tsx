import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter } from "react-router-dom";
import { SWRConfig } from "swr";
import { App } from "../app/app";
import { routes } from "../app/routes";

/** The whole app at an address, with a cache and a history of its own. */
export function renderApp(path = "/") {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  const screen = render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <App router={router} />
    </SWRConfig>,
  );
  return { ...screen, router, user: userEvent.setup() };
}
