/** The client with a service that is down, busy or inconsistent while a list is processed. */
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

const jobWith = (status: string): Scripted => ({ body: { id: ID, kind: "lookup", status } });

describe("sending a list", () => {
  const send = () => jobs.submit(["51234567"], { kind: "lookup" });

  it("is retried under one idempotency key, so that it creates one list, and sent once without retries", async () => {
    const away = refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE);
    server.answer("reset", away, jobWith("queued"));
    expect(await send()).toMatchObject({ id: ID });
    expect(server.seen.map(({ body }) => body)).toEqual(Array(3).fill('"51234567"\n'));
    const keys = new Set(server.seen.map(({ headers }) => headers["idempotency-key"]));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    server.answer("reset", jobWith("queued"));
    const submitted = jobs.submit(["51234567"], { kind: "lookup", retries: 0 });
    await expect(submitted).rejects.toMatchObject({ code: "CONNECTION_ERROR" });
    expect(server.seen).toHaveLength(1);
  });

  it("that is redirected to a path that only shows lists is reported as such", async () => {
    server.answer({ status: 302, headers: { location: "/v1/jobs" } }, { body: { jobs: [] } });
    await expect(send()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
  });

  it("waits for the rate limit under the same key, or the one given", async () => {
    const later = refusal(429, "RATE_LIMIT_EXCEEDED", AT_ONCE);
    server.answer(later, later, later, jobWith("queued"));
    await jobs.submit(["51234567"], { kind: "lookup", idempotencyKey: "customers-2026-11" });
    const keys = server.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual(Array(4).fill("customers-2026-11"));
  });
});

describe("waiting for a list", () => {
  it("survives a service that is down or busy", async () => {
    const away = refusal(503, "SERVICE_UNAVAILABLE", AT_ONCE);
    server.answer("reset", away, away, away, jobWith("running"), jobWith("completed"));
    expect(await jobs.wait(ID)).toMatchObject({ status: "completed" });
  });

  it("does not end on a response about something else", async () => {
    server.answer(jobWith("running"), { body: { portal: "log in" } });
    await expect(jobs.wait(ID)).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
  });

  it("ends on errors that waiting cannot fix", async () => {
    server.answer(jobWith("running"), refusal(404, "NOT_FOUND"));
    await expect(jobs.wait(ID)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has a time limit, even if the service asks for a longer pause, and reports the last error", async () => {
    server.answer(refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": 3_600 }));
    // Long enough for one response on a slow machine.
    const waiting = jobs.wait(ID, { timeoutMs: 3_000 });
    await expect(waiting).rejects.toMatchObject({ code: "TIMEOUT", cause: { code: "SERVICE_UNAVAILABLE" } });
    server.answer("nothing");
    await expect(jobs.wait(ID, { timeoutMs: 100 })).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("ends on the signal", async () => {
    const controller = new AbortController();
    server.answer(jobWith("running"));
    const waiting = jobs.wait(ID, { signal: controller.signal, onProgress: () => controller.abort() });
    await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
    expect(server.seen).toHaveLength(1);
  });

  it("waits through a pause if requested", async () => {
    server.answer(jobWith("paused"), jobWith("completed"));
    expect(await jobs.wait(ID)).toMatchObject({ status: "paused" });
    server.answer(jobWith("paused"), jobWith("completed"));
    expect(await jobs.wait(ID, { throughPauses: true })).toMatchObject({ status: "completed" });
  });
});

describe("results", () => {
  it("that no longer exist void those that came before", async () => {
    server.answer({ headers: { "content-type": NDJSON, etag: '"none"', "content-length": 0 }, text: "" });
    const from = { at: 7, etag: '"some"' };
    const part = { at: 0, bytes: new Uint8Array(), total: 0, etag: '"none"' };
    expect(await Array.fromAsync(jobs.download(ID, { from }))).toEqual([part]);
    expect(await Array.fromAsync(jobs.download(ID))).toEqual([]);
  });

  it("that always break off at the same place are abandoned", async () => {
    server.answer({ headers: { "content-type": NDJSON }, text: '{"number":"51234567"}\n', cut: true });
    const seen: number[] = [];
    const fetched = async () => {
      for await (const { at } of jobs.download(ID)) seen.push(at);
    };
    await expect(fetched()).rejects.toMatchObject({ code: "CONNECTION_ERROR" });
    expect([server.seen.length, seen.every((at) => at === 0)]).toEqual([3, true]);
  });

  it("that start at another offset than requested are refused, and their connection is closed", async () => {
    let isClosed = false;
    const body = new ReadableStream({
      cancel() {
        isClosed = true;
      },
    });
    const headers = { "content-type": NDJSON, etag: '"some"', "content-range": "bytes 7-9/10" };
    const asking = new Jobs({
      baseUrl: server.address,
      fetch: async () => new Response(body, { status: 206, headers }),
    });
    const from = { at: 3, etag: '"some"' };
    await expect(asking.download(ID, { from }).next()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(isClosed).toBe(true);
  });

  const line = (number: string, name: string) => `${JSON.stringify({ number, result: { name } })}\n`;
  /** A response that announces more bytes than it sends. */
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

  it("that changed meanwhile are read again from the start, and each number is returned once", async () => {
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
  ])("that cannot be resumed are read again from the start: %s", async (_, headers) => {
    const text = line("1", "een") + line("2", "twee");
    server.answer(cut(text.slice(0, 45), headers), whole(text, headers));
    expect(await read()).toEqual(["1 een", "2 twee"]);
    expect(server.seen[1]?.headers.range).toBeUndefined();
  });

  it("that end in the middle of a line without a length are reported as incomplete", async () => {
    server.answer(whole(line("1", "een") + line("2", "twee").slice(0, 12)));
    await expect(read()).rejects.toMatchObject({ code: "UNEXPECTED_ANSWER" });
    server.answer(whole(line("1", "een") + line("2", "twee").trimEnd()));
    expect(await read()).toEqual(["1 een", "2 twee"]);
  });

  it("are awaited for two minutes or the time of a call: longer delays fail at once", async () => {
    server.answer(refusal(503, "SERVICE_UNAVAILABLE", { "retry-after": 130 }));
    await expect(read()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 130 });
    expect(server.seen).toHaveLength(1);
  });

  it("of something else are reported as such", async () => {
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
