/** Any number of queries behind one call of the client. */
import { beforeAll, describe, expect, it } from "vitest";
import { type BatchProgress, Opzoek } from "../../client/src/index.ts";
import { refusal, type Scripted, type ScriptedServer, startScripted } from "./scripted.ts";

const KEY = "opz_live_not_a_real_one";

let server: ScriptedServer;
let opzoek: Opzoek;
beforeAll(async () => {
  server = await startScripted();
  opzoek = new Opzoek({ baseUrl: server.address, key: KEY });
});

describe("a match", () => {
  const matches = (from: number, count: number): Scripted => ({
    body: {
      results: Array.from({ length: count }, (_, at) => ({
        id: String(from + at),
        decision: "none",
        candidates: [],
      })),
      tokensUsed: count,
    },
  });
  const queries = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `Fabel ${at}` }));
  const sent = () =>
    server.seen.map(({ path, body }) => ({ path, ...(JSON.parse(body) as { queries: { id: string }[] }) }));

  it("of any length is sent in hundreds and in order, with the index among all queries as id, and reports progress", async () => {
    server.answer(matches(0, 100), matches(100, 50));
    const updates: BatchProgress[] = [];
    const given = queries(150).map((query, at) => (at === 149 ? { ...query, id: "last" } : query));
    const answer = await opzoek.match(given, {
      limit: 1,
      isActive: true,
      onProgress: (progress) => updates.push(progress),
    });
    expect(sent()).toMatchObject([
      { path: "/v1/match", limit: 1, isActive: true },
      { path: "/v1/match", limit: 1, isActive: true },
    ]);
    const ids = sent().flatMap((body) => body.queries.map(({ id }) => id));
    expect(ids).toEqual([...Array.from({ length: 149 }, (_, at) => String(at)), "last"]);
    expect(updates).toEqual([
      { done: 100, total: 150, tokensUsed: 100 },
      { done: 150, total: 150, tokensUsed: 150 },
    ]);
    expect([answer.results.length, answer.tokensUsed]).toEqual([150, 150]);
  });

  it("of nothing sends nothing", async () => {
    server.answer(refusal(400, "INVALID_REQUEST"));
    expect(await opzoek.match([])).toEqual({ results: [], tokensUsed: 0 });
    expect(server.seen).toEqual([]);
  });

  it("that stops midway returns the paid results, and lists the remaining queries with their ids", async () => {
    server.answer(matches(0, 100), refusal(429, "QUOTA_EXCEEDED", { "retry-after": 0 }));
    await expect(opzoek.match(queries(101))).rejects.toMatchObject({
      code: "QUOTA_EXCEEDED",
      partialMatch: { tokensUsed: 100, remaining: [{ id: "100", name: "Fabel 100" }] },
    });
  });

  it("waits while another match call of the account is in progress", async () => {
    server.answer(refusal(429, "RATE_LIMIT_EXCEEDED", { "retry-after": 0 }), matches(0, 1));
    const hurried = new Opzoek({ baseUrl: server.address, key: KEY, retries: 0 });
    const answer = await hurried.match(queries(1));
    expect([answer.tokensUsed, server.seen.length]).toEqual([1, 2]);
  });
});
