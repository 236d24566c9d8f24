import { Anchor, Code } from "@mantine/core";
import { useTexts } from "../../language/language.tsx";
import { docsLink } from "../address.ts";
import { type ApiDocument, resolve, type Schema } from "../document/openapi.ts";
import { Inline } from "../markdown/Markdown.tsx";
import { texts } from "./texts.ts";

/** A field or parameter with its description. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  /** Shown next to the name: `required` or `always present`. */
  readonly mark: string | undefined;
  /** The range and format of accepted values. */
  readonly rule: string | undefined;
  readonly example: string | undefined;
}

interface Props {
  readonly document: ApiDocument;
  readonly fields: readonly Field[];
  /** The prefix of the element ids of fields, used to scroll to a search result. */
  readonly anchors?: string;
}

/** Fields with their types and rules; nested fields are collapsed below their parent. */
export function Fields({ document, fields, anchors }: Props) {
  return (
    <ul className="fields">
      {fields.map((field) => (
        <li key={field.name} id={anchors === undefined ? undefined : `${anchors}-${field.name}`}>
          <FieldView document={document} field={field} />
        </li>
      ))}
    </ul>
  );
}

function FieldView({ document, field }: { readonly document: ApiDocument; readonly field: Field }) {
  const t = useTexts(texts);
  const { name, schema, description, mark, rule, example } = field;
  const inner = innerOf(document, schema);
  const values = [
    [t.oneOf, schema.enum ?? []],
    [t.defaultIs, schema.default === undefined ? [] : [schema.default]],
    [t.example, example === undefined ? [] : [example]],
  ] as const;
  return (
    <>
      <div className="field-head">
        <code className="field-name">{name}</code>
        <span className="field-type">
          <Type document={document} schema={schema} />
        </span>
        {mark === undefined ? null : <span className="field-mark">{mark}</span>}
      </div>
      <p lang="en">
        <Inline text={description} />
      </p>
      {rule === undefined ? null : <p className="field-rule">{rule}</p>}
      {values
        .filter(([, all]) => all.length > 0)
        .map(([title, all]) => (
          <p key={title} className="field-rule">
            {title}:{" "}
            {all.map((value) => (
              <Code key={String(value)} className="breaks">
                {String(value)}
              </Code>
            ))}
          </p>
        ))}
      {inner === undefined ? null : (
        <details className="folded">
          <summary>{t.fieldsOf(inner.name ?? name)}</summary>
          <Fields document={document} fields={schemaFields(document, inner.schema, t.always)} />
        </details>
      )}
    </>
  );
}

/** The name of a type; a named object links to its page. */
function Type({ document, schema }: { readonly document: ApiDocument; readonly schema: Schema }) {
  const { name } = resolve(document, schema);
  if (name !== undefined)
    return (
      <Anchor href={docsLink({ kind: "objects", name })} inherit>
        {name}
      </Anchor>
    );
  const [type = typeof schema.const, orNull] = [schema.type].flat();
  const suffix = orNull === undefined ? "" : ` or ${orNull}`;
  if (schema.items === undefined) return `${type}${suffix}`;
  return (
    <>
      array of <Type document={document} schema={schema.items} />
      {suffix}
    </>
  );
}

/** Returns the object that a field or its items hold, if any. */
function innerOf(document: ApiDocument, schema: Schema): ReturnType<typeof resolve> | undefined {
  const resolved = resolve(document, schema);
  if (resolved.schema.properties !== undefined) return resolved;
  return resolved.schema.items === undefined ? undefined : innerOf(document, resolved.schema.items);
}

type Words = (typeof texts)["en"];

/** Describes the range and format of a value. */
export function ruleOf(schema: Schema, t: Words): string | undefined {
  const value = rangeOf(schema.minimum, schema.maximum, t);
  const length = rangeOf(schema.minLength, schema.maxLength, t);
  const count = rangeOf(schema.minItems, schema.maxItems, t);
  const form = schema["x-rule"] ?? schema.pattern;
  const rules = [
    value,
    length && t.characters(length),
    count && t.items(count),
    form && `${t.form}: ${form}`,
  ];
  return rules.filter(Boolean).join(" · ") || undefined;
}

function rangeOf(from: number | undefined, to: number | undefined, t: Words): string | undefined {
  if (from !== undefined && to !== undefined) return t.range(String(from), String(to));
  if (from !== undefined) return t.atLeast(String(from));
  return to === undefined ? undefined : t.atMost(String(to));
}

/**
 * Returns the fields of an object.
 * @param mark the label of fields that are always present
 * @param rules the texts for rules, for an object that is sent; absent for one that is returned
 */
export function schemaFields(
  document: ApiDocument,
  schema: Schema,
  mark: string,
  rules?: Words,
): readonly Field[] {
  const { properties = {}, required = [] } = resolve(document, schema).schema;
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    description: field.description ?? resolve(document, field).schema.description ?? "",
    mark: required.includes(name) ? mark : undefined,
    rule: rules === undefined ? undefined : ruleOf(field, rules),
    example: field.examples?.[0] === undefined ? undefined : shown(field.examples[0]),
  }));
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
