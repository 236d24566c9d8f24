/** What the client makes of a service that is away, busy, or changes its mind, while a list is worked off. */
import { beforeAll, describe, expect, it } from "vitest";
import { Jobs, type ResultLine } from "../../client/src/jobs/index.ts";
import { refusal, type Scripted, type ScriptedServer, startScripted } from "./scripted.ts";

const ID = "job_0123456789abcdefABCDEF";
const AT_ONCE = { "retry-after": 0 };
const NDJSON = "application/x-ndjson";

let server: ScriptedServer;
let jobs: Jobs;
beforeAll(async () => {
  server = await startScripted();
  jobs = new Jobs({ baseUrl: server.address, key: "opz_live_not_a_real_one" });
});

const told = (status: string): Scripted => ({ body: { id: ID, kind: "lookup", status } });

describe("sending a list", () => {
  const send = () => jobs.submit(["51234567"], { kind: "lookup" });

  it("is tried again under one key, so that it is one list, and once where nothing is to be tried again", async () => {
    const away = refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE);
    server.answer("reset", away, told("queued"));
    expect(await send()).toMatchObject({ id: ID });
    expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill('"51234567"\n'));
    const keys = new Set(server.seen.map(({ headers }) => headers["idempotency-key"]));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    server.answer("reset", told("queued"));
    const once = jobs.submit(["51234567"], { kind: "lookup", retries: 0 });
    await expect(once).rejects.toMatchObject({ code: "CONNECTION_ERROR" });
    expect(server.seen).toHaveLength(1);
  });

  it("that is led elsewhere, where lists are shown and none is taken, is told as that", async () => {
    server.answer({ status: 302, headers: { location: "/v1/jobs" } }, { body: { jobs: [] } });
    await expect(send()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("waits for the rate under the same key, or the one that was given", async () => {
    const later = refusal(429, "RATE_LIMIT_EXCEEDED", AT_ONCE);
    server.answer(later, later, later, told("queued"));
    await jobs.submit(["51234567"], { kind: "lookup", idempotencyKey: "customers-2026-11" });
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(Array(4).fill("customers-2026-11"));
  });
});

describe("waiting for a list", () => {
  it("outlasts a service that is away or busy", async () => {
    const away = refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE);
    server.answer("reset", away, away, away, told("running"), told("completed"));
    expect(await jobs.wait(ID)).toMatchObject({ status: "completed" });
  });

  it("is not over for an answer of something else", async () => {
    server.answer(told("running"), { body: { portal: "log in" } });
    await expect(jobs.wait(ID)).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
  });

  it("ends with what waiting does not mend", async () => {
    server.answer(told("running"), refusal(404, "NOT_FOUND"));
    await expect(jobs.wait(ID)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is bounded, also where the service asks for a longer pause, and says what went wrong last", async () => {
    server.answer(refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": 3_600 }));
    // Long enough for one answer on a machine with no time.
    const waiting = jobs.wait(ID, { timeoutMs: 3_000 });
    await expect(waiting).rejects.toMatchObject({ code: "TIMEOUT", cause: { code: "SERVICE_UNAVAILABLE" } });
    server.answer("nothing");
    await expect(jobs.wait(ID, { timeoutMs: 100 })).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("ends with the signal", async () => {
    const giver = new AbortController();
    server.answer(told("running"));
    const waiting = jobs.wait(ID, { signal: giver.signal, onProgress: () => giver.abort() });
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    expect(server.seen).toHaveLength(1);
  });

  it("waits through a pause where that is asked", async () => {
    server.answer(told("paused"), told("completed"));
    expect(await jobs.wait(ID)).toMatchObject({ status: "paused" });
    server.answer(told("paused"), told("completed"));
    expect(await jobs.wait(ID, { throughPauses: true })).toMatchObject({ status: "completed" });
  });
});

describe("results", () => {
  it("that are none any more void what came before", async () => {
    server.answer({ headers: { "content-type": NDJSON, etag: '"none"', "content-length": 0 }, text: "" });
    const from = { at: 7, etag: '"some"' };
    const part = { at: 0, bytes: new Uint8Array(), total: 0, etag: '"none"' };
    expect(await Array.fromAsync(jobs.download(ID, { from }))).toEqual([part]);
    expect(await Array.fromAsync(jobs.download(ID))).toEqual([]);
  });

  it("that always break off at the same place are given up", async () => {
    server.answer({ headers: { "content-type": NDJSON }, text: '{"number":"51234567"}\n', cut: true });
    const seen: number[] = [];
    const fetched = async () => {
      for await (const { at } of jobs.download(ID)) seen.push(at);
    };
    await expect(fetched()).rejects.toMatchObject({ code: "CONNECTION_ERROR" });
    expect([server.seen.length, seen.every((at) => at === 0)]).toEqual([3, true]);
  });

  it("that begin elsewhere than was asked are refused, and their connection is let go", async () => {
    let isLetGo = false;
    const body = new ReadableStream({
      cancel() {
        isLetGo = true;
      },
    });
    const headers = { "content-type": NDJSON, etag: '"some"', "content-range": "bytes 7-9/10" };
    const asking = new Jobs({
      baseUrl: server.address,
      fetch: async () => new Response(body, { status: 206, headers }),
    });
    const from = { at: 3, etag: '"some"' };
    await expect(asking.download(ID, { from }).next()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(isLetGo).toBe(true);
  });

  const line = (number: string, name: string) => `${JSON.stringify({ number, result: { name } })}\n`;
  /** An answer that promises more than it brings. */
  const cut = (text: string, headers: Record<string, string | number>): Scripted => ({
    headers: { "content-type": NDJSON, ...headers },
    text,
    cut: true,
  });
  const whole = (text: string, headers: Record<string, string | number> = {}): Scripted => ({
    headers: { "content-type": NDJSON, ...headers },
    text,
  });
  const read = async () => {
    const lines: ResultLine<"lookup">[] = [];
    for await (const one of jobs.results({ id: ID, kind: "lookup" })) lines.push(one);
    return lines.map(({ number, result }) => `${number} ${result?.name}`);
  };

  it("that changed meanwhile are read anew, and each number is told once", async () => {
    server.answer(
      cut(line("1", "één") + line("2", "twee").slice(0, 12), { etag: '"a"' }),
      whole(line("1", "withheld") + line("2", "twee") + line("3", "drie"), { etag: '"b"' }),
    );
    expect(await read()).toEqual(["1 één", "2 twee", "3 drie"]);
    expect(server.seen[1]?.headers["if-range"]).toBe('"a"');
  });

  it.each([
    ["a weak tag", { etag: 'W/"a"' }],
    ["no tag", {}],
  ])("whose parts cannot be named are read anew: %s", async (_, headers) => {
    const text = line("1", "een") + line("2", "twee");
    server.answer(cut(text.slice(0, 45), headers), whole(text, headers));
    expect(await read()).toEqual(["1 een", "2 twee"]);
    expect(server.seen[1]?.headers.range).toBeUndefined();
  });

  it("that end in the midst of a line, where nothing says how long they are, are told as that", async () => {
    server.answer(whole(line("1", "een") + line("2", "twee").slice(0, 12)));
    await expect(read()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    server.answer(whole(line("1", "een") + line("2", "twee").trimEnd()));
    expect(await read()).toEqual(["1 een", "2 twee"]);
  });

  it("are not waited for longer than two minutes, or the time of a call: the error comes at once", async () => {
    server.answer(refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": 130 }));
    await expect(read()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 130 });
    expect(server.seen).toHaveLength(1);
  });

  it("of something else are told as that", async () => {
    for (const answer of [
      { headers: { "content-type": "text/html" }, text: "<h1>Log in</h1>" },
      { text: '{"fine": true}' },
      whole("<h1>Log in</h1>\n"),
    ]) {
      server.answer(answer);
      await expect(read()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    }
    server.answer(refusal(404, "NOT_FOUND"));
    await expect(read()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
