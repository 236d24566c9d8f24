/** The parts of the monitors screen without a browser: the words for changes, and lists of numbers. */
import { describe, expect, it } from "vitest";
import { Failure } from "../../dashboard/src/api/failure.ts";
import type { AddedMonitors } from "../../dashboard/src/api/monitors.ts";
import { formatsOf } from "../../dashboard/src/language/formats.ts";
import { changedFields, changeTexts } from "../../dashboard/src/pages/monitors/changeTexts.ts";
import { addInCalls, type Progress } from "../../dashboard/src/pages/monitors/numberList.ts";
import { EVENT_TYPE_INFO } from "../../src/contract/eventTypes.ts";
import { EVENT_TYPES, INSOLVENCY_TYPES, MONITOR_BOUNDS } from "../../src/contract/monitors.ts";
import { rowsOfEvent } from "../../src/http/account/routes/monitors.ts";

/** The example of each type in English and Dutch: field, value before, value now. */
const WORDS: Readonly<Record<string, readonly [en: readonly string[], nl: readonly string[]]>> = {
  "company.renamed": [
    ["Name: Test Oude Naam B.V. → Test Nieuwe Naam B.V."],
    ["Naam: Test Oude Naam B.V. → Test Nieuwe Naam B.V."],
  ],
  "company.moved": [
    ["Address: Proefstraat 1, 1234 AB Teststad → Deegplein 2-B, 1235 AC Proefdorp"],
    ["Adres: Proefstraat 1, 1234 AB Teststad → Deegplein 2-B, 1235 AC Proefdorp"],
  ],
  "company.legal_form_changed": [
    ["Legal form: general partnership (V.O.F.) → private limited company (B.V.)"],
    ["Rechtsvorm: vennootschap onder firma (V.O.F.) → besloten vennootschap (B.V.)"],
  ],
  "company.activities_changed": [
    [
      "Activities: 10710 · Vervaardiging van brood en vers banketbakkerswerk (main activity) → 10710 · Vervaardiging van brood en vers banketbakkerswerk (main activity) | 56210 · Eventcatering",
    ],
    [
      "Activiteiten: 10710 · Vervaardiging van brood en vers banketbakkerswerk (hoofdactiviteit) → 10710 · Vervaardiging van brood en vers banketbakkerswerk (hoofdactiviteit) | 56210 · Eventcatering",
    ],
  ],
  "company.branches_changed": [
    ["Number of branches: 1 → 2", "Branches:  → Testbakkerij De Proef · Teststad · 999900000301"],
    ["Aantal vestigingen: 1 → 2", "Vestigingen:  → Testbakkerij De Proef · Teststad · 999900000301"],
  ],
  "company.deregistered": [
    ["Status: Active → Deregistered", "Date of deregistration:  → 31 October 2026"],
    ["Status: Actief → Uitgeschreven", "Datum van uitschrijving:  → 31 oktober 2026"],
  ],
  "company.reactivated": [
    ["Status: Deregistered → Active", "Date of deregistration: 31 October 2026 → "],
    ["Status: Uitgeschreven → Actief", "Datum van uitschrijving: 31 oktober 2026 → "],
  ],
  "company.insolvency_changed": [["Insolvency: None → Bankruptcy"], ["Insolventie: Geen → Faillissement"]],
  "monitor.ended": [[], []],
  "monitor.test": [[], []],
};

describe.each(EVENT_TYPES)("a change of type %s", (type) => {
  it.each([
    ["en", 0],
    ["nl", 1],
  ] as const)("is shown in words in %s", (language, nth) => {
    const fields = changedFields(EVENT_TYPE_INFO[type].example, language, formatsOf(language));
    const lines = fields.map(
      ({ field, previous, current }) => `${field}: ${previous.join(" | ")} → ${current.join(" | ")}`,
    );
    expect(lines).toEqual(WORDS[type]?.[nth]);
  });
});

describe("words for changes", () => {
  it("exist for each insolvency, and fall back to the code and the field that they do not know", () => {
    for (const type of INSOLVENCY_TYPES) expect(Object.keys(changeTexts.nl.codes)).toContain(type);
    const changes = { insolvency: { current: "later" }, later: { previous: "x" } };
    expect(changedFields(changes, "en", formatsOf("en"))).toEqual([
      { field: "Insolvency", previous: [], current: ["later"] },
      { field: "later", previous: ["x"], current: [] },
    ]);
  });

  it("show only the parts of an address that are not shielded", () => {
    const address = { city: "Teststad", country: "NL", isShielded: true };
    const changes = { address: { previous: address, current: {} } };
    expect(changedFields(changes, "en", formatsOf("en"))).toEqual([
      { field: "Address", previous: ["Teststad"], current: [] },
    ]);
  });
});

describe("an event in a spreadsheet", () => {
  const event = { sequence: 1, id: "evt_1", observedAtMs: Date.UTC(2026, 10, 21) } as const;
  it("has a row for each changed field, in the words of the API", () => {
    const { example: changes } = EVENT_TYPE_INFO["company.deregistered"];
    const source = { origin: "import:fabel", asOfMs: Date.UTC(2026, 10, 20) };
    expect(
      rowsOfEvent({ ...event, type: "company.deregistered", changes, source, metadata: { name: "Fabel" } }),
    ).toBe(
      [
        "2026-11-21T00:00:00.000Z,company.deregistered,,Fabel,isActive,true,false,import:fabel,2026-11-20T00:00:00.000Z,evt_1",
        "2026-11-21T00:00:00.000Z,company.deregistered,,Fabel,deregistrationDate,,2026-10-31,import:fabel,2026-11-20T00:00:00.000Z,evt_1",
        "",
      ].join("\r\n"),
    );
  });

  it("has one row if it reports no change", () => {
    expect(rowsOfEvent({ ...event, type: "monitor.test", changes: {} })).toBe(
      "2026-11-21T00:00:00.000Z,monitor.test,,,,,,,,evt_1\r\n",
    );
  });
});

describe("a list of numbers", () => {
  const numbers = Array.from({ length: 250 }, (_, nth) => String(50_000_000 + nth));
  const added: AddedMonitors = { results: [], failed: [] };

  it("is added in calls of a hundred, waiting where the service asks to", async () => {
    const calls: number[] = [];
    const waits: number[] = [];
    const progress: Progress[] = [];
    await addInCalls(
      numbers,
      async (part) => {
        calls.push(part.length);
        if (calls.length === 2) throw new Failure("RATE_LIMIT_EXCEEDED", 429, "", { retryAfterSeconds: 30 });
        if (calls.length === 3) throw new Failure("UNREACHABLE", 0, "");
        return added;
      },
      (now) => progress.push(now),
      async (ms) => void waits.push(ms),
    );
    expect(calls).toEqual([100, 100, 100, 100, 50]);
    expect(waits).toEqual([30_000, 4_000]);
    expect(progress.map(({ done }) => done)).toEqual([MONITOR_BOUNDS.maxNumbers, 200, 250]);
  });

  it.each([
    ["FORBIDDEN", 403, 1],
    ["SERVICE_UNAVAILABLE", 503, 5],
  ] as const)("stops at %s", async (code, status, calls) => {
    let count = 0;
    const add = async () => {
      count += 1;
      throw new Failure(code, status, "");
    };
    await expect(
      addInCalls(
        numbers,
        add,
        () => {},
        async () => {},
      ),
    ).rejects.toMatchObject({ code });
    expect(count).toBe(calls);
  });
});
