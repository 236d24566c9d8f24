/** A running service asks a simulated Peppol network: verdicts, charges, outages, lists and events. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Monitors } from "../../client/src/monitors/index.ts";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { CREDIT_NOTE, INVOICE, ORDER } from "../../src/demo/peppol/participants.ts";
import type { PeppolSimulator } from "../../src/demo/peppol/server.ts";
import { startPeppolSimulator } from "../../src/demo/peppol/server.ts";
import { begun, completed, send } from "../jobs/lists.ts";
import { afterFile } from "../kit/afterFile.ts";
import { type Answer, jsonOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { kvkNumber } from "../kit/companies.ts";

import { type Served, serveHere } from "../kit/serveHere.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const [BOTH, ORDERS, BY_VAT, TRADER, FORGOTTEN, MONITORED] = [
  ...["90001001", "90001002", "90001003", "90001004", "90001005", "90001006"],
] as [string, string, string, string, string, string];
/** Not in the registry. */
const UNKNOWN = "90009999";
const VAT = "NL900010035B01";
const TRADER_VAT = "NL900010047B01";

let count = 0;
/** A number that nothing has asked about. */
const fresh = () => String(91_000_000 + ++count);

let peppol: PeppolSimulator;
let world: World;
let service: Served;
let off: Served;
let keys: { readonly live: string; readonly test: string };

function company(number: string, more: Partial<SourcedFacts["facts"]> = {}): SourcedFacts {
  const facts = {
    kvkNumber: kvkNumber(number),
    name: `Fabel ${number} B.V.`,
    isActive: true,
    activities: [],
  };
  return { origin: "import:fabel", asOf: "2026-01-01T00:00:00.000Z", facts: { ...facts, ...more } };
}

const COMPANIES = [
  ...[BOTH, ORDERS, FORGOTTEN, MONITORED].map((number) => company(number, { legalForm: "BV" })),
  company(BY_VAT, { legalForm: "BV", vatNumber: VAT }),
  company(TRADER, { legalForm: "EMZ", vatNumber: TRADER_VAT }),
];

async function opened(environment: Record<string, string>) {
  const made = await makeWorld({ companies: COMPANIES, environment });
  const { id, key: live } = await made.account("plenty");
  const { key: test } = await made.withAccounts((accounts) => accounts.createKey(id, "test", "test"));
  return { made, keys: { live, test } };
}

beforeAll(async () => {
  peppol = await startPeppolSimulator({
    participants: [
      { id: `0106:${BOTH}`, documents: [CREDIT_NOTE, ORDER, INVOICE] },
      { id: `0106:${ORDERS}`, documents: [ORDER], version: 2 },
      { id: `9944:${VAT}`, documents: [INVOICE] },
      { id: `9944:${TRADER_VAT}`, documents: [INVOICE] },
    ],
  });
  afterFile(() => peppol.stop());
  const first = await opened({
    PEPPOL: "on",
    PEPPOL_ZONE: peppol.zone,
    PEPPOL_DNS: peppol.dns,
    PEPPOL_PER_SECOND: "50",
    PEPPOL_NETWORKS: "127.0.0.0/8",
  });
  ({ made: world, keys } = first);
  service = await serveHere(world);
});

beforeEach(() => peppol.clearFaults());

/** Uses the state next to the service. */
async function inState(use: (state: StateStore) => Promise<unknown>): Promise<void> {
  const state = await openCommandState(readSettings(world.environment));
  await use(state);
  await state.close();
}

const get = (path: string, key = keys.live) => ask(service, { path, key });
const check = (number: string, key?: string) => get(`/v1/peppol/${number}`, key);
const fields = (answer: Answer) => jsonOf(answer) as Readonly<Record<string, unknown>>;
const charge = (answer: Answer) => numberIn(answer, "x-tokens-charged");

describe("GET /v1/peppol/{kvkNumber}", () => {
  it.each<[string, Record<string, unknown>]>([
    [BOTH, { status: "reachable", asked: [`0106:${BOTH}`], receives: ["invoice", "credit_note", ORDER] }],
    [ORDERS, { status: "cannot_receive_invoices", asked: [`0106:${ORDERS}`], receives: [ORDER] }],
    [BY_VAT, { status: "reachable", participantId: `9944:${VAT}`, asked: [`0106:${BY_VAT}`, `9944:${VAT}`] }],
    [TRADER, { status: "not_registered", asked: [`0106:${TRADER}`] }],
    [UNKNOWN, { status: "not_registered", asked: [`0106:${UNKNOWN}`] }],
  ])("answers about %s for a token, and again from its store", async (number, expected) => {
    const answer = await check(number);
    expect(answer.status).toBe(200);
    expect(fields(answer)).toMatchObject({ kvkNumber: number, ...expected });
    expect(charge(answer)).toBe(1);
    const isThere = expected["status"] !== "not_registered";
    expect(fields(answer)["accessPoint"]).toBe(isThere ? "127.0.0.1" : undefined);
    const before = peppol.counts;
    const again = await check(number);
    expect(fields(again)).toEqual(fields(answer));
    expect(charge(again)).toBe(1);
    expect(peppol.counts).toEqual(before);
    expect(answer.text).not.toContain(TRADER_VAT);
  });

  it.each(["1234567", "abc"])("refuses %s for free", async (number) => {
    const answer = await check(number);
    expect(fields(answer)["error"]).toMatchObject({ code: "INVALID_KVK_NUMBER" });
    expect([answer.status, charge(answer)]).toEqual([400, 0]);
  });

  it.each<[string, "dns" | "smp", object]>([
    ["a failing DNS server", "dns", { kind: "servfail" }],
    ["a DNS server that refuses", "dns", { kind: "refused" }],
    ["a bad packet", "dns", { kind: "badPacket" }],
    ["records without a usable one", "dns", { kind: "records", records: [] }],
    ["an error of the SMP", "smp", { kind: "code", code: "DOWN", status: 503 }],
    ["HTML", "smp", { kind: "html", status: 200 }],
    ["a reset", "smp", { kind: "reset" }],
    ["another participant", "smp", { kind: "wrongParticipant" }],
    ["a document type", "smp", { kind: "dtd" }],
    ["20 MB", "smp", { kind: "large" }],
    ["a redirect to another host", "smp", { kind: "redirect", to: "http://localhost:1/" }],
  ])(
    "is 502 and free without an answer because of %s, and the next call asks again",
    async (_, target, fault) => {
      const number = fresh();
      peppol.put({ id: `0106:${number}`, documents: [INVOICE] });
      const records = [
        { order: 1, preference: 1, flags: "S", services: "Meta:SMP", regexp: "!.*!https://a.example!" },
      ];
      const set = "records" in fault ? { kind: "records", records } : fault;
      peppol.setFault(target, set as Parameters<PeppolSimulator["setFault"]>[1]);
      const answer = await check(number);
      expect([answer.status, fields(answer)["error"]]).toMatchObject([502, { code: "UPSTREAM_ERROR" }]);
      expect(charge(answer)).toBe(0);
      peppol.clearFaults();
      await until("the network is asked again", async () => (await check(number)).status === 200);
    },
  );

  it("asks once for calls that come together", async () => {
    const number = fresh();
    const before = peppol.counts.udp;
    const answers = await Promise.all(Array.from({ length: 20 }, () => check(number)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.every((answer) => charge(answer) === 1)).toBe(true);
    expect(peppol.counts.udp - before).toBe(1);
  });

  it("returns a company for each status to a test key, for free and without a question", async () => {
    const before = peppol.counts;
    for (const [number, status] of [
      ["99990023", "reachable"],
      ["99990027", "cannot_receive_invoices"],
      ["99990025", "not_registered"],
      ["99990026", "reachable"],
    ] as const) {
      const answer = await check(number, keys.test);
      expect(fields(answer)).toMatchObject({ status, asked: [`0106:${number}`] });
      expect("ageSeconds" in fields(answer)).toBe(number === "99990026");
    }
    expect((await check("99990502", keys.test)).status).toBe(502);
    expect(peppol.counts).toEqual(before);
  });

  it("does not know a suppressed company, and asks nothing about it", async () => {
    await check(FORGOTTEN);
    const forgotten = { kvkNumber: FORGOTTEN, vatNumbers: [], forgottenAtMs: Date.now() };
    await inState((state) => state.suppressed.forget(forgotten));
    await until("the service knows", async () => (await check(FORGOTTEN)).status === 404);
    const before = peppol.counts;
    expect(fields(await check(FORGOTTEN))["error"]).toMatchObject({ code: "NOT_FOUND" });
    expect(peppol.counts).toEqual(before);
  });
});

describe("include=peppol", () => {
  it("adds the answer to an enriched company for a token more", async () => {
    const without = await get(`/v1/lookup/${BOTH}?enrich=true`);
    const answer = await get(`/v1/lookup/${BOTH}?enrich=true&include=peppol`);
    const { kvkNumber: _, ...verdict } = fields(await check(BOTH));
    expect(fields(answer)).toEqual({ ...fields(without), peppol: verdict });
    expect(charge(answer)).toBe((charge(without) ?? 0) + 1);
  });

  it("leaves it out, and does not charge for it, when the network is silent", async () => {
    const number = fresh();
    await world.import([...COMPANIES, company(number, { legalForm: "BV" })]);
    await until("it is served", async () => (await get(`/v1/lookup/${number}`)).status === 200);
    peppol.setFault("dns", { kind: "servfail" });
    const answer = await get(`/v1/lookup/${number}?enrich=true&include=peppol`);
    expect(answer.status).toBe(200);
    expect(fields(answer)).not.toHaveProperty("peppol");
    expect(charge(answer)).toBe(charge(await get(`/v1/lookup/${number}?enrich=true`)));
  });

  it.each(["include=peppol", "enrich=true&include=vies", "enrich=true&include=peppol&include=peppol"])(
    "refuses ?%s",
    async (query) => {
      const answer = await get(`/v1/lookup/${BOTH}?${query}`);
      expect([answer.status, charge(answer)]).toEqual([400, 0]);
    },
  );
});

it("checks lists at a token for each company, as JSON lines and CSV", async () => {
  const { id, tokens } = await begun(service, keys.live, [BOTH, ORDERS, UNKNOWN, "123"], "kind=peppol");
  expect(tokens.estimated).toBe(3);
  expect(await completed(service, keys.live, id)).toMatchObject({
    counts: { found: 3, failed: 1 },
    tokens: { charged: 3 },
  });
  const lines = (await get(`/v1/jobs/${id}/results`)).text.trimEnd().split("\n");
  const results = lines.map((line) => JSON.parse(line) as { result?: unknown; error?: unknown });
  expect(results.map(({ result }) => result)).toMatchObject([
    { kvkNumber: BOTH, status: "reachable" },
    { kvkNumber: ORDERS, status: "cannot_receive_invoices" },
    { kvkNumber: UNKNOWN, status: "not_registered" },
    undefined,
  ]);
  expect(results[3]).toMatchObject({ error: { code: "INVALID_KVK_NUMBER" } });
  const csv = (await get(`/v1/jobs/${id}/results?format=csv`)).text;
  expect(csv).toContain(`${BOTH},reachable,0106:${BOTH},`);
});

it("reports a change to a monitor that names it, and to no other", async () => {
  const [naming, usual] = [keys.live, (await world.account("plenty")).key].map(
    (key) => new Monitors({ baseUrl: service.address, key }),
  ) as [Monitors, Monitors];
  await naming.add([MONITORED], { events: ["company.peppol_changed"] });
  await usual.add([MONITORED]);
  await check(MONITORED);
  await until("its first answer was compared", async () => {
    const [monitor] = await Array.fromAsync(naming.list());
    return monitor?.watchedBy.includes("peppol");
  });
  // As another node does, a week later.
  await inState((state) =>
    state.peppol.storePeppol(kvkNumber(MONITORED), {
      ...{ status: "reachable", participantId: `0106:${MONITORED}`, asked: [`0106:${MONITORED}`] },
      ...{ receives: ["invoice"], accessPoint: "smp.fabel.example", checkedAtMs: Date.now() },
    }),
  );
  const [event] = await until("the event is there", async () => {
    const { events } = await naming.changesPage({});
    return events.length > 0 && events;
  });
  expect(event).toMatchObject({
    type: "company.peppol_changed",
    kvkNumber: MONITORED,
    source: { kvk: "peppol" },
    changes: { peppol: { previous: "not_registered", current: "reachable" } },
  });
  expect((await usual.changesPage({})).events).toEqual([]);
  expect((await Array.fromAsync(usual.list()))[0]?.watchedBy).toEqual(["import:fabel"]);
  const { sources } = await naming.settings();
  expect(sources).toContainEqual({ source: "peppol", reports: ["company.peppol_changed"] });
});

describe("without PEPPOL=on", () => {
  beforeAll(async () => {
    const other = await opened({});
    keys = { ...keys, live: other.keys.live };
    off = await serveHere(other.made);
  });

  it.each([
    ["a check", `/v1/peppol/${BOTH}`],
    ["an enriched lookup with it", `/v1/lookup/${BOTH}?enrich=true&include=peppol`],
  ])("%s is refused for free", async (_, path) => {
    const answer = await ask(off, { path, key: keys.live });
    expect([answer.status, fields(answer)["error"]]).toMatchObject([
      400,
      { code: "INVALID_REQUEST", message: expect.stringContaining("PEPPOL=on") },
    ]);
    expect(charge(answer)).toBe(0);
  });

  it("refuses lists, and has no Peppol in its health", async () => {
    const answer = await send(off, keys.live, [BOTH], "kind=peppol");
    expect(answer.status).toBe(400);
    expect((await ask(off, { path: "/v1/health" })).text).not.toContain("peppol");
    expect((await ask(service, { path: "/v1/health" })).text).toContain('"peppol":');
  });
});
