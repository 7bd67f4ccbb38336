import { act, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { App } from "../app/app";

/** The whole app at an address, with a cache and a history of its own. */
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
    /** Where the app is. */
    location: () => location,
    /** Goes through the history, as the back button does with -1. */
    go: (steps: number) => act(async () => navigate(steps)),
    /** Asks for everything on screen again. */
    refresh: () => refresh(),
  };
}
