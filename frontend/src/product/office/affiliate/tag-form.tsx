import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { object, string } from "yup";
import { failureText, fieldErrors } from "../../../api/failure";
import { useTagChanges } from "../../../api/office/links";
import type { Source, TagChange } from "../../../api/types";
import { office } from "../../../lib/office-paths";
import { count, counted } from "../../../lib/rupees";
import { Button } from "../../../ui/button";
import { Field } from "../../../ui/form/field";
import { Form } from "../../../ui/form/form";
import { Link } from "../../../ui/link";
import { UndoButton } from "../undo-bar";

const schema = object({
  tag: string()
    .trim()
    .matches(/^\S*$/, "A tag has no spaces. Copy it as the affiliate programme shows it, like name-21."),
});

interface TagValues {
  tag: string;
}

function links(number: number): string {
  return counted(number, "link", "links");
}

/** The affiliate's tag of a seller: shown first what it changes, then saved, then undone for a minute. */
export function TagForm({ of: { source, tag } }: { of: Source }) {
  const { preview, change, undo } = useTagChanges();
  const [planned, setPlanned] = useState<TagChange>();
  const [done, setDone] = useState<TagChange>();
  const [message, setMessage] = useState<string>();
  const [error, setError] = useState<string>();

  const look = async ({ tag }: TagValues, { setErrors }: FormikHelpers<TagValues>) => {
    setError(undefined);
    setMessage(undefined);
    setDone(undefined);
    try {
      setPlanned(await preview(source, tag.trim()));
    } catch (failure) {
      setErrors(fieldErrors(failure));
      setError(failureText(failure));
    }
  };

  const save = async (tag: string) => {
    setError(undefined);
    try {
      const saved = await change(source, tag);
      setPlanned(undefined);
      setDone(saved);
      setMessage(saved.tag === "" ? "The tag is removed." : `${links(saved.changed)} changed.`);
    } catch (failure) {
      setError(failureText(failure));
    }
  };

  const takeBack = async (id: string) => {
    setDone(undefined);
    try {
      await undo(id);
      setMessage("Undone: the tag and the links are as before.");
    } catch (failure) {
      setMessage(undefined);
      setError(failureText(failure));
    }
  };

  return (
    <div className="tag-form">
      <Formik initialValues={{ tag }} enableReinitialize validationSchema={schema} onSubmit={look}>
        <Form error={error} submit="Show what changes" pending="Counting...">
          <Field
            name="tag"
            label={`Your tag in links of ${source}`}
            hint="Added to every link, also new and imported ones."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Form>
      </Formik>
      {planned && (
        <Plan of={planned} onSave={() => void save(planned.tag)} onCancel={() => setPlanned(undefined)} />
      )}
      <div className="grid justify-items-start gap-2 py-3 not-has-[>:not(:empty)]:hidden">
        <p role="status" className="text-sm empty:hidden">
          {message}
        </p>
        {done?.undo !== undefined && (
          <UndoButton
            key={done.undo}
            onUndo={() => void takeBack(done.undo ?? "")}
            onOver={() => setDone(undefined)}
          />
        )}
      </div>
    </div>
  );
}

function Plan({ of, onSave, onCancel }: { of: TagChange; onSave: () => void; onCancel: () => void }) {
  const { source, tag, products, changed, equal, examples } = of;
  const what =
    tag === ""
      ? "No new link gets a tag. Links stay as they are."
      : `${count(changed)} of ${links(products)} change.`;
  return (
    <section aria-label={`What changes at ${source}`} className="grid max-w-[40rem] gap-2 py-3 wrap-anywhere">
      <p role="status">{what}</p>
      {examples.length > 0 && (
        <ul className="grid gap-2 border-line border-s-2 ps-3">
          {examples.map(({ title, from, to }) => (
            <li key={`${title} ${from}`}>
              <p>{title}</p>
              <p className="quiet">
                <s>{from}</s>
              </p>
              <p>{to}</p>
            </li>
          ))}
        </ul>
      )}
      {equal > 0 && (
        <p>
          {counted(equal, "deal has", "deals have")} the same link as another one then. Nothing is merged:
          they are then listed under{" "}
          <Link className="link" to={`${office.products}?view=same-link`}>
            Same link
          </Link>
          .
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onSave}>
          {tag === "" ? "Remove the tag" : `Change ${links(changed)}`}
        </Button>
        <Button variant="plain" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
