/** Where what is told of a company comes from. */
import { type Static, Type } from "typebox";
import type { VatStatus } from "./vatResources.ts";

export const SourceSchema = Type.Object(
  {
    kvk: Type.String({
      description: "Where the company comes from: `kvk-api`, `gleif`, `import:<name>` or `demo`.",
      examples: ["demo"],
    }),
    vies: Type.Optional(
      Type.Unsafe<VatStatus>({
        type: "string",
        enum: ["validated", "stale", "malformed", "unvalidated"],
        description:
          "Where the verdict on the VAT number comes from: there exactly when `vat` is, and the same as its status.",
        examples: ["validated"],
      }),
    ),
    cachedAt: Type.String({
      description: "The date of the data, ISO 8601 in UTC.",
      examples: ["2026-01-01T00:00:00.000Z"],
    }),
  },
  {
    additionalProperties: false,
    $id: "Source",
    title: "Source",
    description: "Where the data comes from and how old it is.",
  },
);
export type Source = Static<typeof SourceSchema>;
