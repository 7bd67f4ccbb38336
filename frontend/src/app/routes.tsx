import type { RouteObject } from "react-router-dom";
import { Navigate } from "react-router-dom";
import { DetailsPage } from "../features/details/details-page";
import { ListingPage } from "../features/listing/listing-page";
import { NotFoundPage } from "../features/not-found/not-found-page";
import { ErrorPage } from "./error-page";
import { Layout } from "./layout";

/** Every screen (spec section 2). */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <ErrorPage />,
    children: [
      { path: "/", element: <ListingPage /> },
      { path: "/search", element: <Navigate to="/" replace state={{ focusSearch: true }} /> },
      { path: "/details/:id", element: <DetailsPage /> },
      { path: "*", element: <NotFoundPage /> },
    ],
  },
];
