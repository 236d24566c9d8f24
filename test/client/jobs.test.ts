/** Lists through the client, on a real service, over connections that break. */
import { beforeAll, describe, expect, it } from "vitest";
import { Jobs, type ResultLine } from "../../client/src/jobs/index.ts";
import { BAKERY, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { type CuttingProxy, startCuttingProxy } from "../kit/cuttingProxy.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

const HELD = [BAKERY, ...PLAIN];
const NUMBERS = [...HELD, UNKNOWN, "123"];

let inside: InProcess;
let jobs: Jobs;
let key: string;
let address: string;
let proxy: CuttingProxy;

beforeAll(async () => {
  const tiers = { few: { monthlyTokens: 20, ratePerMinute: 1_000 } };
  const world = await makeWorld({ tiers, environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
  inside = await composeInProcess(world, { listOptions: { pollEveryMs: 10 } });
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  proxy = await startCuttingProxy(address);
  ({ key } = await inside.account("plenty"));
  jobs = new Jobs({ baseUrl: proxy.address, key });
});

async function all<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}

const number = ({ number: sent }: ResultLine) => sent;

describe("a list", () => {
  it("is priced, sent, awaited and read, each line with its result or the reason for having none", async () => {
    const own = new Jobs({ baseUrl: proxy.address, key: (await inside.account("plenty")).key });
    const priced = await own.submit(NUMBERS, { kind: "lookup", dryRun: true });
    expect(priced).toMatchObject({ counts: { sent: NUMBERS.length }, tokens: { charged: 0 } });
    expect(priced).not.toHaveProperty("id");
    expect(await own.list()).toEqual([]);

    const job = await own.submit(NUMBERS, { kind: "lookup", maxTokens: 1_000 });
    const progress: number[] = [];
    const ended = await own.wait(job, { onProgress: ({ counts }) => progress.push(counts.done) });
    expect(ended).toMatchObject({
      id: job.id,
      status: "completed",
      tokens: { charged: HELD.length, max: 1_000 },
    });
    expect(progress.at(-1)).toBe(NUMBERS.length);
    const lines = await all(own.results(job));
    expect(lines.map(number)).toEqual(NUMBERS);
    expect(lines[0]?.result?.name).toContain("Fabelkorst");
    expect(lines.slice(-2).map(({ error }) => error?.code)).toEqual(["NOT_FOUND", "INVALID_KVK_NUMBER"]);
    expect((await own.list()).map(({ id }) => id)).toEqual([job.id]);
  });

  it("is one list under one idempotency key, however often a program sends it", async () => {
    const send = () => jobs.submit([BAKERY], { kind: "lookup", idempotencyKey: "customers-2026-11" });
    const { id } = await send();
    expect(await send()).toMatchObject({ id });
    await expect(
      jobs.submit([UNKNOWN], { kind: "lookup", idempotencyKey: "customers-2026-11" }),
    ).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it.each<[string, string | Blob, "jsonl" | "csv" | undefined]>([
    ["JSON lines", `{"kvkNumber": "${BAKERY}"}\n"${UNKNOWN}"\n`, undefined],
    ["CSV", `KvK-nummer;naam\n${BAKERY};De Fabelkorst\n${UNKNOWN};\n`, "csv"],
    ["a file of CSV", new Blob([`kvk,naam\n${BAKERY},x\n${UNKNOWN},y\n`], { type: "text/csv" }), undefined],
  ])("is sent as %s", async (_, numbers, format) => {
    const priced = await jobs.submit(numbers, { kind: "lookup.enriched", dryRun: true, format });
    expect(priced).toMatchObject({ kind: "lookup.enriched", counts: { sent: 2 }, tokens: { estimated: 10 } });
  });

  it("that is too long is refused by the service, however long it is", async () => {
    function* endless() {
      for (let at = 0; ; at++) yield String(10_000_000 + (at % 90_000_000));
    }
    // The proxy closes connections, on which the rest of a refused list is lost.
    const direct = new Jobs({ baseUrl: address, key: (await inside.account("plenty")).key });
    const refused = direct.submit(endless(), { kind: "lookup", dryRun: true });
    await expect(refused).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE", status: 413 });
  });

  it("stops waiting at a pause, resumes with a higher cap, and can be cancelled", async () => {
    const sent = await jobs.submit(NUMBERS, { kind: "lookup", maxTokens: 5 });
    expect(await jobs.wait(sent)).toMatchObject({ status: "paused", reason: "cap", tokens: { charged: 5 } });
    await expect(jobs.resume(sent)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    expect(await jobs.resume(sent, { maxTokens: 10 })).toMatchObject({ id: sent.id, tokens: { max: 10 } });
    expect(await jobs.wait(sent.id)).toMatchObject({ status: "paused", tokens: { charged: 10 } });
    expect(await jobs.pause(sent.id)).toMatchObject({ status: "paused", reason: "caller" });
    expect(await jobs.cancel(sent)).toMatchObject({ status: "cancelled" });
    expect(await all(jobs.results(sent))).toEqual([]);
    await expect(jobs.get("job_0000000000000000000000")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(jobs.get("../usage")).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("reports that the allowance ran out, with the results so far", async () => {
    const poor = new Jobs({ baseUrl: proxy.address, key: (await inside.account("few")).key });
    const job = await poor.submit(NUMBERS, { kind: "lookup" });
    expect(await poor.wait(job)).toMatchObject({ status: "paused", reason: "allowance" });
    expect(await all(poor.results(job))).toHaveLength(20);
    const secret = await poor.newWebhookSecret();
    expect(secret).toMatch(/^whsec_/);
    expect(await poor.newWebhookSecret()).not.toBe(secret);
  });
});

describe("results over connections that break", () => {
  let id: string;
  let whole: readonly ResultLine[];
  beforeAll(async () => {
    ({ id } = await jobs.submit(NUMBERS, { kind: "lookup" }));
    await jobs.wait(id);
    whole = await all(jobs.results(id));
  });

  it("are each returned once, and no byte is fetched twice", async () => {
    // Cut in the middle of a line, right after a line break, and immediately after that.
    const firstLine = Buffer.byteLength(`${JSON.stringify(whole[0])}\n`);
    proxy.cut(firstLine + 7, 5_000, firstLine);
    expect(await all(jobs.results(id, { retries: 1 }))).toEqual(whole);
    expect(proxy.ranges).toEqual([
      undefined,
      `bytes=${firstLine + 7}-`,
      `bytes=${firstLine + 5_007}-`,
      `bytes=${2 * firstLine + 5_007}-`,
    ]);
  });

  it("fail after the allowed number of attempts when nothing more arrives", async () => {
    proxy.cut(2_000, 0, 0, 0);
    await expect(all(jobs.results(id, { retries: 2 }))).rejects.toMatchObject({ code: "CONNECTION_ERROR" });
    expect(proxy.ranges).toEqual([undefined, "bytes=2000-", "bytes=2000-"]);
    proxy.cut();
  });

  it("can be aborted by the signal, and by leaving the loop", async () => {
    const controller = new AbortController();
    const read = async () => {
      for await (const _ of jobs.results(id, { signal: controller.signal })) controller.abort();
      for await (const _ of jobs.results(id, { signal: controller.signal })) break;
    };
    await expect(read()).rejects.toMatchObject({ name: "AbortError" });
    for await (const { number: first } of jobs.results(id)) {
      expect(first).toBe(BAKERY);
      break;
    }
  });

  it("resume as bytes where an earlier download ended, and need no request when it was complete", async () => {
    const csv = await all(jobs.download(id, { format: "csv" }));
    const [{ etag = "", total = 0 } = {}] = csv;
    const bytes = Buffer.concat(csv.map((part) => part.bytes));
    expect([bytes.length, bytes.toString().split("\r\n").length]).toEqual([total, NUMBERS.length + 2]);
    const from = { at: 1_000, etag };
    const rest = await all(jobs.download(id, { format: "csv", from }));
    expect(rest[0]?.at).toBe(1_000);
    expect(Buffer.concat(rest.map((part) => part.bytes))).toEqual(bytes.subarray(1_000));
    expect(await all(jobs.download(id, { format: "csv", from: { at: total, etag } }))).toEqual([]);
    const other = await all(jobs.download(id, { format: "csv", from: { at: 1_000, etag: '"other"' } }));
    expect([other[0]?.at, Buffer.concat(other.map((part) => part.bytes)).length]).toEqual([0, total]);
  });
});
