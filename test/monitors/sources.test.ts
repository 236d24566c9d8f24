import { expect, it } from "vitest";
import type { CompanyFacts } from "../../src/company/facts.ts";
import { COLUMN_NAMES } from "../../src/company/table/columns.ts";
import { USUAL_CHANGE_TYPES } from "../../src/contract/eventTypes.ts";
import { parseJsonLine } from "../../src/import/jsonl.ts";
import { FIELDS, typeOf } from "../../src/monitors/differences.ts";
import { notReported, reportsOf } from "../../src/monitors/sources.ts";
import type { WatchedFields } from "../../src/monitors/types.ts";
import { watchedFields } from "../../src/monitors/watchedFields.ts";
import { factsOf as gleifFacts } from "../kit/gleif.ts";
import { profile, factsOf as profileFacts } from "../kit/kvkProfile.ts";
import { factsOf as tableFacts } from "../kit/table.ts";

/** The types of changes that can be seen in these fields. */
function typesIn(fields: WatchedFields): readonly string[] {
  const present = FIELDS.filter((field) => fields[field] !== undefined).map(typeOf);
  const ofStatus = fields.isActive === undefined ? [] : ["company.deregistered", "company.reactivated"];
  return [...new Set([...present, ...ofStatus])].sort();
}

const inTable = () => {
  const columns = Object.keys(COLUMN_NAMES);
  const values: Readonly<Record<string, string>> = {
    ...{
      kvkNumber: "50000012",
      name: "Fabel B.V.",
      street: "Korenlaan",
      houseNumber: "1",
      city: "Rommeldam",
    },
    ...{ legalForm: "BV", activities: "1071", isActive: "ja", branchCount: "2", tradingNames: "Fabel" },
    lei: "99990050000012MO0192",
  };
  return tableFacts(columns.join(";"), columns.map((name) => values[name] ?? "").join(";"));
};

const inJson = (): CompanyFacts => {
  const branches = [{ branchNumber: "000050000012", name: "Fabel", isMain: true, isActive: true }];
  const line = { kvkNumber: "50000012", name: "Fabel", isActive: true, legalForm: "BV", branches };
  const address = { city: "Rommeldam" };
  const identifiers = { lei: "99990050000012MO0192" };
  const parsed = parseJsonLine(JSON.stringify({ ...line, address, identifiers, activities: [] }));
  if ("reason" in parsed) throw new Error(parsed.reason);
  return parsed.facts;
};

const VESTIGINGEN = { kvkNummer: "50000012", vestigingen: [] };
const SOURCES: readonly [source: string, fields: () => WatchedFields | Promise<WatchedFields>][] = [
  ["gleif", async () => watchedFields(await gleifFacts({}))],
  ["import:klanten", async () => watchedFields(await inTable())],
  ["import:jsonl", () => watchedFields(inJson())],
  ["demo", () => watchedFields(inJson())],
  ["kvk-api", () => watchedFields(profileFacts(profile, VESTIGINGEN))],
  ["kvk-open-data", () => ({ activities: [], insolvency: "none", isActive: true })],
  ["court-register", () => ({ insolvency: "none" })],
];

it.each(SOURCES)("of %s shows the changes of the fields that its data can have", async (source, fields) => {
  expect(reportsOf(source).toSorted()).toEqual(typesIn(await fields()));
});

it("leaves over the types that no source shows, all of them without a source", () => {
  const [gleif, openData] = ["gleif", "kvk-open-data"].map((source) => ({
    source,
    reports: reportsOf(source),
  }));
  if (gleif === undefined || openData === undefined) throw new Error("there is no source");
  expect(notReported([])).toEqual(USUAL_CHANGE_TYPES);
  expect(notReported([gleif], ["company.insolvency_changed", "company.moved"])).toEqual([
    "company.insolvency_changed",
  ]);
  expect(notReported([gleif, openData])).toEqual(["company.branches_changed"]);
  expect(notReported([openData], [])).toEqual([]);
});
