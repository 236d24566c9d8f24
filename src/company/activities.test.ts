import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../test/kit/needs.ts";
import { SBI_VERSIONS, type SbiVersion } from "../contract/activities.ts";
import { parseSbiCode } from "../contract/numbers.ts";
import { describedActivity, versionOf } from "./activities.ts";
import { findActivities } from "./findActivities.ts";
import { sbiCodes } from "./sbi.ts";

const at = (origin: string, day: string) => ({ origin, asOfMs: Date.parse(day) });
const KVK_BEFORE = at("kvk-api", "2025-09-04");
const KVK_AFTER = at("kvk-open-data", "2025-09-08");
const IMPORT_BEFORE = at("import:lijst", "2024-01-01");
const IMPORT_AFTER = at("import:lijst", "2026-01-01");

const all = [...sbiCodes().values()].filter(({ sbiCode }) => sbiCode.length > 2);
const versionsOf = ({ texts }: (typeof all)[number]) => SBI_VERSIONS.filter((version) => texts[version]);

describe("the version of each code of the lists", () => {
  it("is the only one that has it, whatever the date", () => {
    const single = all.filter((entry) => versionsOf(entry).length === 1);
    expect(single.length).toBeGreaterThan(1_000);
    for (const source of [undefined, KVK_BEFORE, KVK_AFTER, IMPORT_BEFORE, IMPORT_AFTER]) {
      const wrong = single.filter((entry) => versionOf(entry, source) !== versionsOf(entry)[0]);
      expect(wrong).toEqual([]);
    }
  });

  it("is decided by the date if both have it, for an import only before the change", () => {
    const shared = all.filter((entry) => versionsOf(entry).length === 2);
    expect(shared.length).toBeGreaterThan(900);
    for (const entry of shared) {
      if (entry.sbiCode.length === 4) {
        // SBI 2025 has it as a group only.
        expect(versionOf(entry, KVK_AFTER), entry.sbiCode).toBe("2008");
        continue;
      }
      expect(versionOf(entry), entry.sbiCode).toBeUndefined();
      expect(versionOf(entry, KVK_BEFORE), entry.sbiCode).toBe("2008");
      expect(versionOf(entry, KVK_AFTER), entry.sbiCode).toBe("2025");
      expect(versionOf(entry, IMPORT_BEFORE), entry.sbiCode).toBe("2008");
      expect(versionOf(entry, IMPORT_AFTER), entry.sbiCode).toBeUndefined();
    }
  });

  const plain = (text = "") =>
    text
      .normalize("NFD")
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "");

  it("is decided by a description that only one version has, before the date", () => {
    for (const { sbiCode, texts } of all) {
      for (const version of SBI_VERSIONS) {
        const description = texts[version]?.toUpperCase();
        if (description === undefined || plain(texts["2008"]) === plain(texts["2025"])) continue;
        expect(versionOf({ sbiCode, description }, KVK_AFTER), `${sbiCode} ${description}`).toBe(version);
      }
    }
  });

  it("has its description if the source gives none", () => {
    for (const entry of all) {
      for (const sbiVersion of versionsOf(entry)) {
        const { sbiCode } = entry;
        const description = entry.texts[sbiVersion];
        expect(describedActivity({ sbiCode, sbiVersion, isMain: true })).toEqual({
          ...{ sbiCode, sbiVersion, description, isMain: true },
        });
      }
    }
    const given = { sbiCode: "10710", sbiVersion: "2025", description: "Brood", isMain: true } as const;
    expect(describedActivity(given)).toEqual(given);
    expect(describedActivity({ sbiCode: "01241", isMain: true })).toEqual({ sbiCode: "01241", isMain: true });
  });
});

it.each<[text: string, description: string | undefined, expected: SbiVersion | undefined]>([
  ["10.71", undefined, "2008"],
  ["10.71.0", undefined, "2025"],
  ["107100", undefined, "2025"],
  ["1.24.1", undefined, undefined],
  ["1241", undefined, undefined],
  ["1110", undefined, "2025"],
  ["4724", undefined, "2008"],
  ["1011", "Verwerking en conservering van vlees, met uitzondering van vlees van gevogelte", "2025"],
  ["1011", "Slachterijen (geen pluimvee-)", "2008"],
  ["01.13.1", "Teelt van groenten in volle grond", "2008"],
  ["01131", "teelt van groenten in de volle grond", "2025"],
  ["01132", "Teelt van groenten onder glas", undefined],
  ["99999", undefined, undefined],
  ["99999", "Cateringdiensten op evenementen", "2025"],
  ["99999", "iets anders", undefined],
  ["62", undefined, undefined],
])("a code in a table, %s (%s), is of version %s", (text, description, expected) => {
  const sbiCode = parseSbiCode(text) ?? "";
  expect(versionOf({ sbiCode, ...(description !== undefined && { description }) }, IMPORT_AFTER)).toBe(
    expected,
  );
});

it("the change of KVK's codes decides nothing in the weekend in which it took place", () => {
  expect(versionOf({ sbiCode: "01241" }, at("kvk-api", "2025-09-06"))).toBeUndefined();
});

const LISTS = sharedPath("data/kvk/codelists");

describeWith(shared(LISTS), "the lists of codes", () => {
  it.each(SBI_VERSIONS)("hold every code of %s with its description", (version) => {
    const lines = readFileSync(`${LISTS}/sbi${version}.csv`, "utf8").split(/\r?\n/).slice(1);
    const published = lines
      .map((line) => line.split(",", 1)[0] ?? "")
      .filter((code) => /^[0-9]+$/.test(code));
    const held = [...sbiCodes().values()].filter(({ texts }) => texts[version]);
    expect(held.map(({ sbiCode }) => sbiCode).toSorted()).toEqual(published.toSorted());
    const texts = lines.join("\n");
    expect(held.filter((entry) => !texts.includes(entry.texts[version] ?? "?"))).toEqual([]);
  });
});

describe("codes by words", () => {
  const found = async (q: string, sbiVersion?: SbiVersion, limit = 50) =>
    (await findActivities(q, { sbiVersion, limit })).map((one) => `${one.sbiCode} ${one.sbiVersion}`);

  it.each<[q: string, expected: readonly string[]]>([
    ["bakkerij", ["46383 2025", "46384 2008", "10710 2025"]],
    ["BAKKERIJ", ["46384 2008"]],
    ["brood banket", ["10710 2025", "1071 2008"]],
    ["bakery", ["10710 2025"]],
    ["huisarts", ["86210 2025", "8621 2008"]],
    ["eventcatering", ["5621 2008"]],
    ["teelt groenten glas", ["01132 2025", "01132 2008"]],
    ["café", ["5630 2008"]],
    ["cafe", ["5630 2008"]],
    ["software uitgev", ["58290 2025", "5829 2008"]],
    ["10.71", ["10710 2025", "1071 2008"]],
    ["1071", ["10710 2025", "1071 2008"]],
    ["01", ["01110 2025"]],
  ])("finds %s", async (q, expected) => {
    expect(await found(q)).toEqual(expect.arrayContaining([...expected]));
  });

  it.each(["...", "  ", "%%", "qqqq", "bakkerij qqqq", "999999", "\u0000\u0000", "((((", "\ud800\ud800"])(
    "finds nothing for %j",
    async (q) => expect(await found(q)).toEqual([]),
  );

  it("puts whole words before beginnings, and codes of companies before those of groups", async () => {
    const brood = await findActivities("brood", { sbiVersion: undefined, limit: 50 });
    const isWhole = brood.map(({ description }) => /\bbrood\b/i.test(description));
    expect(isWhole.indexOf(false) === -1 ? [] : isWhole.slice(isWhole.indexOf(false))).not.toContain(true);
    expect(await found("1071", "2025")).toEqual(["10710 2025", "1071 2025"]);
    expect(await found("teelt", "2008", 3)).toHaveLength(3);
  });

  it("never takes long, whatever is asked", async () => {
    const words = Array.from({ length: 50 }, (_, nth) => String.fromCharCode(97 + (nth % 26))).join(" ");
    expect(await found(words)).toEqual([]);
  });
});
