import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { App } from "../app/app";
import { defaultShop, type Shop } from "../shop/shop";

/** Renders the app at an address, with a cache and history of its own, and some settings of the shop. */
export function renderApp(path = "/", shop: Partial<Shop> = {}) {
  let refresh = async () => {};
  let location: { pathname: string; search: string; state?: unknown } = { pathname: "", search: "" };
  let navigate: NavigateFunction = () => undefined;
  const Inside = () => {
    const { mutate } = useSWRConfig();
    location = useLocation();
    navigate = useNavigate();
    refresh = async () => {
      await mutate(() => true).catch(() => undefined);
    };
    return null;
  };
  const screen = render(
    <MemoryRouter initialEntries={[path]} useTransitions={false}>
      <App pageData={{ answers: {}, shop: { ...defaultShop, ...shop } }}>
        <Inside />
      </App>
    </MemoryRouter>,
  );
  return {
    ...screen,
    user: userEvent.setup(),
    location: () => location,
    /** Moves in the history; -1 is the back button. */
    go: (steps: number) => act(async () => navigate(steps)),
    refresh: () => refresh(),
  };
}
