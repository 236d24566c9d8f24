/** What the service says of a VAT number, beside a company and alone. Absent is what is not known, as everywhere. */
import { type Static, Type } from "typebox";

export type VatStatus = "validated" | "stale" | "malformed" | "unvalidated";

const checksumValidSchema = Type.Boolean({
  description: "Whether the form and the national checksum are right: well formed, never that it exists.",
  examples: [true],
});
const validatedAtSchema = Type.String({
  description: "When VIES said so, by its own clock, ISO 8601 UTC.",
  examples: ["2026-11-21T12:00:00.000Z"],
});
const ageSecondsSchema = Type.Integer({
  minimum: 0,
  description: "Seconds since validatedAt; of a stale verdict only.",
});

export const VatSchema = Type.Object(
  {
    number: Type.String({ description: "The VAT number, normalised.", examples: ["NL123456782B01"] }),
    valid: Type.Optional(
      Type.Boolean({
        description:
          "VIES's word; absent when unvalidated, as nobody knows. `false` of a number with origin `rsin` says nothing of the company: it may be in a fiscal unit, whose number is another, or not liable for VAT.",
        examples: [true],
      }),
    ),
    status: Type.Unsafe<VatStatus>({
      type: "string",
      enum: ["validated", "stale", "malformed", "unvalidated"],
      description:
        "`validated`: VIES's word of now; `stale`: an earlier one, as VIES has none now; `malformed`: the rules refuse it; `unvalidated`: VIES has no word and none is held.",
      examples: ["validated"],
    }),
    validatedAt: Type.Optional(validatedAtSchema),
    checksumValid: checksumValidSchema,
    ageSeconds: Type.Optional(ageSecondsSchema),
    origin: Type.Unsafe<"registry" | "rsin">({
      type: "string",
      enum: ["registry", "rsin"],
      description:
        "`registry`: the registry gave the number; `rsin`: derived as NL + RSIN + B01, the number of a legal person that is in no fiscal unit.",
      examples: ["rsin"],
    }),
  },
  {
    additionalProperties: false,
    $id: "Vat",
    title: "Vat",
    description: "The VAT number of a company and what VIES says of it.",
  },
);
export type Vat = Static<typeof VatSchema>;

export const VatValidationSchema = Type.Object(
  {
    vatNumber: Type.String({
      description: "The number, normalised: country code first, no separators.",
      examples: ["NL123456782B01"],
    }),
    valid: Type.Boolean({ description: "VIES's word; false when malformed.", examples: [true] }),
    name: Type.Optional(
      Type.String({
        description: "Who the number belongs to; absent where VIES withholds it.",
        examples: ["BAKKERIJ DE GOUDEN KORENAAR B.V."],
      }),
    ),
    address: Type.Optional(
      Type.String({
        description: "The address as one line; absent where VIES withholds it.",
        examples: ["KORENMOLENLAAN 17M, 1012AB AMSTERDAM"],
      }),
    ),
    validatedAt: Type.Optional(validatedAtSchema),
    status: Type.Unsafe<Exclude<VatStatus, "unvalidated">>({
      type: "string",
      enum: ["validated", "stale", "malformed"],
      description:
        "`validated`: VIES's word of now, or a fresh one; `stale`: an earlier one, as VIES has none now; `malformed`: the rules refuse it, VIES was not asked.",
      examples: ["validated"],
    }),
    checksumValid: checksumValidSchema,
    ageSeconds: Type.Optional(ageSecondsSchema),
    consultationNumber: Type.Optional(
      Type.String({
        description: "VIES's proof of this consultation; only with `requester`.",
        examples: ["WAPIAAAAaEDkvhHx"],
      }),
    ),
  },
  {
    additionalProperties: false,
    $id: "VatValidation",
    title: "VatValidation",
    description: "What is known of a VAT number.",
  },
);
export type VatValidation = Static<typeof VatValidationSchema>;
