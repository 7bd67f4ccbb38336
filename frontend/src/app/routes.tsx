import type { RouteObject } from "react-router-dom";
import { Navigate } from "react-router-dom";
import { DetailsPage } from "../features/details/details-page";
import { ListingPage } from "../features/listing/listing-page";
import { NotFoundPage } from "../features/not-found/not-found-page";
import { ErrorPage } from "./error-page";
import { Layout } from "./layout";
import { RequireSession } from "./require-session";

/** Every screen (spec section 2). */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <ErrorPage />,
    hydrateFallbackElement: <Layout />,
    children: [
      { path: "/", element: <ListingPage /> },
      { path: "/search", element: <Navigate to="/" replace state={{ focusSearch: true }} /> },
      { path: "/details/:id", element: <DetailsPage /> },
      // Screens with forms come with the form libraries, which browsing needs none of.
      {
        path: "/login",
        lazy: async () => ({ Component: (await import("../features/login/login-page")).LoginPage }),
      },
      {
        path: "/register",
        lazy: async () => ({ Component: (await import("../features/register/register-page")).RegisterPage }),
      },
      {
        path: "/verify-otp/:email",
        lazy: async () => ({
          Component: (await import("../features/verify-otp/verify-otp-page")).VerifyOtpPage,
        }),
      },
      {
        path: "/forgot-password",
        lazy: async () => ({
          Component: (await import("../features/forgot-password/forgot-password-page")).ForgotPasswordPage,
        }),
      },
      {
        path: "/reset-password/:email",
        lazy: async () => ({
          Component: (await import("../features/reset-password/reset-password-page")).ResetPasswordPage,
        }),
      },
      {
        path: "/profile",
        lazy: async () => {
          const { ProfilePage } = await import("../features/profile/profile-page");
          return {
            element: (
              <RequireSession>
                <ProfilePage />
              </RequireSession>
            ),
          };
        },
      },
      {
        path: "/add-product",
        lazy: async () => {
          const { AddProductPage } = await import("../features/add-product/add-product-page");
          return {
            element: (
              <RequireSession admin>
                <AddProductPage />
              </RequireSession>
            ),
          };
        },
      },
      {
        path: "/update-product/:productId",
        lazy: async () => {
          const { UpdateProductPage } = await import("../features/update-product/update-product-page");
          return {
            element: (
              <RequireSession admin>
                <UpdateProductPage />
              </RequireSession>
            ),
          };
        },
      },
      {
        path: "/admin/products",
        lazy: async () => {
          const { AdminProductsPage } = await import("../features/admin-products/admin-products-page");
          return {
            element: (
              <RequireSession admin>
                <AdminProductsPage />
              </RequireSession>
            ),
          };
        },
      },
      {
        path: "/admin/activity",
        lazy: async () => {
          const { ActivityPage } = await import("../features/admin-activity/activity-page");
          return {
            element: (
              <RequireSession admin>
                <ActivityPage />
              </RequireSession>
            ),
          };
        },
      },
      { path: "*", element: <NotFoundPage /> },
    ],
  },
];
