import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter } from "react-router-dom";
import { SWRConfig, useSWRConfig } from "swr";
import { App } from "../app/app";
import { routes } from "../app/routes";

/** The whole app at an address, with a cache and a history of its own. */
export function renderApp(path = "/") {
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  let refresh = async () => {};
  const Refresher = () => {
    const { mutate } = useSWRConfig();
    refresh = async () => {
      await mutate(() => true).catch(() => undefined);
    };
    return null;
  };
  const screen = render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <App router={router} />
      <Refresher />
    </SWRConfig>,
  );
  /** Asks for everything on screen again. */
  return { ...screen, router, user: userEvent.setup(), refresh: () => refresh() };
}
