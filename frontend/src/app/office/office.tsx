import "../../styles/office/frame.css";
import "../../styles/office/parts.css";
import "../../styles/office/deals.css";
import "../../styles/office/tables.css";
import "../../styles/office/products.css";
import "../../styles/office/files.css";
import "../../styles/office/owner.css";
import "../../styles/office/capture.css";
import { lazy, type ReactNode, Suspense } from "react";
import { Route, Routes, useLocation } from "react-router-dom";
import { AddProductPage } from "../../features/add-product/add-product-page";
import { ActivityPage } from "../../features/admin-activity/activity-page";
import { CategoriesPage } from "../../features/admin-categories/categories-page";
import { FilesPage } from "../../features/admin-files/files-page";
import { KeysPage } from "../../features/admin-keys/keys-page";
import { OverviewPage } from "../../features/admin-overview/overview-page";
import { PeoplePage } from "../../features/admin-people/people-page";
import { AdminProductsPage } from "../../features/admin-products/admin-products-page";
import { ReportsPage } from "../../features/admin-reports/reports-page";
import { SettingsPage } from "../../features/admin-settings/settings-page";
import { SetupPage } from "../../features/admin-settings/setup/setup-page";
import { SourcesPage } from "../../features/admin-sources/sources-page";
import { WebhooksPage } from "../../features/admin-webhooks/webhooks-page";
import { NotFoundPage } from "../../features/not-found/not-found-page";
import { UpdateProductPage } from "../../features/update-product/update-product-page";
import { office } from "../../lib/office-paths";
import { paths } from "../../lib/paths";
import { WaitingDeals } from "../../product/form/capture/waiting-deals";
import { PasteLink } from "../../product/office/paste-link";
import { useSession } from "../../session/session";
import { Layout } from "../frame/layout";
import { RequireSession } from "../require-session";
import { EnrolGuard } from "./enrol-guard";
import { OfficeFrame } from "./office-frame";
import { titleOf } from "./places";

// Besides the code of the bookmark, only what no other screen has: anything shared would be another file.
const CapturePage = lazy(() => import("../../features/admin-capture/capture-page"));

const ProfilePage = lazy(async () => ({ default: (await import("../account-screens")).ProfilePage }));
const FrontPage = lazy(() => import("../../features/admin-front-page/front-page"));
const PostsPage = lazy(() => import("../../features/admin-posts/posts-page"));
const CollectionsPage = lazy(() => import("../../features/admin-collections/collections-page"));

function forAdmins(screen: ReactNode) {
  return <RequireSession for="admins">{screen}</RequireSession>;
}

/** Office screens in their own frame; everybody but administrators and editors sees a refusal in the shop's. */
export function Office() {
  const { status, isStaff, lost } = useSession();
  const { pathname } = useLocation();
  const mayBe = isStaff || status === "unknown" || lost !== undefined;
  return mayBe ? (
    <RequireSession for="staff" title={titleOf(pathname)} alone>
      <EnrolGuard>
        <OfficeFrame>
          <Routes>
            <Route path={paths.admin} element={<OverviewPage />} />
            <Route path={office.setup} element={forAdmins(<SetupPage />)} />
            <Route path={office.products} element={<AdminProductsPage />} />
            <Route
              path={office.capture}
              element={
                <Suspense>
                  <CapturePage>
                    <PasteLink />
                    <WaitingDeals />
                  </CapturePage>
                </Suspense>
              }
            />
            <Route path={office.reports} element={<ReportsPage />} />
            <Route path={office.categories} element={forAdmins(<CategoriesPage />)} />
            <Route path={office.frontPage} element={<Suspense>{forAdmins(<FrontPage />)}</Suspense>} />
            <Route
              path={office.collections}
              element={<Suspense>{forAdmins(<CollectionsPage />)}</Suspense>}
            />
            <Route
              path={office.channels}
              element={<Suspense>{forAdmins(<PostsPage tab="channels" />)}</Suspense>}
            />
            <Route
              path={office.queue}
              element={
                <Suspense>
                  <PostsPage tab="planned" />
                </Suspense>
              }
            />
            <Route path={office.sources} element={forAdmins(<SourcesPage />)} />
            <Route path={office.people} element={forAdmins(<PeoplePage />)} />
            <Route path={office.keys} element={forAdmins(<KeysPage />)} />
            <Route path={office.webhooks} element={forAdmins(<WebhooksPage />)} />
            <Route
              path={office.outgoing}
              element={<Suspense>{forAdmins(<PostsPage tab="sent" />)}</Suspense>}
            />
            <Route path={office.files} element={<FilesPage />} />
            <Route path={office.activity} element={<ActivityPage />} />
            <Route path={office.settings} element={forAdmins(<SettingsPage />)} />
            <Route
              path={paths.profile}
              element={
                <Suspense>
                  <ProfilePage />
                </Suspense>
              }
            />
            <Route path={paths.addProduct} element={<AddProductPage />} />
            <Route path="/update-product/:productId" element={<UpdateProductPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </OfficeFrame>
      </EnrolGuard>
    </RequireSession>
  ) : (
    <Layout>
      <RequireSession for="staff">{null}</RequireSession>
    </Layout>
  );
}
