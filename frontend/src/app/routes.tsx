// Mirrored by src/http/pages/routes.rs

import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";
import { Navigate, Route, Routes } from "react-router-dom";
import { DetailsPage } from "../features/details/details-page";
import { ListingPage } from "../features/listing/listing-page";
import { NotFoundPage } from "../features/not-found/not-found-page";
import { Layout } from "./layout";
import { RequireSession } from "./require-session";

/** Every screen (spec section 2). */
export function Screens() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route path="/" element={<ListingPage />} />
        <Route path="/details/:id" element={<DetailsPage />} />
        <Route path="/search" element={<Navigate to="/" replace state={{ focusSearch: true }} />} />
        <Route path="/login" element={LOGIN} />
        <Route path="/register" element={REGISTER} />
        <Route path="/verify-otp/:email" element={VERIFY} />
        <Route path="/forgot-password" element={FORGOT} />
        <Route path="/reset-password/:email" element={RESET} />
        <Route path="/profile" element={<RequireSession>{PROFILE}</RequireSession>} />
        <Route path="/add-product" element={<RequireSession admin>{ADD}</RequireSession>} />
        <Route path="/update-product/:productId" element={<RequireSession admin>{UPDATE}</RequireSession>} />
        <Route path="/admin/products" element={<RequireSession admin>{MANAGE}</RequireSession>} />
        <Route path="/admin/activity" element={<RequireSession admin>{ACTIVITY}</RequireSession>} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}

// Screens with forms come with the form libraries, which browsing needs none of.
const LOGIN = onDemand(async () => (await import("../features/login/login-page")).LoginPage);
const REGISTER = onDemand(async () => (await import("../features/register/register-page")).RegisterPage);
const VERIFY = onDemand(async () => (await import("../features/verify-otp/verify-otp-page")).VerifyOtpPage);
const FORGOT = onDemand(
  async () => (await import("../features/forgot-password/forgot-password-page")).ForgotPasswordPage,
);
const RESET = onDemand(
  async () => (await import("../features/reset-password/reset-password-page")).ResetPasswordPage,
);
const PROFILE = onDemand(async () => (await import("../features/profile/profile-page")).ProfilePage);
const ADD = onDemand(async () => (await import("../features/add-product/add-product-page")).AddProductPage);
const UPDATE = onDemand(
  async () => (await import("../features/update-product/update-product-page")).UpdateProductPage,
);
const MANAGE = onDemand(
  async () => (await import("../features/admin-products/admin-products-page")).AdminProductsPage,
);
const ACTIVITY = onDemand(
  async () => (await import("../features/admin-activity/activity-page")).ActivityPage,
);

/** A screen whose code is fetched when it is first shown. */
function onDemand(load: () => Promise<ComponentType>): ReactNode {
  let loaded: ComponentType | undefined;
  const keep = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Fetched = () => {
    // Asked for anew each time that it failed: React keeps a failure for good.
    const [Screen] = useState(() => loaded ?? lazy(keep));
    return (
      <Suspense
        fallback={
          <p role="status" className="py-10 text-sm text-ink-3">
            Loading...
          </p>
        }
      >
        <Screen />
      </Suspense>
    );
  };
  return <Fetched />;
}
