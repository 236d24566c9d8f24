import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import { type TSchema, Type } from "typebox";
import { ERROR_CODES, type ErrorCode } from "../contract/errors.ts";
import { RESOURCES } from "../contract/resources.ts";

const ErrorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Unsafe<ErrorCode>({
          type: "string",
          enum: [...ERROR_CODES],
          description: "The error code, for programs.",
          examples: ["NOT_FOUND"],
        }),
        message: Type.String({
          description: "The problem and the remedy, for people.",
          examples: ["no company with KVK number 00000001 is known here"],
        }),
      },
      { description: "The error." },
    ),
  },
  { $id: "Error", title: "Error", description: "The body of every error." },
);

/** The named schemas of the API document. */
export const NAMED_SCHEMAS: readonly TSchema[] = [...RESOURCES, ErrorSchema];

const compile = SerializerSelector()(
  Object.fromEntries(NAMED_SCHEMAS.map((schema) => [String(Object(schema).$id), schema])),
  {},
);

/**
 * Returns a function that serialises bodies by a schema. The serialiser is compiled on first use: compiling all of them
 * takes a fifth of a start, and most are for errors that never occur.
 */
export function writerOf(schema: unknown): (body: unknown) => string {
  let write: ((body: unknown) => string) | undefined;
  return (body) => {
    // The compiler only reads the schema.
    write ??= compile({ schema, method: "", url: "", httpStatus: "" });
    return write(body);
  };
}
