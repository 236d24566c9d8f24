import { Anchor, Code } from "@mantine/core";
import { useTexts } from "../../language/language.tsx";
import { linkTo } from "../address.ts";
import { type ApiDocument, resolve, type Schema } from "../document/openapi.ts";
import { Inline } from "../markdown/Markdown.tsx";
import { texts } from "./texts.ts";

/** A field or a parameter, with what is said of it. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  /** Said beside the name: whether it must be sent, or is always there. */
  readonly mark: string | undefined;
  /** The bounds and the form that are asked of what is sent. */
  readonly rule: string | undefined;
  readonly example: string | undefined;
}

interface Props {
  readonly document: ApiDocument;
  readonly fields: readonly Field[];
  /** What the ids of fields begin with, which a found field is scrolled to by. */
  readonly anchors?: string;
}

/** Fields with their types and rules; the fields of what a field holds are folded away below it. */
export function Fields({ document, fields, anchors }: Props) {
  return (
    <ul className="fields">
      {fields.map((field) => (
        <li key={field.name} id={anchors === undefined ? undefined : `${anchors}-${field.name}`}>
          <One document={document} field={field} />
        </li>
      ))}
    </ul>
  );
}

function One({ document, field }: { readonly document: ApiDocument; readonly field: Field }) {
  const t = useTexts(texts);
  const { name, schema, description, mark, rule, example } = field;
  const inner = innerOf(document, schema);
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
      {schema.enum === undefined ? null : (
        <p className="field-rule">
          {t.oneOf}:{" "}
          {schema.enum.map((value) => (
            <Code key={String(value)}>{String(value)}</Code>
          ))}
        </p>
      )}
      {schema.default === undefined ? null : (
        <p className="field-rule">
          {t.defaultIs}: <Code>{String(schema.default)}</Code>
        </p>
      )}
      {example === undefined ? null : (
        <p className="field-rule">
          {t.example}: <Code className="breaks">{example}</Code>
        </p>
      )}
      {inner === undefined ? null : (
        <details className="folded">
          <summary>{t.fieldsOf(inner.name ?? name)}</summary>
          <Fields document={document} fields={fieldsOf(document, inner.schema, t.always)} />
        </details>
      )}
    </>
  );
}

/** A type in a word or two; one that has a name leads to it. */
function Type({ document, schema }: { readonly document: ApiDocument; readonly schema: Schema }) {
  const { name } = resolve(document, schema);
  if (name !== undefined)
    return (
      <Anchor href={linkTo({ kind: "objects", name })} inherit>
        {name}
      </Anchor>
    );
  if (schema.items === undefined) return schema.type ?? typeof schema.const;
  return (
    <>
      array of <Type document={document} schema={schema.items} />
    </>
  );
}

/** What a field holds that has fields itself, whether one or many. */
function innerOf(document: ApiDocument, schema: Schema): ReturnType<typeof resolve> | undefined {
  const held = resolve(document, schema);
  if (held.schema.properties !== undefined) return held;
  return held.schema.items === undefined ? undefined : innerOf(document, held.schema.items);
}

type Words = (typeof texts)["en"];

/** The bounds and the form of a value, in words. */
export function ruleOf(schema: Schema, t: Words): string | undefined {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const length = rangeOf(minLength, maxLength, t);
  const count = rangeOf(minItems, maxItems, t);
  const form = schema["x-rule"] ?? pattern;
  const rules = [
    rangeOf(minimum, maximum, t),
    length === undefined ? undefined : t.characters(length),
    count === undefined ? undefined : t.items(count),
    form === undefined ? undefined : `${t.form}: ${form}`,
  ].filter((rule) => rule !== undefined);
  return rules.length === 0 ? undefined : rules.join(" · ");
}

function rangeOf(from: number | undefined, to: number | undefined, t: Words): string | undefined {
  if (from !== undefined && to !== undefined) return t.range(String(from), String(to));
  if (from !== undefined) return t.atLeast(String(from));
  return to === undefined ? undefined : t.atMost(String(to));
}

/**
 * The fields of an object.
 * @param mark what is said of those that are never absent
 * @param rules the words for rules, where the object is sent; what is answered keeps them anyway
 */
export function fieldsOf(
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
