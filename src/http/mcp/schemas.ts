import type { TObject } from "typebox";
import type { EndpointSchema } from "../endpoint.ts";
import { NAMED_SCHEMAS } from "../namedSchemas.ts";

/** A JSON Schema (2020-12) of an object. */
type ObjectSchema = { readonly type: "object" } & Readonly<Record<string, unknown>>;

/** What the arguments of a tool must be: all that its endpoint reads, as fields of one object. */
export function inputSchemaOf(schema: EndpointSchema): ObjectSchema {
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  for (const part of partsOf(schema)) {
    for (const [name, property] of Object.entries(part.properties)) {
      properties[name] = plain(property, () => {});
      // What has a default need not be sent.
      if (part.required?.includes(name) === true && !("default" in property)) required.push(name);
    }
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The parts of a request that a schema speaks of. */
export function partsOf({ params, querystring, body }: EndpointSchema): readonly TObject[] {
  return [params, querystring, body].filter((part) => part !== undefined);
}

/** What a tool gives: the endpoint's answer, with the resources that it refers to beside it. */
export function outputSchemaOf({ response }: EndpointSchema): ObjectSchema {
  const definitions: Record<string, unknown> = {};
  const onRef = (name: string) => {
    if (name in definitions) return;
    // Held open while its own references are followed.
    definitions[name] = {};
    definitions[name] = plain(resourceNamed(name), onRef);
  };
  const root = plain(resolved(response), onRef);
  return {
    ...root,
    type: "object",
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

/** The schema itself where another one only names it. */
function resolved(schema: object): object {
  return "$ref" in schema ? resourceNamed(nameIn(schema.$ref)) : schema;
}

function nameIn(ref: unknown): string {
  return String(ref).replace(/#$/, "");
}

function resourceNamed(name: string): object {
  const found = NAMED_SCHEMAS.find((schema) => "$id" in schema && schema.$id === name);
  if (found === undefined) throw new Error(`no resource has the name ${name}`);
  return found;
}

/** A schema without words of our own, its references into the same document. */
function plain(schema: object, onRef: (name: string) => void): object {
  const text = JSON.stringify(schema, (word, value: unknown) => {
    if (word === "$id" || word.startsWith("x-")) return undefined;
    if (word !== "$ref") return value;
    const name = nameIn(value);
    onRef(name);
    return `#/$defs/${name}`;
  });
  return JSON.parse(text);
}
