/** Lists over a real service, on both stores. */
import { beforeAll, describe, expect, it } from "vitest";
import { codeOf, jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";
import { begun, change, completed, list, listWhen, results, send } from "./lists.ts";

const MANY = PLAIN.slice(0, 115);
const LEFT = 57;

const STORES = [
  ["embedded", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("lists") })],
] as const;

describe.each(variants(STORES, { ordinary: 1 }))("a list on the %s store", (_name, environment) => {
  let world: World;
  let service: Service;
  beforeAll(async () => {
    world = await makeWorld({
      tiers: { few: { ...PLENTY, monthlyTokens: LEFT } },
      environment: await environment(),
    });
    await awayFromMonthEnd();
    service = await startService(world);
  });

  const used = (key: string) => usedTokens(service, key);

  it("states its price first, stores nothing in a dry run, and is charged for its results", async () => {
    const { key } = await world.account("plenty");
    const numbers = [...MANY, MANY[0] ?? "", UNKNOWN, "123"];
    const priced = await send(service, key, numbers, "kind=lookup&dryRun=true");
    const counts = { sent: 118, duplicates: 1, numbers: 117, done: 0, found: 0, failed: 0 };
    expect([priced.status, jsonOf(priced)]).toEqual([
      200,
      { kind: "lookup", counts, tokens: { estimated: 116, charged: 0 } },
    ]);
    expect(jsonOf(await ask(service, { path: "/v1/jobs", key }))).toEqual({ jobs: [] });

    const { id } = await begun(service, key, numbers);
    const ended = await completed(service, key, id);
    expect(ended).toMatchObject({
      counts: { ...counts, done: 117, found: 115, failed: 2 },
      tokens: { estimated: 116, charged: 115 },
    });
    expect(await used(key)).toBe(115);
    const lines = await results(service, key, id);
    expect(lines.map(({ number }) => number)).toEqual([...new Set(numbers)]);
    expect(lines[0]?.result).toMatchObject({ kvkNumber: MANY[0] });
    expect(lines.slice(-2).map(({ error }) => error?.code)).toEqual(["NOT_FOUND", "INVALID_KVK_NUMBER"]);
    expect(jsonOf(await ask(service, { path: "/v1/jobs", key }))).toEqual({ jobs: [ended] });
  });

  it("takes one call of the rate, whatever its length, and is invisible to other accounts", async () => {
    const { key } = await world.account("plenty");
    const { key: other } = await world.account("plenty");
    const before = await send(service, key, MANY, "kind=lookup");
    const { id } = jsonOf(before) as { id: string };
    await completed(service, key, id);
    const operations = jsonOf(await ask(service, { path: "/v1/usage", key })) as {
      operations: { operation: string; requests: number; tokens: number }[];
    };
    const numbers = operations.operations.find(({ operation }) => operation === "jobs.lookup");
    expect(numbers).toMatchObject({ requests: 0, tokens: 115 });
    for (const path of ["", "/results"]) {
      const answer = await ask(service, { path: `/v1/jobs/${id}${path}`, key: other });
      expect([answer.status, codeOf(answer)]).toEqual([404, "NOT_FOUND"]);
    }
    for (const how of ["pause", "resume", "cancel"]) {
      expect((await change(service, other, id, how)).status).toBe(404);
    }
  });

  it("pauses with the allowance, spends it to the last token, and resumes when there is more", async () => {
    const { id: accountId, key } = await world.account("few");
    const { id } = await begun(service, key, MANY);
    const paused = await listWhen(service, key, id, ({ status }) => status === "paused");
    expect(paused).toMatchObject({ reason: "allowance", tokens: { charged: LEFT }, counts: { found: LEFT } });
    expect(await used(key)).toBe(LEFT);
    await world.withAccounts((accounts) => accounts.setTier(accountId, "plenty"));
    await change(service, key, id, "resume");
    expect(await completed(service, key, id)).toMatchObject({ tokens: { charged: 115 } });
    expect((await results(service, key, id)).map(({ number }) => number)).toEqual(MANY);
  });

  it("pauses at its cap, and resumes with a higher one", async () => {
    const { key } = await world.account("plenty");
    const { id } = await begun(service, key, MANY, "kind=lookup&maxTokens=70");
    const paused = await listWhen(service, key, id, ({ status }) => status === "paused");
    expect(paused).toMatchObject({ reason: "cap", tokens: { charged: 70, max: 70 } });
    const refused = await change(service, key, id, "resume");
    expect([refused.status, messageOf(refused)]).toEqual([400, expect.stringContaining("maxTokens")]);
    await change(service, key, id, "resume?maxTokens=1000");
    expect(await completed(service, key, id)).toMatchObject({ tokens: { charged: 115, max: 1000 } });
  });

  it("can be paused and cancelled by its caller, and keeps its results", async () => {
    const { key } = await world.account("few");
    const { id } = await begun(service, key, MANY);
    await listWhen(service, key, id, ({ status }) => status === "paused");
    expect(jsonOf(await change(service, key, id, "pause"))).toMatchObject({
      status: "paused",
      reason: "caller",
    });
    expect(await results(service, key, id)).toHaveLength(LEFT);
    expect(jsonOf(await change(service, key, id, "cancel"))).toMatchObject({ status: "cancelled" });
    expect(await results(service, key, id)).toEqual([]);
    expect((await change(service, key, id, "resume")).status).toBe(400);
    expect(await list(service, key, id)).toMatchObject({ status: "cancelled", tokens: { charged: LEFT } });
  });

  it("can be fetched in parts, as JSON lines and as CSV", async () => {
    const { key } = await world.account("plenty");
    const { id } = await begun(service, key, [BAKERY, ...MANY], "kind=lookup.enriched");
    await completed(service, key, id);
    for (const format of ["jsonl", "csv"]) {
      const path = `/v1/jobs/${id}/results?format=${format}`;
      const whole = await ask(service, { path, key });
      const bytes = Buffer.from(whole.text);
      expect([whole.status, numberIn(whole, "content-length")]).toEqual([200, bytes.length]);
      const etag = whole.headers.etag ?? "";
      const half = Math.floor(bytes.length / 2);
      const rest = await ask(service, { path, key, headers: { range: `bytes=${half}-`, "if-range": etag } });
      expect([rest.status, rest.headers["content-range"]]).toEqual([
        206,
        `bytes ${half}-${bytes.length - 1}/${bytes.length}`,
      ]);
      expect(rest.text).toBe(bytes.subarray(half).toString());
      const part = await ask(service, { path, key, headers: { range: "bytes=10-19" } });
      expect(part.text).toBe(bytes.subarray(10, 20).toString());
      const other = await ask(service, { path, key, headers: { range: "bytes=5-", "if-range": '"other"' } });
      expect([other.status, other.text.length]).toEqual([200, whole.text.length]);
      const beyond = await ask(service, { path, key, headers: { range: `bytes=${bytes.length}-` } });
      expect([beyond.status, codeOf(beyond)]).toEqual([416, "RANGE_NOT_SATISFIABLE"]);
      const head = await ask(service, { method: "HEAD", path, key });
      expect([head.status, numberIn(head, "content-length"), head.text]).toEqual([200, bytes.length, ""]);
    }
    const csv = await ask(service, { path: `/v1/jobs/${id}/results`, key, headers: { accept: "text/csv" } });
    expect(csv.text.split("\r\n")).toHaveLength(MANY.length + 3);
    expect(csv.text).toMatch(/^number,kvkNumber,name,/);
  });

  it("leaves a consistent state", () => expectSoundState(world));
});
