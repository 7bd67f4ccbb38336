import { type ComponentType, lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { Navigate, Route, Routes, useLocation } from "react-router-dom";
import { DetailsPage } from "../features/details/details-page";
import { ListPage } from "../features/listing/listing-page";
import { OwnerPage } from "../features/owner-page/owner-page";
import { isFromOffice, paths } from "../lib/paths";
import { loading, officeTitle, profileLink, retryButton, screenFailed } from "../texts/en.json";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Layout } from "./frame/layout";
import { loadScreens, screens } from "./mail-screens";
import { useHeadOnNavigation } from "./use-head-on-navigation";

const WAITING = (
  <p role="status" className="py-10 text-sm text-ink-3">
    {loading}
  </p>
);

/** One element, so that the list stays on screen between its addresses. */
const LIST = <ListPage />;

/** Base path of the office, which has a frame and routes of its own. */
const IN_OFFICE = /^\/(admin|add-product|update-product)(\/|$)/;

/** Every screen (spec section 2). */
export function Screens() {
  useHeadOnNavigation();
  const { pathname, state } = useLocation();
  return IN_OFFICE.test(pathname) || (pathname === paths.profile && isFromOffice(state)) ? (
    OFFICE
  ) : (
    <Routes>
      <Route element={<Layout />}>
        <Route path="/" element={LIST} />
        <Route path="/category/:slug" element={LIST} />
        <Route path="/category/:parent/:slug" element={LIST} />
        <Route path="/collection/:slug" element={LIST} />
        <Route path="/seller/:slug" element={LIST} />
        <Route path="/details/:id" element={<DetailsPage />} />
        <Route path="/search" element={<Navigate to="/#search" replace state={{ focusSearch: true }} />} />
        <Route path="/saved" element={SAVED} />
        <Route path="/pages/:slug" element={<OwnerPage />} />
        <Route path="/follow" element={screens ? <screens.FollowPage /> : FOLLOW} />
        <Route
          path="/subscriptions/:token"
          element={screens ? <screens.SubscriptionsPage /> : SUBSCRIPTIONS}
        />
        <Route path="/login" element={LOGIN} />
        <Route path="/register" element={REGISTER} />
        <Route path="/verify-otp/:email" element={VERIFY} />
        <Route path="/forgot-password" element={FORGOT} />
        <Route path="/reset-password/:email" element={RESET} />
        <Route path="/profile" element={PROFILE} />
        <Route path="/setup" element={FIRST_START} />
        <Route path="/invite" element={INVITE} />
        <Route path="*" element={NOT_FOUND} />
      </Route>
    </Routes>
  );
}

// Screens with forms are split from the list, which needs no form library. Screens visited in
// sequence share a chunk.
const accounts = () => import("./account-screens");

const LOGIN = onDemand(async () => (await accounts()).LoginPage);
const REGISTER = onDemand(async () => (await accounts()).RegisterPage);
const VERIFY = onDemand(async () => (await accounts()).VerifyOtpPage);
const FORGOT = onDemand(async () => (await accounts()).ForgotPasswordPage);
const RESET = onDemand(async () => (await accounts()).ResetPasswordPage);
const FIRST_START = onDemand(async () => (await accounts()).FirstStartPage);
const INVITE = onDemand(async () => (await accounts()).InvitePage);
const PROFILE = signedIn(async () => (await accounts()).ProfilePage);
const OFFICE = onDemand(
  async () => (await import("./office/office")).Office,
  // The office has a frame of its own, which is not there yet.
  (waiting) => (
    <main className="page">
      <h1 className="sr-only">{officeTitle}</h1>
      {waiting}
    </main>
  ),
);
const NOT_FOUND = onDemand(async () => (await import("../features/not-found/not-found-page")).NotFoundPage);
const SAVED = onDemand(async () => (await import("../features/saved/saved-page")).SavedPage);

const FOLLOW = onDemand(async () => (await loadScreens()).FollowPage);
const SUBSCRIPTIONS = onDemand(async () => (await loadScreens()).SubscriptionsPage);

type Load = () => Promise<ComponentType>;

/** A screen that requires a session; the guard is in the screen's chunk, since browsing needs none. */
function signedIn(load: Load): ReactNode {
  return onDemand(async () => {
    const [{ RequireSession }, Screen] = await Promise.all([import("./require-session"), load()]);
    return () => (
      <RequireSession title={profileLink}>
        <Screen />
      </RequireSession>
    );
  });
}

/** A screen whose code is loaded when it is first shown. */
function onDemand(load: Load, framed = (waiting: ReactNode) => waiting): ReactNode {
  let loaded: ComponentType | undefined;
  const keep = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Fetched = () => {
    // A new `lazy` for each retry: React caches a failed import.
    const [round, setRound] = useState(0);
    const Screen = useMemo(
      () =>
        loaded ??
        lazy(() =>
          keep().catch(() => {
            const retry = () => setRound(round + 1);
            window.addEventListener("online", retry, { once: true });
            return { default: () => framed(<NotFetched onRetry={retry} />) };
          }),
        ),
      [round],
    );
    return (
      <Suspense fallback={framed(WAITING)}>
        <Screen />
      </Suspense>
    );
  };
  return <Fetched />;
}

/** Shown if a screen's code can't be loaded; retries once the network is back. */
function NotFetched({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice title={screenFailed}>
      <Button onClick={onRetry}>{retryButton}</Button>
    </Notice>
  );
}
