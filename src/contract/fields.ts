/** Builders of the schemas in this folder. Objects take no further properties. */
import { type TProperties, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const exampleOf = (example: unknown) => (example === undefined ? {} : { examples: [example] });

export const object = <P extends TProperties>(description: string, properties: P) =>
  Type.Object(properties, { ...closed, description });

/** A list of objects. */
export const rows = <P extends TProperties>(description: string, properties: P) =>
  Type.Array(Type.Object(properties, closed), { description });

/** An object that the OpenAPI document refers to by name. */
export const resource = <P extends TProperties>(
  name: string,
  description: string,
  properties: P,
  options: { readonly minProperties?: number } = {},
) => Type.Object(properties, { ...closed, ...options, $id: name, title: name, description });

export const text = (description: string, example?: string) =>
  Type.String({ description, ...exampleOf(example) });

export const textOfForm = (pattern: string, description: string, example: string, ...more: string[]) =>
  Type.String({ pattern, description, examples: [example, ...more] });

export const texts = (description: string, example?: readonly string[]) =>
  Type.Array(Type.String(), { description, ...exampleOf(example) });

export const count = (description: string, example?: number) =>
  Type.Integer({ minimum: 0, description, ...exampleOf(example) });

export const flag = (description: string, example?: boolean) =>
  Type.Boolean({ description, ...exampleOf(example) });

/** One of several words. */
export const word = <const T extends string>(
  words: readonly [T, ...T[]],
  description: string,
  example: T = words[0],
) => Type.Unsafe<T>({ type: "string", enum: [...words], description, examples: [example] });

const DAY_PATTERN = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$";

export const date = (description: string, example: string) => textOfForm(DAY_PATTERN, description, example);

/** A day in UTC. */
export const day = (description: string) => date(`${description} YYYY-MM-DD, UTC.`, "2026-11-21");

export const moment = (description: string, example?: string) =>
  text(`${description} ISO 8601 UTC.`, example);
