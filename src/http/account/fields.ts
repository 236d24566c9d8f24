import { Type } from "typebox";

/** Longer than any accepted secret; limits the work for rejected ones. */
const MAX_SECRET_LENGTH = 1_024;

export const EmailField = Type.String({
  maxLength: 320,
  description: "An e-mail address.",
  // People sometimes type their password here.
  "x-secret": true,
  "x-rule": "an e-mail address",
});

/** A text that error messages never repeat. */
export const secretField = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: MAX_SECRET_LENGTH,
    description,
    "x-secret": true,
    "x-rule": `text of 1 to ${MAX_SECRET_LENGTH} characters`,
  });

/** The body for confirming a mailed link. */
export const LinkBody = Type.Object({
  token: secretField("The token in the link."),
  password: secretField("The account's password, or the new one."),
});

/** A two-factor code of a device, or a recovery code. */
export const CodeField = Type.String({
  maxLength: 64,
  description: "A code from the device, or a recovery code.",
  "x-secret": true,
  "x-rule": "a code of six digits, or a recovery code",
});

export const TierField = Type.String({ maxLength: 64, description: "The plan." });

/** The number of a page, from 1. */
export const pageField = (maximum: number) =>
  Type.Integer({ minimum: 1, maximum, default: 1, description: "Which page." });

/** Returns the range of rows of a page. */
export function pageOf(page: number, pageSize: number): { readonly offset: number; readonly limit: number } {
  return { offset: (page - 1) * pageSize, limit: pageSize };
}

/** The id in a path. */
export const IdParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: "The id." }),
});
