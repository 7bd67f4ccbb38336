import { Formik, type FormikHelpers } from "formik";
import { useState } from "react";
import { ApiError } from "../../api/client";
import { failureText, fieldErrors } from "../../api/failure";
import { changeSettings, useSettings } from "../../api/office/settings";
import type { ShopSettings } from "../../api/types";
import { maxSections } from "../../lib/constants.json";
import { paths } from "../../lib/paths";
import { Button } from "../../ui/button";
import { LABEL, SelectInput } from "../../ui/form/field";
import { Form } from "../../ui/form/form";
import { FormSaveBar } from "../../ui/form/form-save-bar";
import { Link } from "../../ui/link";
import { Loaded } from "../../ui/loaded";
import { Notice } from "../../ui/notice";
import { OfficeScreen } from "../../ui/office-screen";
import { useToast } from "../../ui/toast/toast";
import { draftOf, KINDS, type Kind, sectionsOf, USUAL } from "./kinds";
import { Preview } from "./preview";
import { SectionList, type Values } from "./section-list";

export default function FrontPage() {
  const call = useSettings();
  return (
    <OfficeScreen title="Home page">
      <p className="hint max-w-[44rem]">
        What visitors see first, above the list of deals. Sections with nothing to show are left out.{" "}
        <Link to={paths.listing} className="link">
          Open the shop
        </Link>
      </p>
      <Loaded call={call} failure="The settings could not be loaded.">
        {(settings) => <Editor settings={settings} reload={call.mutate} />}
      </Loaded>
    </OfficeScreen>
  );
}

interface EditorProps {
  settings: ShopSettings;
  reload: (settings?: ShopSettings, options?: { revalidate: false }) => Promise<ShopSettings | undefined>;
}

function Editor({ settings, reload }: EditorProps) {
  const toast = useToast();
  const [stale, setStale] = useState(false);
  const [open, setOpen] = useState<string>();
  const [error, setError] = useState<string>();
  // Keeps the sections on screen while others are fetched.
  const [version, setVersion] = useState(settings.version);
  const [initial] = useState(() => valuesOf(settings));

  const save = async (values: Values, { resetForm, setErrors, setTouched }: FormikHelpers<Values>) => {
    setError(undefined);
    try {
      const saved = await changeSettings(version, { frontPage: sectionsOf(values.sections) });
      setVersion(saved.version);
      await reload(saved, { revalidate: false });
      resetForm({ values });
      toast({ title: "Home page saved" });
    } catch (failure) {
      setStale(failure instanceof ApiError && failure.status === 409);
      setError(failureText(failure));
      const fields = Object.entries(fieldErrors(failure)).map(([field, message]) => {
        const [, at, name] = /^frontPage\[(\d+)\]\.(\w+)$/.exec(field) ?? [];
        return { at: Number(at), name: name ?? "", message };
      });
      const [first] = fields;
      setOpen(first && values.sections[first.at]?.key);
      const each = <T,>(value: (message: string) => T) =>
        values.sections.map((_, at) =>
          Object.fromEntries(
            fields.filter((field) => field.at === at).map(({ name, message }) => [name, value(message)]),
          ),
        );
      await setTouched({ sections: each(() => true) }, false);
      setErrors({ sections: each((message) => message) });
    }
  };
  const goOn = async () => {
    const newest = await reload();
    setVersion(newest?.version ?? version);
    setStale(false);
  };

  return (
    <Formik initialValues={initial} onSubmit={save}>
      {({ values, setFieldValue }) => {
        const add = (kind: Kind) => {
          const draft = draftOf({ kind });
          void setFieldValue("sections", [...values.sections, draft]);
          setOpen(draft.key);
        };
        return (
          <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2 wide:[&>:last-child]:sticky wide:[&>:last-child]:top-4">
            <section aria-labelledby="sections" className="pane">
              <div className="pane-head">
                <h2 id="sections" tabIndex={-1}>
                  Sections
                </h2>
              </div>
              {stale && (
                <Notice title="Somebody else changed the settings in the meantime.">
                  <Button onClick={() => void goOn()}>Keep and save my sections</Button>
                </Notice>
              )}
              <Form wide bar error={error}>
                <FormSaveBar />
                <SectionList open={open} onOpen={setOpen} />
                <AddSection isFull={values.sections.length >= maxSections} onAdd={add} />
                <p>
                  <Button onClick={() => void setFieldValue("sections", USUAL.map(draftOf))}>
                    Start over with the default page
                  </Button>
                </p>
              </Form>
            </section>
            <Preview sections={sectionsOf(values.sections)} />
          </div>
        );
      }}
    </Formik>
  );
}

function AddSection({ isFull, onAdd }: { isFull: boolean; onAdd: (kind: Kind) => void }) {
  const [kind, setKind] = useState<Kind>("newest");
  if (isFull) {
    return <p className="hint">{`The home page has at most ${maxSections} sections.`}</p>;
  }
  return (
    <div className="flex flex-wrap items-end gap-2">
      <div className="min-w-0 flex-[1_1_12rem]">
        <label htmlFor="new-section" className={LABEL}>
          New section
        </label>
        <SelectInput id="new-section" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {Object.entries(KINDS).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectInput>
      </div>
      <Button onClick={() => onAdd(kind)}>Add section</Button>
    </div>
  );
}

function valuesOf({ frontPage }: ShopSettings): Values {
  return { sections: (frontPage.length === 0 ? USUAL : frontPage).map(draftOf) };
}
