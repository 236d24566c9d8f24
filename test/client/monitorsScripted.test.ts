/** Monitors and changes with a service whose responses are scripted. */
import { beforeAll, describe, expect, it } from "vitest";
import { CursorExpiredError } from "../../client/src/index.ts";
import { type ChangesOptions, Monitors } from "../../client/src/monitors/index.ts";
import { refusal, type Scripted, type ScriptedServer, startScripted } from "./scripted.ts";

const ID = "mon_0123456789abcdefABCDEF";
const AT_ONCE = { "retry-after": 0 };

let server: ScriptedServer;
let monitors: Monitors;
beforeAll(async () => {
  server = await startScripted();
  monitors = new Monitors({ baseUrl: server.address, key: "opz_live_not_a_real_one" });
});

const event = (id: string) => ({ id, type: "company.moved", observedAt: "", changes: {} });
const page = (ids: readonly string[], next: string): Scripted => ({
  body: { events: ids.map(event), next },
});
const calls = () => server.seen.map(({ method, path }) => `${method} ${path}`);

/** Reads some changes as `id@cursor`. */
async function read(options: ChangesOptions, count = Number.POSITIVE_INFINITY): Promise<string[]> {
  const found: string[] = [];
  for await (const { event: one, cursor } of monitors.changes(options)) {
    found.push(`${one.id}@${cursor}`);
    if (found.length === count) break;
  }
  return found;
}

describe("monitors", () => {
  it("are added in calls of a hundred, each number once", async () => {
    const numbers = Array.from({ length: 150 }, (_, nth) => String(10_000_000 + nth));
    server.answer({ body: { results: [], failed: [{ kvkNumber: "1" }] } });
    const { failed } = await monitors.add([...numbers, ...numbers], { metadata: { a: "1" } });
    expect(failed).toHaveLength(2);
    const bodies = server.seen.map(({ body }) => JSON.parse(body) as { kvkNumbers: string[] });
    expect(bodies.map(({ kvkNumbers }) => kvkNumbers.length)).toEqual([100, 50]);
    expect(bodies[1]).toEqual({ kvkNumbers: numbers.slice(100), metadata: { a: "1" } });
  });

  it("are listed page by page", async () => {
    server.answer({ body: { monitors: [{ id: "a" }], next: "x y" } }, { body: { monitors: [{ id: "b" }] } });
    const found = [];
    for await (const { id } of monitors.list()) found.push(id);
    expect(found).toEqual(["a", "b"]);
    expect(calls()).toEqual(["GET /v1/monitors", "GET /v1/monitors?after=x%20y"]);
  });

  it("are changed and removed with their own methods, also by the object", async () => {
    server.answer({ body: { id: ID } });
    await monitors.change({ id: ID }, { webhook: null, events: ["company.moved"] });
    await monitors.remove(ID);
    await monitors.changeSettings({ maxTokens: null }).catch(() => {});
    expect(calls()).toEqual([
      `PATCH /v1/monitors/${ID}`,
      `DELETE /v1/monitors/${ID}`,
      "PATCH /v1/monitor-settings",
    ]);
    expect(server.seen.map(({ body }) => body)).toEqual([
      '{"events":["company.moved"],"webhook":null}',
      "",
      '{"maxTokens":null}',
    ]);
  });

  it("are called again after a failure, because that is safe", async () => {
    server.answer("reset", refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE), { body: { id: ID } });
    expect(await monitors.get(ID)).toEqual({ id: ID });
    expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(3).fill(undefined));
  });
});

describe("reading changes", () => {
  it("ends after the newest, and says after each event where to continue", async () => {
    server.answer(page(["a", "b"], "2"), page(["c"], "3"));
    expect(await read({ limit: 2 })).toEqual(["a@undefined", "b@2", "c@3"]);
    expect(calls()).toEqual(["GET /v1/changes?limit=2", "GET /v1/changes?after=2&limit=2"]);
  });

  it("continues past pages whose events a filter left out", async () => {
    server.answer(page([], "100"), page(["a"], "150"), page([], "150"));
    expect(await read({ after: "0", type: "company.moved" })).toEqual(["a@150"]);
    expect(server.seen).toHaveLength(3);
  });

  it("polls from the last cursor, also through outages", async () => {
    const down = refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE);
    server.answer(page(["a"], "1"), page([], "1"), down, down, down, "reset", page(["b"], "2"));
    expect(await read({ pollEveryMs: 1 }, 2)).toEqual(["a@1", "b@2"]);
    expect(server.seen.at(-1)?.path).toBe("/v1/changes?after=1&limit=100");
  });

  it("stops polling when it is aborted", async () => {
    server.answer(page(["a"], "1"), page([], "1"));
    const controller = new AbortController();
    const reading = read({ pollEveryMs: 100_000, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
  });

  it("fails with the oldest cursor if its own is no longer kept, also while polling", async () => {
    server.answer(refusal(410, "CURSOR_EXPIRED", { "x-oldest-cursor": "77" }));
    for (const options of [{}, { pollEveryMs: 1 }]) {
      const error = await read({ after: "1", ...options }).catch((problem: unknown) => problem);
      expect(error).toBeInstanceOf(CursorExpiredError);
      expect(error).toMatchObject({ code: "CURSOR_EXPIRED", status: 410, oldestCursor: "77" });
    }
  });
});
