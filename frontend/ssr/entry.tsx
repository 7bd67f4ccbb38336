import "./globals";
import { parsePageData } from "../src/api/page-data";
import { App } from "../src/app/app";
import { StaticRouter } from "./router";
import { stopClock } from "./stop-clock";
import { toHtml } from "./write";

declare global {
  /**
   * Renders the content of a visitors' page: the inner HTML of `#root`, a function of the canonical path
   * and query and of the text of the element `served` alone.
   *
   * @throws for an address that is not a visitors' page, and for what the server's bundle does not know
   */
  var render: (address: string, data: string) => string;
}

stopClock();

globalThis.render = (address, data) =>
  toHtml(
    <StaticRouter address={address}>
      <App pageData={parsePageData(data)} />
    </StaticRouter>,
  );
