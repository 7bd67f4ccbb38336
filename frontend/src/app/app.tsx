import type { ComponentProps } from "react";
import { RouterProvider } from "react-router-dom";
import { SWRConfig } from "swr";
import { ToastProvider } from "../ui/toast";
import { dataSettings } from "./data-settings";
import { ThemeProvider } from "./theme";

/** The whole app around a router, the browser's or a test's. */
export function App({ router }: ComponentProps<typeof RouterProvider>) {
  return (
    <SWRConfig value={dataSettings}>
      <ThemeProvider>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </ThemeProvider>
    </SWRConfig>
  );
}
