import { useState } from "react";
import { failureText } from "../../api/failure";
import { fetchDraft, fetchOwnerPage } from "../../api/office/settings";
import type { OwnerPage, ShopSettings } from "../../api/types";
import { paths } from "../../lib/paths";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Link } from "../../ui/link";
import { PageForm } from "./page-form";
import type { Save } from "./save";

const EMPTY = { slug: "", title: "", text: "" };

export function PagesSection({ settings, save }: { settings: ShopSettings; save: Save }) {
  const pages = settings.shop.pages;
  const drafts = settings.drafts.filter((slug) => !pages.some((page) => page.slug === slug));
  const [open, setOpen] = useState<Pick<OwnerPage, "slug" | "title" | "text">>();
  const [removing, setRemoving] = useState<string>();
  const [error, setError] = useState<string>();

  const edit = async (load: () => Promise<OwnerPage>) => {
    setError(undefined);
    try {
      setOpen(await load());
    } catch (failure) {
      setError(failureText(failure));
    }
  };

  return (
    <section className="panel">
      <h2>Pages</h2>
      <p className="text-sm text-ink-2">Shown in the footer of every page, at addresses like /pages/about.</p>
      <ul className="flex flex-col">
        {pages.map(({ slug, title }) => (
          <li key={slug} className="flex flex-wrap items-center gap-2 border-t border-line py-1">
            <Link to={paths.page(slug)} className="link flex-1">
              {title}
            </Link>
            <Button aria-label={`Change ${title}`} onClick={() => void edit(() => fetchOwnerPage(slug))}>
              Change
            </Button>
            <Button variant="danger" aria-label={`Delete ${title}`} onClick={() => setRemoving(slug)}>
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {drafts.map((slug) => (
          <Button key={slug} onClick={() => void edit(() => fetchDraft(slug))}>
            {`Add the “${slug}” page`}
          </Button>
        ))}
        <Button onClick={() => setOpen(EMPTY)}>New page</Button>
      </div>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      {open && (
        <PageForm
          key={open.slug}
          page={open}
          onSave={async (page) => {
            const refusal = await save({ [`page.${page.slug}`]: `# ${page.title}\n\n${page.text}` });
            if (!refusal) {
              setOpen(undefined);
            }
            return refusal?.text;
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title="Delete this page?"
          confirm="Delete"
          onConfirm={() => {
            setRemoving(undefined);
            void save({ [`page.${removing}`]: "" });
          }}
          onCancel={() => setRemoving(undefined)}
        >
          {`This deletes the text, and the link /pages/${removing} stops working.`}
        </Confirm>
      )}
    </section>
  );
}
