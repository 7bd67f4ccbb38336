import { type ReactNode, useCallback, useEffect, useMemo } from "react";
import { SWRConfig } from "swr";
import { cacheOf } from "../api/products";
import { defaultServed, type Served } from "../api/served";
import type { EarlyClick } from "../lib/beforehand";
import { EarlyClicks } from "../product/buy-link";
import { SessionProvider } from "../session/session";
import { ShopProvider } from "../shop/shop";
import { ToastProvider, useToast } from "../ui/toast/toast";
import { dataSettings } from "./data-settings";
import { ErrorBoundary } from "./error-boundary";
import { Screens } from "./routes";

interface AppProps {
  served?: Served;
  /** Visits to sellers that were made before the app was there. */
  clicks?: EarlyClick[] | undefined;
  /** Called once the app has the page. */
  onReady?: (() => void) | undefined;
  /** What a test puts beside the screens. */
  children?: ReactNode;
}

/** The whole app, below a router: the browser's or a test's. */
export function App({ served = defaultServed, clicks, onReady, children }: AppProps) {
  useEffect(() => onReady?.(), [onReady]);
  // A cache of its own, filled with what came with the page.
  const settings = useMemo(() => ({ ...dataSettings, provider: () => cacheOf(served) }), [served]);
  return (
    <ErrorBoundary>
      <SWRConfig value={settings}>
        <ShopProvider value={served.shop}>
          <ToastProvider>
            <SignedIn>
              <Screens />
              {clicks && <EarlyClicks clicks={clicks} />}
              {children}
            </SignedIn>
          </ToastProvider>
        </ShopProvider>
      </SWRConfig>
    </ErrorBoundary>
  );
}

/** The session, and what is said when a stored one has ended. */
function SignedIn({ children }: { children: ReactNode }) {
  const toast = useToast();
  const tell = useCallback(() => {
    toast({
      title: "Login Failed",
      description: "please login to continue",
      failure: true,
      stays: true,
    });
  }, [toast]);
  return <SessionProvider onEnded={tell}>{children}</SessionProvider>;
}
