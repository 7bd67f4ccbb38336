import { type ReactNode, useId } from "react";
import { useCollectionList } from "../../api/office/collections";
import { useFacets } from "../../api/products/related";
import { maxPageTitle, maxSectionText, maxTagline } from "../../lib/constants.json";
import { PictureField } from "../../product/form/pictures/picture-field";
import { useCategoryChoices } from "../../shop/categories";
import { Field, SelectField, TextAreaField } from "../../ui/form/field";
import { type FieldName, KINDS, type Kind } from "./kinds";

interface SectionFieldsProps {
  kind: Kind;
  /** Path of the section in the form, like `sections[2]`. */
  path: string;
}

/** The fields of a section of this kind. */
export function SectionFields({ kind, path }: SectionFieldsProps) {
  return (
    <>
      <p className="text-sm text-ink-2">{KINDS[kind].hint}</p>
      <Field
        name={`${path}.title`}
        label="Title"
        hint="May be empty"
        autoComplete="off"
        maxLength={maxPageTitle}
      />
      {KINDS[kind].fields.map((field) => (
        <div key={field}>{FIELDS[field](path)}</div>
      ))}
    </>
  );
}

const FIELDS: Record<FieldName, (path: string) => ReactNode> = {
  deals: (path) => (
    <Field name={`${path}.deals`} label="Maximum deals" hint="3 to 12" type="number" min={3} max={12} />
  ),
  category: (path) => <CategoryField name={`${path}.name`} />,
  seller: (path) => <SellerField name={`${path}.name`} />,
  collection: (path) => <CollectionField name={`${path}.name`} />,
  text: (path) => (
    <TextAreaField name={`${path}.text`} label="Text in Markdown" rows={6} maxLength={maxSectionText} />
  ),
  picture: (path) => <PictureField name={`${path}.picture`} />,
  alt: (path) => (
    <Field
      name={`${path}.alt`}
      label="Description of the picture"
      hint="For people who cannot see it"
      autoComplete="off"
      maxLength={maxTagline}
    />
  ),
  link: (path) => (
    <Field
      name={`${path}.link`}
      label="Link"
      hint="A page of your shop, like /pages/about, or a link, like https://example.com. May be empty."
      autoComplete="off"
    />
  ),
};

function CategoryField({ name }: { name: string }) {
  return (
    <SelectField name={name} label="Category">
      <option value="">Choose a category</option>
      {useCategoryChoices().map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  );
}

function CollectionField({ name }: { name: string }) {
  const { data } = useCollectionList();
  return (
    <SelectField name={name} label="Collection">
      <option value="">Choose a collection</option>
      {data?.data.map((collection) => (
        <option key={collection.slug} value={collection.slug}>
          {collection.name}
        </option>
      ))}
    </SelectField>
  );
}

function SellerField({ name }: { name: string }) {
  const { data } = useFacets({});
  const id = useId();
  return (
    <>
      <Field name={name} label="Seller" hint="As written in its deals" list={id} autoComplete="off" />
      <datalist id={id}>
        {data?.sources.map((source) => (
          <option key={source.name} value={source.name} />
        ))}
      </datalist>
    </>
  );
}
