/** The identifiers of a company in other registers: its EUID and its LEI. */
import { type Static, Type } from "typebox";
import { date, resource, textOfForm, word } from "./fields.ts";
import { EUID_PATTERN, LEI_PATTERN, RSIN_PATTERN } from "./numbers.ts";

/** The statuses of an LEI by GLEIF, except those of withdrawn records. */
export const LEI_STATUSES = [
  "issued",
  "lapsed",
  "retired",
  "merged",
  "transferred",
  "pending_transfer",
  "pending_archival",
] as const;
export type LeiStatus = (typeof LEI_STATUSES)[number];

export function isLeiStatus(text: string): text is LeiStatus {
  return LEI_STATUSES.some((status) => status === text);
}

const leiFields = {
  lei: Type.Optional(textOfForm(LEI_PATTERN, "LEI (ISO 17442), where known.", "99990051234567AB1209")),
  leiStatus: Type.Optional(
    word(
      LEI_STATUSES,
      "Status of the LEI by GLEIF. `lapsed`: it was not renewed, which says nothing about the company.",
    ),
  ),
  leiRenewalDue: Type.Optional(date("The day by which the LEI must be renewed.", "2027-03-14")),
};

export const IdentifiersSchema = resource(
  "Identifiers",
  "The company's numbers in other registers. The LEI comes from one origin, as a whole.",
  {
    euid: textOfForm(
      EUID_PATTERN,
      "European unique identifier: `NLNHR.` and the KVK number.",
      "NLNHR.51234567",
    ),
    ...leiFields,
    rsin: Type.Optional(textOfForm(RSIN_PATTERN, "RSIN of a legal person, as above.", "912345603")),
  },
);
export type Identifiers = Static<typeof IdentifiersSchema>;

/** The LEI of a company as one origin states it. */
export type LeiFacts = Pick<Identifiers, keyof typeof leiFields>;
/** Identifiers in a file, where the ones that other facts contain may be absent. */
export const StatedIdentifiersSchema = Type.Partial(IdentifiersSchema, { additionalProperties: false });

/** The fields of an LEI, as the columns of a table have them. */
export const LEI_FIELDS = [
  "lei",
  "leiStatus",
  "leiRenewalDue",
] as const satisfies readonly (keyof LeiFacts)[];
