import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { App } from "../app/app";

/** Renders the app at an address, with a cache and history of its own. */
export function renderApp(path = "/") {
  let refresh = async () => {};
  let location = { pathname: "", search: "" };
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
      <App>
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
