/** A running service reports the changes of an import: as events, in webhook messages, charged once. */
import type { IncomingHttpHeaders } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../client/src/jobs/index.ts";
import { type EventMessage, Monitors, type ReadChange } from "../../client/src/monitors/index.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { begun, completed, results } from "../jobs/lists.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, COMPANIES, FERRY, UNKNOWN } from "../kit/companies.ts";
import { servingPort } from "../kit/server.ts";
import { type Service, startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld, type TestAccount, type World } from "../kit/world.ts";

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
let world: World;
let service: Service;
let account: TestAccount;
let monitors: Monitors;
let hook: string;
let secret: string;

beforeAll(async () => {
  const port = await servingPort((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(parts).toString("utf8") });
      response.writeHead(204).end();
    });
  });
  hook = `http://127.0.0.1:${port}/events`;
  await awayFromMonthEnd();
  world = await makeWorld({
    tiers: { penniless: { monthlyTokens: 0, ratePerMinute: 1_000, maxMonitors: 1 } },
    environment: { WEBHOOK_NETWORKS: "127.0.0.1" },
  });
  account = await world.account("plenty");
  service = await startService(world);
  monitors = new Monitors({ baseUrl: service.address, key: account.key });
  const made = await ask(service, { method: "POST", path: "/v1/webhook-secret", key: account.key });
  ({ secret } = jsonOf(made) as { secret: string });
});

/** Imports a company with other facts, a day after its current ones. */
async function importChanged(kvkNumber: string, facts: object, asOf: string): Promise<void> {
  const company = COMPANIES.find((one) => one.facts.kvkNumber === kvkNumber);
  if (company === undefined) throw new Error(`no company ${kvkNumber}`);
  const changed: SourcedFacts = { ...company, asOf, facts: { ...company.facts, ...facts } };
  await world.import([changed]);
}

async function messageOf(eventId: string, count = 1): Promise<EventMessage> {
  const found = await until("the message arrives", () => {
    const own = received.filter(({ headers }) => headers["webhook-id"] === eventId);
    return own.length >= count && own.at(-1);
  });
  return verifyWebhook<EventMessage>(found.body, found.headers, secret);
}

/** The next event after a cursor. */
async function nextEvent(after?: string): Promise<ReadChange> {
  for await (const change of monitors.changes({ after, pollEveryMs: 100 })) return change;
  throw new Error("the events have ended");
}

describe("a change of an import", () => {
  it("becomes one event that costs one token, and one signed message", async () => {
    const [monitor] = (await monitors.add([BAKERY], { metadata: { debtor: "1042" }, webhook: hook })).results;
    await monitors.add([FERRY], { events: ["company.deregistered"] });
    await importChanged(BAKERY, { name: "Bakkerij De Nieuwe Korst B.V." }, "2026-02-01T00:00:00.000Z");
    const { event, cursor } = await nextEvent();
    expect(event).toMatchObject({
      type: "company.renamed",
      kvkNumber: BAKERY,
      source: { cachedAt: "2026-02-01T00:00:00.000Z" },
      changes: {
        name: { previous: "Bakkerij De Fabelkorst B.V.", current: "Bakkerij De Nieuwe Korst B.V." },
      },
      metadata: { debtor: "1042" },
    });
    expect(await messageOf(event.id)).toEqual({
      messageId: event.id,
      type: "company.renamed",
      timestamp: expect.any(String),
      data: event,
    });
    expect(await monitors.settings()).toMatchObject({ monitors: 2, pending: 0, spent: 1 });
    const usage = jsonOf(await ask(service, { path: "/v1/usage", key: account.key }));
    expect(usage).toMatchObject({
      tokens: { used: 1 },
      operations: expect.arrayContaining([
        expect.objectContaining({ operation: "monitors.change", tokens: 1 }),
      ]),
    });

    // The other monitor wants no renames.
    await importChanged(FERRY, { name: "Stichting Het Nieuwe Veer" }, "2026-02-02T00:00:00.000Z");
    await importChanged(FERRY, { isActive: false }, "2026-02-03T00:00:00.000Z");
    const ended = await nextEvent(cursor);
    expect(ended.event).toMatchObject({ type: "company.deregistered", kvkNumber: FERRY });
    expect((await monitors.changesPage({ after: ended.cursor })).events).toEqual([]);

    await monitors.redeliver(event);
    expect((await messageOf(event.id, 2)).data).toEqual(event);
    const testId = await monitors.test(monitor?.id ?? "");
    expect(await messageOf(testId)).toMatchObject({
      type: "monitor.test",
      data: { kvkNumber: BAKERY, changes: {} },
    });
    expect((await monitors.changesPage({ after: ended.cursor })).events).toEqual([]);
    expect(await monitors.settings()).toMatchObject({ spent: 2 });
  });
});

describe("a list of kind monitor", () => {
  it("monitors each company free of charge, with an error for each number that has none", async () => {
    const { key } = await world.account("plenty");
    const numbers = [BAKERY, UNKNOWN, "123", BAKERY, `KVK ${FERRY}`];
    const { id, tokens } = await begun(service, key, numbers, "kind=monitor");
    expect(tokens).toEqual({ estimated: 0, charged: 0 });
    expect(await completed(service, key, id)).toMatchObject({
      counts: { numbers: 4, found: 2, failed: 2 },
      tokens: { charged: 0 },
    });
    const lines = await results(service, key, id);
    expect(lines).toMatchObject([
      { number: BAKERY, result: { kvkNumber: BAKERY, status: "active" } },
      { number: UNKNOWN, error: { code: "NOT_FOUND" } },
      { number: "123", error: { code: "INVALID_KVK_NUMBER" } },
      { number: `KVK ${FERRY}`, result: { kvkNumber: FERRY } },
    ]);
    const csv = await ask(service, { path: `/v1/jobs/${id}/results?format=csv`, key });
    const [header, first] = csv.text.replace(/^\uFEFF/, "").split(/\r?\n/);
    expect(header).toMatch(/^number.kvkNumber.id.status.createdAt.errorCode.errorMessage$/);
    expect(first).toContain(String(lines[0]?.result?.["id"]));
    const own = new Monitors({ baseUrl: service.address, key });
    expect((await own.listPage()).monitors).toHaveLength(2);
  });

  it("continues without tokens, and stops at the limit of the plan", async () => {
    const { key } = await world.account("penniless");
    const { id } = await begun(service, key, [BAKERY, FERRY], "kind=monitor&maxTokens=1");
    await completed(service, key, id);
    expect(await results(service, key, id)).toMatchObject([
      { result: { kvkNumber: BAKERY } },
      { error: { code: "FORBIDDEN" } },
    ]);
  });
});
