import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { failureText } from "../../api/failure";
import { previewFrontPage } from "../../api/office/settings";
import { useFacets } from "../../api/products/related";
import type { Home, Section } from "../../api/types";
import { HomeTop } from "../../product/home";
import { Button } from "../../ui/button";

const WIDTHS = { Phone: 390, Desktop: 1280 };
/** Height of a preview on the screen in pixels. */
const HEIGHT = 640;
/** Pause in typing after which the preview is fetched, in milliseconds. */
const PAUSE = 400;

/** The sections as visitors would see them, before they are saved. */
export function Preview({ sections }: { sections: readonly Section[] }) {
  const [home, setHome] = useState<Home>();
  const [failure, setFailure] = useState("");
  const [device, setDevice] = useState<keyof typeof WIDTHS>("Phone");
  const { data: facets } = useFacets({});
  const wanted = JSON.stringify(sections);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      previewFrontPage(JSON.parse(wanted)).then(
        (fetched) => {
          if (isCurrent) {
            setHome(fetched);
            setFailure("");
          }
        },
        (error: unknown) => isCurrent && setFailure(failureText(error)),
      );
    }, PAUSE);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [wanted]);
  return (
    <section aria-labelledby="preview" className={device === "Desktop" ? "pane wide:col-span-full" : "pane"}>
      <div className="pane-head">
        <h2 id="preview">Preview</h2>
        <p className="flex gap-1">
          {(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).map((name) => (
            <Button
              key={name}
              aria-pressed={name === device}
              onClick={() => setDevice(name)}
              className="aria-pressed:border-accent aria-pressed:bg-accent-bg"
            >
              {name}
            </Button>
          ))}
        </p>
      </div>
      <p role="status" className="hint pb-2 empty:pb-0">
        {failure}
        {facets?.all === 0 && "Your shop has no deals yet: sections appear with the first ones."}
      </p>
      <Window width={WIDTHS[device]}>{home && facets && <HomeTop facets={facets} home={home} />}</Window>
    </section>
  );
}

/**
 * A window of another width with the shop's styles. Its document is made here, so that no address of the shop
 * can be framed.
 */
function Window({ width, children }: { width: number; children: ReactNode }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [body, setBody] = useState<HTMLElement>();
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const room = frame.current?.parentElement;
    if (!room) {
      return;
    }
    const measure = () => setScale(Math.min(1, (room.clientWidth || width) / width));
    measure();
    const watched = new ResizeObserver(measure);
    watched.observe(room);
    return () => watched.disconnect();
  }, [width]);
  const fill = () => {
    const inner = frame.current?.contentDocument;
    if (!inner) {
      return;
    }
    const styles = document.querySelectorAll("head style, head link[rel=stylesheet]");
    inner.head.replaceChildren(...[...styles].map((style) => inner.importNode(style, true)));
    const { lang, dataset } = document.documentElement;
    inner.documentElement.lang = lang;
    Object.assign(inner.documentElement.dataset, dataset);
    inner.title = "Preview";
    setBody(inner.body);
  };
  // Chromium sends no event for an empty document.
  useEffect(fill, []);
  return (
    <div
      className="mx-auto overflow-hidden rounded border border-line"
      style={{ height: HEIGHT, maxWidth: width }}
    >
      <iframe
        ref={frame}
        title="Preview of the home page"
        onLoad={fill}
        style={{ width, height: HEIGHT / scale, transform: `scale(${scale})`, transformOrigin: "0 0" }}
      />
      {body &&
        createPortal(
          <main className="page content" inert>
            {children}
          </main>,
          body,
        )}
    </div>
  );
}
