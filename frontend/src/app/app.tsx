import { type ReactNode, useCallback, useEffect, useMemo } from "react";
import { SWRConfig } from "swr";
import { NO_PAGE_DATA, type PageData } from "../api/page-data";
import { initialCache } from "../api/products/initial-cache";
import type { EarlyClick } from "../lib/early-clicks";
import { EarlyClicks } from "../product/buy-link";
import { SessionProvider } from "../session/session";
import { ShopProvider } from "../shop/shop";
import { loginFailed, loginToContinue } from "../texts/en.json";
import { ToastProvider, useToast } from "../ui/toast/toast";
import { dataSettings } from "./data-settings";
import { ErrorBoundary } from "./error-boundary";
import { Screens } from "./routes";

interface AppProps {
  pageData?: PageData;
  /** Clicks on sellers' links before hydration. */
  clicks?: EarlyClick[] | undefined;
  /** Called after hydration. */
  onReady?: (() => void) | undefined;
  /** Content of a test beside the screens. */
  children?: ReactNode;
}

export function App({ pageData = NO_PAGE_DATA, clicks, onReady, children }: AppProps) {
  useEffect(() => onReady?.(), [onReady]);
  // A cache of its own, filled with the page's data.
  const settings = useMemo(() => ({ ...dataSettings, provider: () => initialCache(pageData) }), [pageData]);
  return (
    <ErrorBoundary>
      <SWRConfig value={settings}>
        <ShopProvider initial={pageData.shop}>
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

/** Provides the session, and shows a toast when a stored one has ended. */
function SignedIn({ children }: { children: ReactNode }) {
  const toast = useToast();
  const onEnded = useCallback(() => {
    toast({
      title: loginFailed,
      description: loginToContinue,
      failure: true,
      stays: true,
    });
  }, [toast]);
  return <SessionProvider onEnded={onEnded}>{children}</SessionProvider>;
}
