import code from "bookmark:code";
import type { ReactNode } from "react";
import { paths } from "../../lib/paths";
import { useShop } from "../../shop/shop";
import { Button } from "../../ui/button";
import { useCopy } from "../../ui/form/shown-once";
import { Block, OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { Drawing } from "./drawing";

/** Ways to bring a deal into the form without typing; `children`: what other screens have too. */
export default function CapturePage({ children }: { children: ReactNode }) {
  const { name } = useShop();
  const form = window.location.origin + paths.addProduct;
  return (
    <OfficeScreen title="Ways to add">
      {children}
      <div className="cols">
        <Block title="On a computer" className="stack">
          <p>
            Drag the button to your browser's bookmarks bar. On a product's page at any seller, press the
            bookmark. The form opens in a new tab with what that page says: check it and add the deal.
          </p>
          <Drawing />
          <Bookmark name={`Add to ${name}`} />
        </Block>
        <div className="stack">
          <Block title="On an Android phone" className="stack">
            <p>
              Open this shop in Chrome and choose <b>Install app</b> in its menu. In a seller's app, press{" "}
              <b>Share</b> on a product and choose <b>{name}</b>. The form opens with the title, the link and
              the price as far as the text says them; without a network the deal waits on the phone.
            </p>
          </Block>
          <Block title="On an iPhone" className="stack">
            <p>
              In the Shortcuts app, make a shortcut that takes <b>Text</b> and <b>URLs</b> from the share
              sheet. Give it two actions: <b>URL Encode</b> its input, and <b>Open URLs</b> with the address
              below and, right behind it, the encoded text. It then stands in every app's share sheet.
            </p>
            <Copied label="Address for the shortcut" text={`${form}#text=`} />
          </Block>
        </div>
      </div>
    </OfficeScreen>
  );
}

function Bookmark({ name }: { name: string }) {
  const toast = useToast();
  const script = `javascript:${encodeURIComponent(code.replaceAll("SHOP_ADDRESS", window.location.origin))}`;
  return (
    <>
      <p>
        {/* React refuses such addresses in its attributes; the policy of this page, to run them. */}
        <a
          ref={(link) => link?.setAttribute("href", script)}
          href={paths.addProduct}
          className="btn cursor-grab border-dashed"
          onClick={(event) => {
            event.preventDefault();
            toast({ title: "Drag it to the bookmarks bar, and press it there on a product's page." });
          }}
        >
          {name}
        </a>
      </p>
      <details className="rules">
        <summary>Where it can't be dragged</summary>
        <p className="hint pb-2">
          Make a bookmark of any page and change its address into this code. That also works on phones: type
          the bookmark's name into the address bar on a product's page.
        </p>
        <Copied label="Code of the bookmark" text={script} />
      </details>
    </>
  );
}

function Copied({ label, text }: { label: string; text: string }): ReactNode {
  const { copy, element, message } = useCopy<HTMLInputElement>(text, "text");
  return (
    <>
      <div className="copied">
        <input
          ref={element}
          readOnly
          aria-label={label}
          value={text}
          onFocus={(event) => event.target.select()}
        />
        <Button aria-label={`Copy: ${label}`} onClick={copy}>
          Copy
        </Button>
      </div>
      <p role="status" className="hint empty:hidden">
        {message}
      </p>
    </>
  );
}
