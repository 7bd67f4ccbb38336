/** The screens of administrators, which come as one file. */

export { AddProductPage } from "../features/add-product/add-product-page";
export { ActivityPage } from "../features/admin-activity/activity-page";
export { AdminProductsPage } from "../features/admin-products/admin-products-page";
export { ReportsPage } from "../features/admin-reports/reports-page";
export { SettingsPage } from "../features/admin-settings/settings-page";
export { UpdateProductPage } from "../features/update-product/update-product-page";
