import { expect, it } from "vitest";
import { courtCase, WatchedCourt } from "../../test/kit/watchedCourt.ts";
import type { LegalForm } from "../contract/legalForms.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { seenInCourt } from "./courtFacts.ts";

const KVK = "50000001" as KvkNumber;
const PERSONAL = { isLegalPerson: false };

it.each<[name: string, legalForm: LegalForm | undefined, isPersonal: boolean, type: string | undefined]>([
  ["a company's own case", "BV", false, "bankruptcy"],
  ["a partnership's own case", "VOF", false, "bankruptcy"],
  ["the case of a person who names a company's number", "BV", true, undefined],
  ["the case of a partner", "VOF", true, undefined],
  ["a sole trader's own case", "EMZ", true, "bankruptcy"],
  ["the case of a company that names a sole trader's number", "EMZ", false, undefined],
  ["a case of a company of unknown form", undefined, true, "bankruptcy"],
])("monitors compare the insolvency of %s", (_name, legalForm, isPersonal, type) => {
  const court = new WatchedCourt();
  court.list("2026-11-05", courtCase(KVK, isPersonal ? PERSONAL : {}));
  const fields = { name: "Fabel", ...(legalForm && { legalForm }) };
  const seen = seenInCourt(court, KVK, [], [{ origin: "import:kvk", asOfMs: 1, fields }]);
  expect(seen.map((one) => one.fields.insolvency)).toEqual(type === undefined ? [] : [type]);
});

it("monitors never report the end of a person's case as that of the company whose number it names", () => {
  const court = new WatchedCourt();
  court.list("2026-11-05", courtCase(KVK, { ...PERSONAL, endedOn: "2026-11-04" }));
  const others = [
    { origin: "import:kvk", asOfMs: 1, fields: { name: "Fabel B.V.", legalForm: "BV" } } as const,
  ];
  expect(seenInCourt(court, KVK, [], others).map(({ fields }) => fields)).toEqual([{ insolvency: "none" }]);
});
