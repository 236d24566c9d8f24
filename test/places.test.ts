/** The place of a shielded address is returned through no door, whichever origin or answer had it before. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import type { CompanyFacts, FactsBranch, LocatedAddress, SourcedFacts } from "../src/company/facts.ts";
import { kvkNumberOf } from "../src/contract/numbers.ts";
import { companyLines } from "../src/import/export/exportLines.ts";
import { parseJsonLine } from "../src/import/jsonl.ts";
import { openCurrentSnapshot } from "../src/registry/openSnapshot.ts";
import { registryDirectory } from "../src/registry/paths.ts";
import { begun, completed } from "./jobs/lists.ts";
import { jsonOf } from "./kit/answer.ts";
import { ask } from "./kit/client.ts";
import { serveOverKvkHere } from "./kit/kvk.ts";
import { type Served, serveHere } from "./kit/serveHere.ts";
import { until } from "./kit/until.ts";
import { makeWorld, type TestAccount, type World } from "./kit/world.ts";
import { connected } from "./mcp/hosts.ts";

const OLD = { origin: "import:oud", asOf: "2025-01-01T00:00:00.000Z" };
const NEW = { origin: "import:nieuw", asOf: "2026-01-01T00:00:00.000Z" };
const SHIELDED = { city: "Verzinstad", isShielded: true } as const;

/** An address with a place of its own: no other has its street, location or id. */
function placed(nth: number): LocatedAddress {
  return {
    ...{
      street: `Plaatsweg ${"abcdefgh"[nth]}`,
      houseNumber: "1",
      postalCode: "1234 AB",
      city: "Verzinstad",
    },
    geo: {
      location: { latitude: Number(`52.${nth + 1}00001`), longitude: Number(`5.${nth + 1}00002`) },
      bagId: bagId(nth),
    },
  };
}
const bagId = (nth: number) => `036301000000000${nth}`;
const placeOf = (nth: number) => placed(nth).geo;

/** Whether a text has any part of a place. */
function shows(text: string, nth: number): boolean {
  const { latitude, longitude } = placeOf(nth)?.location ?? {};
  return [latitude, longitude, bagId(nth)].some((part) => text.includes(String(part)));
}

const branch = (nth: number, address: LocatedAddress, isMain = false): FactsBranch => {
  return { branchNumber: `00009000000${nth}`, isMain, isActive: true, address };
};
const company = (
  number: number,
  name: string,
  address: LocatedAddress,
  branches: FactsBranch[],
): CompanyFacts => ({
  ...{ kvkNumber: kvkNumberOf(number), name, isActive: true, activities: [], branches },
  address: { ...address, country: "NL", kind: "visiting" },
});

const OPEN = company(90000801, "Openluchtwerf Fabelkade", placed(1), [
  branch(1, placed(1), true),
  branch(2, placed(2)),
]);
/** Shielded by the newer origin only. */
const HIDDEN = company(90000802, "Schuilhoek Fabelkade", placed(3), [
  branch(3, placed(3), true),
  branch(4, placed(4)),
]);
/** The main branch is shielded, and so is the company. */
const MAIN_HIDDEN = company(90000803, "Kernschuil Fabelkade", placed(5), [
  branch(5, SHIELDED, true),
  branch(6, placed(6)),
]);
/** One further branch is shielded. */
const BRANCH_HIDDEN = company(90000804, "Bijschuil Fabelkade", placed(7), [
  branch(7, placed(7), true),
  branch(8, { ...placed(0), isShielded: true }),
]);
const hide = (facts: CompanyFacts): CompanyFacts => ({
  ...facts,
  address: { ...SHIELDED, country: "NL", kind: "visiting" },
});
const COMPANIES: readonly SourcedFacts[] = [
  ...[OPEN, HIDDEN, MAIN_HIDDEN, BRANCH_HIDDEN].map((facts) => ({ ...OLD, facts })),
  { ...NEW, facts: hide({ ...HIDDEN, branches: [] }) },
];
const NUMBERS = [OPEN, HIDDEN, MAIN_HIDDEN, BRANCH_HIDDEN].map(({ kvkNumber }) => kvkNumber);
const EXPECTED_PLACES = [1, 7];
const NO_PLACES = [0, 3, 5];

let world: World;
let service: Served;
let account: TestAccount;
beforeAll(async () => {
  world = await makeWorld({ companies: COMPANIES });
  account = await world.account("plenty");
  service = await serveHere(world);
});

const get = (path: string) => ask(service, { path, key: account.key });
const post = (path: string, body: unknown) => ask(service, { method: "POST", path, key: account.key, body });

async function listed(kind: string, format: string): Promise<string> {
  const { id } = await begun(service, account.key, NUMBERS, `kind=${kind}`);
  await completed(service, account.key, id);
  return (await get(`/v1/jobs/${id}/results?format=${format}`)).text;
}

function exported(format: "jsonl" | "csv"): string {
  const snapshot = openCurrentSnapshot(registryDirectory(world.dataDir));
  if (snapshot === undefined) throw new Error("there is no registry");
  try {
    return [...companyLines(snapshot, format)].join("");
  } finally {
    snapshot.close();
  }
}

async function tool(name: string, input: object): Promise<string> {
  const client = await connected(service.address, account.key, "2026");
  const result = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
  return JSON.stringify(result);
}

async function each(path: (number: string) => string): Promise<string> {
  return (await Promise.all(NUMBERS.map(async (number) => (await get(path(number))).text))).join("\n");
}

type Door = readonly [name: string, open: () => Promise<string> | string];
const DOORS_WITH_PLACES: readonly Door[] = [
  ["an enriched lookup", () => each((number) => `/v1/lookup/${number}?enrich=true`)],
  ["the branches", () => each((number) => `/v1/lookup/${number}/branches`)],
  [
    "an enriched batch",
    async () => (await post("/v1/lookup/batch", { kvkNumbers: NUMBERS, enrich: true })).text,
  ],
  ["a list as JSON lines", () => listed("lookup.enriched", "jsonl")],
  ["a list as CSV", () => listed("lookup.enriched", "csv")],
  ["an export as JSON lines", () => exported("jsonl")],
  ["an export as CSV", () => exported("csv")],
  [
    "a tool for enriched companies",
    async () =>
      (
        await Promise.all(NUMBERS.map((kvkNumber) => tool("lookup_company", { kvkNumber, enrich: true })))
      ).join("\n"),
  ],
];
const DOORS_WITHOUT: readonly Door[] = [
  ["a basic lookup", () => each((number) => `/v1/lookup/${number}`)],
  ["a basic batch", async () => (await post("/v1/lookup/batch", { kvkNumbers: NUMBERS })).text],
  ["a basic list", () => listed("lookup", "jsonl")],
  ["a search", async () => (await get("/v1/search?q=fabelkade")).text],
  ["autocomplete", async () => (await get("/v1/autocomplete?q=fabelkade")).text],
  [
    "matching",
    async () =>
      (await post("/v1/match", { queries: [{ name: "Schuilhoek Fabelkade", city: "Verzinstad" }] })).text,
  ],
  [
    "reconciliation",
    async () => {
      const properties = ["street", "city", "country"].map((id) => ({ id }));
      const body = new URLSearchParams({ extend: JSON.stringify({ ids: NUMBERS, properties }) }).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return (
        await ask(service, { method: "POST", path: `/v1/reconcile?apikey=${account.key}`, body, headers })
      ).text;
    },
  ],
];

describe("the place of an address", () => {
  it.each(DOORS_WITH_PLACES)("is shown by %s only where the address is open", async (_name, open) => {
    const text = await open();
    expect(text).toContain("Verzinstad");
    expect(EXPECTED_PLACES.filter((nth) => shows(text, nth))).toEqual(EXPECTED_PLACES);
    expect(NO_PLACES.filter((nth) => shows(text, nth))).toEqual([]);
  });

  it.each(DOORS_WITHOUT)("is not part of %s", async (_name, open) => {
    const text = await open();
    expect(text).toContain(OPEN.kvkNumber.slice(0, 4));
    expect([0, 1, 2, 3, 4, 5, 6, 7].filter((nth) => shows(text, nth))).toEqual([]);
  });

  it("stands next to the address of its company or branch", async () => {
    expect(jsonOf(await get(`/v1/lookup/${OPEN.kvkNumber}?enrich=true`))).toMatchObject({ ...placeOf(1) });
    expect(jsonOf(await get(`/v1/lookup/${BRANCH_HIDDEN.kvkNumber}/branches`))).toMatchObject({
      branches: [{ ...placeOf(7), isMain: true }, { address: SHIELDED }],
    });
    const hidden = jsonOf(await get(`/v1/lookup/${HIDDEN.kvkNumber}?enrich=true`));
    for (const part of ["location", "bagId"]) expect(hidden).not.toHaveProperty(part);
  });

  it("survives an export and an import", () => {
    const lines = exported("jsonl").trim().split("\n");
    const read = lines.map((line) => parseJsonLine(line));
    expect(read).toMatchObject(
      [placeOf(1), undefined, undefined, placeOf(7)].map((geo) => ({
        facts: { address: geo === undefined ? { isShielded: true } : { geo } },
      })),
    );
    expect(read[0]).toMatchObject({
      facts: { branches: [{ address: { geo: placeOf(1) } }, { address: { geo: placeOf(2) } }] },
    });
    expect(read[3]).toMatchObject({
      facts: { branches: [{ address: { geo: placeOf(7) } }, { address: SHIELDED }] },
    });
  });

  it("is no event when it changes, and in no event about its address", async () => {
    const { kvkNumber } = OPEN;
    const made = await post("/v1/monitors", { kvkNumbers: [kvkNumber] });
    expect(made.status).toBeLessThan(300);
    const moved = (nth: number, street: string, asOf: string): SourcedFacts => ({
      ...{ origin: OLD.origin, asOf },
      facts: {
        ...OPEN,
        address: { ...placed(1), geo: placed(nth).geo ?? {}, street, country: "NL", kind: "visiting" },
      },
    });
    await world.import([moved(2, "Plaatsweg b", "2026-02-01T00:00:00.000Z")]);
    await until("the new place is read", async () => {
      return shows((await get(`/v1/lookup/${kvkNumber}?enrich=true`)).text, 2);
    });
    await world.import([moved(4, "Verhuisweg", "2026-03-01T00:00:00.000Z")]);
    const text = await until("the move is an event", async () => {
      const { text } = await get("/v1/changes");
      return text.includes("company.moved") && text;
    });
    expect(jsonOf({ status: 200, headers: {}, text })).toMatchObject({ events: [{ type: "company.moved" }] });
    expect([1, 2, 4].filter((nth) => shows(text, nth))).toEqual([]);
  });
});

describe("the place in an answer of KVK", () => {
  it("is requested, and returned for a company and for its main branch", async () => {
    const { kvk, get } = await serveOverKvkHere();
    kvk.register.put(OPEN);
    expect(jsonOf(await get(`/v1/lookup/${OPEN.kvkNumber}?enrich=true`))).toMatchObject({ ...placeOf(1) });
    expect(jsonOf(await get(`/v1/lookup/${OPEN.kvkNumber}/branches`))).toMatchObject({
      branches: [{ ...placeOf(1), isMain: true }, { isMain: false }],
    });
  });

  it("of an earlier day is gone once an answer of today shields the address", async () => {
    const companies = [
      { ...OLD, origin: "kvk-api", facts: OPEN },
      { ...OLD, facts: HIDDEN },
    ];
    const { kvk, get } = await serveOverKvkHere({ companies });
    kvk.register.put(hide({ ...OPEN, branches: [branch(1, SHIELDED, true)] }));
    kvk.register.put(hide({ ...HIDDEN, branches: [branch(3, SHIELDED, true)] }));
    for (const { kvkNumber } of [OPEN, HIDDEN]) {
      for (const more of ["?enrich=true&maxAge=3600", "?enrich=true", "/branches?maxAge=3600", "/branches"]) {
        const { status, text } = await get(`/v1/lookup/${kvkNumber}${more}`);
        expect([status, text.includes("bagId"), text.includes("latitude")]).toEqual([200, false, false]);
      }
    }
  });
});
