import { type ComponentProps, type ReactNode, useCallback } from "react";
import { RouterProvider } from "react-router-dom";
import { SWRConfig } from "swr";
import { SessionProvider } from "../session/session";
import { ToastProvider, useToast } from "../ui/toast";
import { dataSettings } from "./data-settings";
import { ThemeProvider } from "./theme";

/** The whole app around a router, the browser's or a test's. */
export function App({ router }: ComponentProps<typeof RouterProvider>) {
  return (
    <SWRConfig value={dataSettings}>
      <ThemeProvider>
        <ToastProvider>
          <SignedIn>
            <RouterProvider router={router} />
          </SignedIn>
        </ToastProvider>
      </ThemeProvider>
    </SWRConfig>
  );
}

/** The session, and what is said when a stored one has ended. */
function SignedIn({ children }: { children: ReactNode }) {
  const toast = useToast();
  const tell = useCallback(() => {
    toast({ title: "Login Failed", description: "please login to continue", failure: true });
  }, [toast]);
  return <SessionProvider onEnded={tell}>{children}</SessionProvider>;
}
