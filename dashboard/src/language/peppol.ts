import type { Peppol, PeppolStatus } from "../../../src/contract/peppol.ts";
import { bilingual, type Language, type Pair } from "./bilingual.ts";
import type { Formats } from "./formats.ts";

export const peppolTexts = bilingual({
  statuses: {
    reachable: ["Can receive e-invoices", "Kan e-facturen ontvangen"],
    cannot_receive_invoices: [
      "On Peppol, but can’t receive invoices",
      "Staat op Peppol, maar kan geen facturen ontvangen",
    ],
    not_registered: ["Not found on Peppol", "Niet gevonden op Peppol"],
  } satisfies Record<PeppolStatus, Pair>,
  documents: {
    invoice: ["invoices", "facturen"],
    credit_note: ["credit notes", "creditnota’s"],
    other: ["other documents", "andere documenten"],
  },
  receives: (documents: string) => [`Receives ${documents}`, `Ontvangt ${documents}`],
  numbers: { "0106": ["KVK number", "KVK-nummer"], "9944": ["VAT number", "btw-nummer"] },
  asked: (numbers: string) => [
    `Searched by ${numbers}. It may be on Peppol under another number.`,
    `Gezocht op ${numbers}. Onder een ander nummer kan het bedrijf wel op Peppol staan.`,
  ],
  participant: (id: string) => [`Peppol ID ${id}`, `Peppol-ID ${id}`],
  accessPoint: (host: string) => [`Access point ${host}`, `Toegangspunt ${host}`],
  checked: (day: string) => [`Checked on ${day}`, `Gecontroleerd op ${day}`],
  stale: (day: string, age: string) => [
    `Peppol isn’t answering right now; this is its answer of ${day}, ${age} ago.`,
    `Peppol antwoordt nu niet; dit is het antwoord van ${day}, ${age} geleden.`,
  ],
});

/** Returns the kinds of documents that a company receives, each once, in words. */
export function documentsIn(receives: readonly string[], language: Language): string {
  const { documents } = peppolTexts[language];
  const names: Readonly<Record<string, string>> = documents;
  return [...new Set(receives.map((code) => names[code] ?? documents.other))].join(", ");
}

/** Returns an answer of Peppol in words, a line for each part. */
export function peppolLines(
  { status, participantId, asked, receives = [], accessPoint, checkedAt, ageSeconds }: Peppol,
  language: Language,
  { day, duration }: Pick<Formats, "day" | "duration">,
): readonly string[] {
  const t = peppolTexts[language];
  const names: Readonly<Record<string, string>> = t.numbers;
  const numbers = asked.map((id) => names[id.split(":")[0] ?? ""] ?? id).join(", ");
  return [
    t.statuses[status],
    receives.length === 0 ? "" : t.receives(documentsIn(receives, language)),
    status === "not_registered" ? t.asked(numbers) : "",
    participantId === undefined ? "" : t.participant(participantId),
    accessPoint === undefined ? "" : t.accessPoint(accessPoint),
    ageSeconds === undefined ? t.checked(day(checkedAt)) : t.stale(day(checkedAt), duration(ageSeconds)),
  ].filter(Boolean);
}
