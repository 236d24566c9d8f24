import type { Insolvency } from "../../../src/contract/insolvency.ts";
import { bilingual, type Language } from "./bilingual.ts";
import type { Formats } from "./formats.ts";
import { sourceName } from "./sources.ts";

export const insolvencyTexts = bilingual({
  types: {
    none: ["None known", "Niet bekend"],
    bankruptcy: ["Bankruptcy", "Faillissement"],
    suspension_of_payments: ["Suspension of payments", "Surseance van betaling"],
    debt_restructuring: ["Debt restructuring", "Schuldsanering"],
  },
  declared: {
    bankruptcy: (day: string) => [`Declared bankrupt on ${day}`, `Faillissement uitgesproken op ${day}`],
    suspension_of_payments: (day: string) => [
      `Suspension of payments granted on ${day}`,
      `Surseance van betaling verleend op ${day}`,
    ],
    debt_restructuring: (day: string) => [
      `Debt restructuring ordered on ${day}`,
      `Schuldsanering uitgesproken op ${day}`,
    ],
  },
  noneAtCourt: (day: string) => [
    `No insolvency known to the court on ${day}`,
    `Geen insolventie bekend bij de rechtbank op ${day}`,
  ],
  noneAtKvk: (day: string) => [
    `No insolvency known to KVK on ${day}`,
    `Geen insolventie bekend bij KVK op ${day}`,
  ],
  earlier: ["Earlier insolvency", "Eerdere insolventie"],
  since: (day: string) => [`since ${day}`, `sinds ${day}`],
  ended: (day: string) => [`ended on ${day}`, `beëindigd op ${day}`],
  caseNumber: (number: string) => [`case ${number}`, `insolventienummer ${number}`],
  curator: (person: string) => [`Trustee: ${person}`, `Curator: ${person}`],
  administrator: (person: string) => [`Administrator: ${person}`, `Bewindvoerder: ${person}`],
  byName: [
    "Found by name and address; the court states no KVK number.",
    "Gevonden op naam en adres; de rechtbank vermeldt geen KVK-nummer.",
  ],
  asOf: (source: string, day: string) => [`${source}, as of ${day}`, `${source}, peildatum ${day}`],
});

/** Returns an insolvency in words, a line for each part. */
export function insolvencyLines(
  { type, since, endedOn, court, caseNumber, curators = [], matchedBy, ...seen }: Insolvency,
  language: Language,
  { day }: Pick<Formats, "day">,
): readonly string[] {
  const t = insolvencyTexts[language];
  const observed = day(seen.observedAt);
  const person = type === "bankruptcy" ? t.curator : t.administrator;
  const dates = [since && t.since(day(since)), endedOn && t.ended(day(endedOn))].filter(Boolean).join(", ");
  const none = seen.source === "court-register" ? t.noneAtCourt : t.noneAtKvk;
  const lines = [
    ...(type === "none"
      ? [none(observed), endedOn && `${t.earlier}: ${dates}`]
      : [since === undefined ? t.types[type] : t.declared[type](day(since))]),
    [court, caseNumber && t.caseNumber(caseNumber)].filter(Boolean).join(", "),
    ...curators.map(({ name, city, phone }) => person([name, city, phone].filter(Boolean).join(", "))),
    matchedBy && t.byName,
    t.asOf(sourceName(seen.source, language), observed),
  ];
  return lines.filter((line): line is string => line !== undefined && line !== "");
}
