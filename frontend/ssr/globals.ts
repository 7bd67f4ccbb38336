import { intl } from "./intl";
import { SearchParams } from "./search-params";

// Before any module of the app, some of which make formats when they are loaded.
Object.assign(globalThis, { Intl: intl, URLSearchParams: SearchParams });
