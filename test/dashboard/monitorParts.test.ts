/** The parts of the monitors screen without a browser: the words for changes, and lists of numbers. */
import { describe, expect, it } from "vitest";
import { Failure } from "../../dashboard/src/api/failure.ts";
import type { AddedMonitors } from "../../dashboard/src/api/monitors.ts";
import { csvText } from "../../dashboard/src/language/csv.ts";
import { formatsOf } from "../../dashboard/src/language/formats.ts";
import { sourceName } from "../../dashboard/src/language/sources.ts";
import { changedFields, changeTexts } from "../../dashboard/src/pages/monitors/changeTexts.ts";
import { chosenOf, nameOf } from "../../dashboard/src/pages/monitors/monitorList.ts";
import { addInCalls, type Progress } from "../../dashboard/src/pages/monitors/numberList.ts";
import { rowsOfEvents, rowsOfMonitors } from "../../dashboard/src/pages/monitors/tables.ts";
import { webhookFault } from "../../dashboard/src/pages/monitors/webhookFault.ts";
import { EVENT_TYPE_INFO, EVENT_TYPES } from "../../src/contract/eventTypes.ts";
import { INSOLVENCY_TYPES } from "../../src/contract/insolvency.ts";
import { MONITOR_BOUNDS, type Monitor } from "../../src/contract/monitors.ts";
import { webhookRefused } from "../../src/http/endpoints/monitors/resources.ts";
import { problemOfWebhook } from "../../src/webhooks/addresses.ts";

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
      "Activities: 10710 · Vervaardiging van brood en vers banketbakkerswerk · SBI 2025 (main activity) → 10710 · Vervaardiging van brood en vers banketbakkerswerk · SBI 2025 (main activity) | 56210 · Cateringdiensten op evenementen · SBI 2025",
    ],
    [
      "Activiteiten: 10710 · Vervaardiging van brood en vers banketbakkerswerk · SBI 2025 (hoofdactiviteit) → 10710 · Vervaardiging van brood en vers banketbakkerswerk · SBI 2025 (hoofdactiviteit) | 56210 · Cateringdiensten op evenementen · SBI 2025",
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
  "company.lei_changed": [
    ["LEI: 999900099990309TS154 · issued → 999900099990309TS154 · lapsed: not renewed"],
    ["LEI: 999900099990309TS154 · uitgegeven → 999900099990309TS154 · verlopen: niet verlengd"],
  ],
  "company.peppol_changed": [
    ["Peppol: Not found on Peppol → Can receive e-invoices"],
    ["Peppol: Niet gevonden op Peppol → Kan e-facturen ontvangen"],
  ],
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

  it("name the case of an insolvency with its court and dates, and say that it was removed", () => {
    const court = "Rechtbank Den Haag";
    const previous = { caseNumber: "F.09/26/7", court, since: "2026-11-03" };
    const ended = { insolvencyCase: { previous, current: { ...previous, endedOn: "2026-11-20" } } };
    expect(changedFields(ended, "nl", formatsOf("nl"))).toEqual([
      {
        field: "Zaak",
        previous: ["F.09/26/7 · Rechtbank Den Haag · vanaf 3 november 2026"],
        current: ["F.09/26/7 · Rechtbank Den Haag · vanaf 3 november 2026 · geëindigd op 20 november 2026"],
      },
    ]);
    const removed = { insolvency: { previous: "bankruptcy", current: "none", reason: "removed" } } as const;
    expect(changedFields(removed, "en", formatsOf("en"))).toEqual([
      { field: "Insolvency", previous: ["Bankruptcy"], current: ["None", "removed by the court"] },
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

describe("a download", () => {
  const observedAt = "2026-11-21T12:00:00.000Z";
  const source = { kvk: "import:klanten", cachedAt: "2026-11-20T00:00:00.000Z" };
  const ended = {
    id: "evt_1",
    type: "company.deregistered",
    kvkNumber: "50000012",
    observedAt,
    source,
  } as const;
  const { example } = EVENT_TYPE_INFO["company.deregistered"];
  const linesOf = (csv: string) => csv.replace("\ufeff", "").split("\r\n");

  it.each([
    [
      "nl",
      "Gezien;Wijziging;KVK-nummer;Bedrijf;Veld;Voorheen;Nu;Bron;Peildatum;Opmerking;Gebeurtenis-ID",
      /^21-11-2026 \d\d:00;Uitgeschreven;50000012;De Fabel;Status;Actief;Uitgeschreven;klanten \(eigen bestand\);20-11-2026;;evt_1$/,
      /;Datum van uitschrijving;;31-10-2026;klanten/,
    ],
    [
      "en",
      "Seen,Change,KVK number,Company,Field,Before,Now,Source,Date of the data,Note,Event ID",
      /^2026-11-21 \d\d:00,Deregistered,50000012,De Fabel,Status,Active,Deregistered,klanten \(own file\),2026-11-20,,evt_1$/,
      /,Date of deregistration,,2026-10-31,klanten/,
    ],
  ] as const)(
    "of changes has a row for each changed field in words and dates of %s",
    (language, head, status, date) => {
      const events = [{ ...ended, changes: example }];
      const csv = csvText(
        rowsOfEvents({ events, names: { "50000012": "De Fabel" } }, language),
        language === "nl" ? ";" : ",",
      );
      expect(csv.startsWith("\ufeff")).toBe(true);
      const [first, second, third, last, ...rest] = linesOf(csv);
      expect(first).toBe(head);
      expect(second).toMatch(status);
      expect(third).toMatch(date);
      expect([last, ...rest]).toEqual([""]);
    },
  );

  it("of changes has one row for an event without changed fields, with the name that the customer gave", () => {
    const { source: _source, kvkNumber: _number, ...event } = ended;
    const events = [{ ...event, type: "monitor.ended" as const, changes: {}, metadata: { name: "Eigen" } }];
    const [, row] = linesOf(csvText(rowsOfEvents({ events, names: {} }, "nl"), ";"));
    expect(row).toMatch(/^21-11-2026 \d\d:00;Niet meer beschikbaar;;Eigen;;;;;;;evt_1$/);
  });

  it("of changes marks what was found at the first look", () => {
    const events = [{ ...ended, changes: example, isFirstObservation: true }];
    const [, row] = linesOf(csvText(rowsOfEvents({ events, names: {} }, "nl"), ";"));
    expect(row).toContain(";Gevonden bij de eerste controle en dus misschien ouder;evt_1");
  });

  it("of companies has a column for each name in the customer's metadata", () => {
    const monitors = [
      monitorOf("Ávila B.V.", "Urk", { metadata: { debtor: "0042" } }),
      monitorOf("Bron", "Ede"),
    ];
    const [head, first, second] = linesOf(csvText(rowsOfMonitors(monitors, "nl"), ";"));
    expect(head).toBe(
      "KVK-nummer;Bedrijf;Plaats;Status bedrijf;Monitoring;Sinds;Meldt;Bronnen;Webhook;debtor",
    );
    expect(first).toMatch(
      /^\d{8};Ávila B\.V\.;Urk;Actief;Gevolgd;21-11-2026;Alle gebruikelijke wijzigingen;GLEIF;;0042$/,
    );
    expect(second?.endsWith(";GLEIF;;")).toBe(true);
  });
});

let count = 50_000_000;
function monitorOf(name: string, city: string, more: Partial<Monitor> = {}): Monitor {
  count += 1;
  const company = { name, city, isActive: true };
  const [id, createdAt, status] = [`mon_${count}`, "2026-11-21T12:00:00.000Z", "active"] as const;
  return { id, kvkNumber: String(count), createdAt, status, company, watchedBy: ["gleif"], ...more };
}

describe("the monitored companies", () => {
  const ended = { company: { name: "Zuidwal", city: "Ede", isActive: false } };
  const monitors = [
    monitorOf("Ávila B.V.", "Urk", { metadata: { debtor: "0042" } }),
    monitorOf("Zuidwal", "Ede", ended),
    monitorOf("Bron 10", "Aalsmeer", { status: "paused", reason: "limit" }),
    { ...monitorOf("Bron 9", "", { watchedBy: [] }), company: { name: "Bron 9", isActive: true } },
  ];

  it.each([
    [{ typed: "avila" }, ["Ávila B.V."]],
    [{ typed: "42" }, ["Ávila B.V."]],
    [{ typed: "bron aals" }, ["Bron 10"]],
    [{ typed: "  " }, ["Ávila B.V.", "Zuidwal", "Bron 10", "Bron 9"]],
    [{ typed: monitors[1]?.kvkNumber ?? "" }, ["Zuidwal"]],
    [{ order: "name" }, ["Ávila B.V.", "Bron 9", "Bron 10", "Zuidwal"]],
    [{ order: "city" }, ["Bron 10", "Zuidwal", "Ávila B.V.", "Bron 9"]],
    [{ shown: "ended" }, ["Zuidwal"]],
    [{ shown: "paused" }, ["Bron 10"]],
    [{ shown: "unwatched" }, ["Bron 9"]],
    [{ shown: "active", typed: "bron", order: "name" }, ["Bron 9", "Bron 10"]],
  ] as const)("are found and sorted by %j", (choice, names) => {
    const found = chosenOf(monitors, { typed: "", shown: "all", order: "newest", ...choice });
    expect(found.map(nameOf)).toEqual(names);
  });
});

describe("a refused webhook", () => {
  const messageOf = (url: string) => `webhook ${problemOfWebhook(url, [])}`;
  it.each([
    [webhookRefused("no-secret").message, "noSecret"],
    [webhookRefused("webhooks").message, "tooMany"],
    [messageOf("http://example.com"), "notHttps"],
    [messageOf("https://user:pass@example.com"), "notHttps"],
    [messageOf("https://10.0.0.1/x"), "notPublic"],
    ["events must have at least 1 item", undefined],
  ] as const)("with %j names its cause", (message, fault) => {
    expect(webhookFault(new Failure("INVALID_REQUEST", 400, message))).toBe(fault);
  });
});

describe("a source", () => {
  it.each([
    ["import:klanten", "klanten (eigen bestand)"],
    ["import:a:b", "a:b (eigen bestand)"],
    ["gleif", "GLEIF"],
    ["kvk-api", "KVK"],
    ["kvk-open-data", "KVK Open Data"],
    ["court-register", "Centraal Insolventieregister"],
    ["peppol", "Peppol"],
    ["later", "later"],
  ])("%s has a name", (origin, name) => {
    expect(sourceName(origin, "nl")).toBe(name);
  });
});

describe("a list of numbers", () => {
  const numbers = Array.from({ length: 250 }, (_, nth) => String(50_000_000 + nth));
  const failed = [{ kvkNumber: "50000001", error: { code: "NOT_FOUND" } }] as const;
  const added: AddedMonitors = { results: [], failed };

  it("is added in calls of a hundred, waiting where the service asks to", async () => {
    const calls: number[] = [];
    const waits: number[] = [];
    const progress: Progress[] = [];
    const refused = await addInCalls(
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
    expect(refused).toEqual(Array(3).fill({ line: "50000001", code: "NOT_FOUND" }));
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
