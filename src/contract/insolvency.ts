/** The insolvency of a company, from the court's register or from KVK's open data. */
import { type Static, Type } from "typebox";
import { date, moment, resource, text, word } from "./fields.ts";

/** `none`: the source has no open case. */
export const INSOLVENCY_TYPES = [
  "none",
  "bankruptcy",
  "suspension_of_payments",
  "debt_restructuring",
] as const;
export type InsolvencyType = (typeof INSOLVENCY_TYPES)[number];

export const COURT_ORIGIN = "court-register";

export const CuratorSchema = resource("Curator", "The curator or administrator of a case, who is a person.", {
  name: text("Name, with title and initials as the court publishes it.", "mr. A. Fabel"),
  city: Type.Optional(text("City of the office, where known.", "Amsterdam")),
  phone: Type.Optional(text("Phone number of the office, where known.", "010-0000000")),
});
export type Curator = Static<typeof CuratorSchema>;

export const InsolvencySchema = resource(
  "Insolvency",
  "Whether a company is insolvent, by the court's register or by KVK's open data, which covers BVs and NVs. Absent when it is unknown. Not found under this number is no proof of solvency.",
  {
    type: word(
      INSOLVENCY_TYPES,
      "`none`: the source has no open case; with `endedOn`, a case has ended. It is not proof that the company can pay.",
    ),
    observedAt: moment("When the source returned it.", "2026-11-21T12:00:00.000Z"),
    source: text("`court-register` or `kvk-open-data`.", "court-register"),
    since: Type.Optional(
      date("The day of the ruling, or of its publication if the text has no date.", "2026-11-03"),
    ),
    endedOn: Type.Optional(date("The day on which the case ended.", "2026-11-20")),
    court: Type.Optional(text("The court.", "Rechtbank Midden-Nederland")),
    caseNumber: Type.Optional(text("The court's number of the case.", "F.16/26/100")),
    curators: Type.Optional(
      Type.Array(Type.Unsafe<Curator>({ $ref: "Curator#" }), {
        description: "The present curators or administrators.",
      }),
    ),
    matchedBy: Type.Optional(
      word(
        ["name"],
        "Present if the case has no KVK number: its whole name, postal code and house number are those of this company alone.",
      ),
    ),
  },
);
export type Insolvency = Static<typeof InsolvencySchema>;

/** The result of a list of kind `insolvency`. */
export interface InsolvencyResult {
  readonly kvkNumber: string;
  readonly name: string;
  /** Without curators. */
  readonly insolvency?: Insolvency;
}
