/**
 * Misbehaving uploads over a socket: each list is accepted or refused with a message, and an aborted one leaves
 * nothing.
 */
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it } from "vitest";
import { JOB_BOUNDS } from "../../src/contract/jobs.ts";
import { statePath } from "../../src/database/sqlite/statePath.ts";
import { type Answer, codeOf, jsonOf, messageOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { FERRY, PLAIN } from "../kit/companies.ts";
import { parseAnswer } from "../kit/rawSocket.ts";
import { type Service, startService } from "../kit/service.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";
import { completed, results, send } from "./lists.ts";

const JSON_LINES = "application/x-ndjson";
const LINE = '"51000000"\n';
const NUMBERS = PLAIN.slice(0, 20);
/** An idle service uses about 150 MB. */
const MAX_MEMORY_KB = 600_000;
/** More than a thread receives at once. */
const MANY_ABORTED = 30;

let world: World;
let service: Service;
let key: string;
beforeAll(async () => {
  world = await makeWorld({ tiers: { none: { ...PLENTY, monthlyTokens: 0 } } });
  ({ key } = await world.account("plenty"));
  service = await startService(world);
});

type Framing = Readonly<Record<string, string>>;
const CHUNKED: Framing = { "transfer-encoding": "chunked" };
const ofLength = (bytes: number): Framing => ({ "content-length": String(bytes) });

/** A connection that has sent the head of a list and nothing of its body. */
class Upload {
  readonly socket: Socket;
  readonly #parts: Buffer[] = [];
  readonly #closed: Promise<void>;

  constructor(framing: Framing, query = "kind=lookup", type = JSON_LINES) {
    this.socket = connect({ port: service.port, host: "127.0.0.1" });
    this.socket.on("data", (part) => this.#parts.push(Buffer.from(part)));
    // The test reads the responses sent before the other side hung up.
    this.socket.on("error", () => {});
    this.#closed = new Promise((resolve) => this.socket.once("close", () => resolve()));
    const headers = { host: "x", authorization: `Bearer ${key}`, "content-type": type, ...framing };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`POST /v1/jobs?${query} HTTP/1.1\r\n${lines.join("")}\r\n`);
  }

  /** Sends a part, optionally as a chunk; resolves when it was sent or the connection is closed. */
  async write(part: string, isChunk = false): Promise<void> {
    const bytes = isChunk ? `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n` : part;
    await new Promise<void>((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** Reads the given number of responses, then closes the connection. */
  async answers(count: number): Promise<readonly Answer[]> {
    const all = await until("the responses are there", () => {
      const received = answersIn(Buffer.concat(this.#parts));
      return (received.length >= count || this.socket.destroyed) && received;
    });
    this.socket.destroy();
    return all;
  }

  get closed(): Promise<void> {
    return this.#closed;
  }
}

/** Complete consecutive responses. */
function answersIn(bytes: Buffer): readonly Answer[] {
  const text = bytes.toString("utf8");
  const starts = [...text.matchAll(/HTTP\/1\.1 [0-9]{3} /g)].map(({ index }) => index);
  return starts
    .map((start, nth) => text.slice(start, starts[nth + 1]))
    .filter((one) => one.includes("\r\n\r\n") && one.trimEnd().endsWith("}"))
    .map((one) => parseAnswer(Buffer.from(one)));
}

/** The number of stored lists, numbers and results. */
function storedCounts(): readonly number[] {
  const database = new DatabaseSync(statePath(world.dataDir), { readOnly: true });
  const counts = ["jobs", "job_blocks", "job_results"].map((table) => {
    const row = database.prepare(`select count(*) as count from ${table}`).get();
    return Number(row?.["count"]);
  });
  database.close();
  return counts;
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${60_000_000 + index}"\n`).join("");
}

async function expectAlive(): Promise<void> {
  const taken = await send(service, key, [FERRY], "kind=lookup&dryRun=true");
  expect([taken.status, service.program.child.exitCode]).toEqual([200, null]);
}

describe("an aborted list", () => {
  it.each<[string, Framing, (upload: Upload) => Promise<unknown>]>([
    ["by a reset", ofLength(1_000_000), async ({ socket }) => socket.resetAndDestroy()],
    ["by an end of the connection", ofLength(1_000_000), async ({ socket }) => socket.destroy()],
    ["by an end of what is sent", ofLength(1_000_000), async ({ socket }) => socket.end()],
    ["within a chunk", CHUNKED, async ({ socket }) => socket.end()],
  ])("an upload ended by %s leaves nothing, however often", async (_how, framing, breakOff) => {
    const before = storedCounts();
    await Promise.all(
      Array.from({ length: MANY_ABORTED }, async () => {
        const upload = new Upload(framing);
        // The last line is half a number.
        await upload.write(
          framing === CHUNKED ? `ffff\r\n${LINE.repeat(500)}"5100` : `${LINE.repeat(500)}"5100`,
        );
        await breakOff(upload);
        await upload.closed;
      }),
    );
    // The places of aborted uploads are free again.
    await until(
      "lists are accepted",
      async () => (await send(service, key, [FERRY], "kind=lookup&dryRun=true")).status === 200,
    );
    expect(storedCounts()).toEqual(before);
    await expectAlive();
  });
});

describe("a list", () => {
  const BODY = NUMBERS.map((number) => `"${number}"\n`).join("");

  it("is accepted in chunks that end within lines, and with a Content-Length", async () => {
    const chunked = new Upload(CHUNKED, "kind=lookup&dryRun=true");
    for (let at = 0; at < BODY.length; at += 7) await chunked.write(BODY.slice(at, at + 7), true);
    await chunked.write("0\r\n\r\n");
    const whole = new Upload(ofLength(BODY.length), "kind=lookup&dryRun=true");
    await whole.write(BODY);
    for (const upload of [chunked, whole]) {
      const [answer] = await upload.answers(1);
      expect([answer?.status, answer && jsonOf(answer)]).toMatchObject([200, { counts: { numbers: 20 } }]);
    }
  });

  it.each<[string, () => { type?: string; body: string }, [number, string, RegExp]]>([
    [
      "that is larger than allowed",
      () => ({ body: LINE.repeat(1_000_000) }),
      [413, "PAYLOAD_TOO_LARGE", /bytes/],
    ],
    [
      "of 100,001 numbers",
      () => ({ body: numbered(JOB_BOUNDS.maxNumbers + 1) }),
      [413, "PAYLOAD_TOO_LARGE", /100000 numbers/],
    ],
    [
      "of CSV without a known column in its header",
      () => ({ type: "text/csv", body: `name,city\n${"Veer,Utrecht\n".repeat(400_000)}` }),
      [400, "INVALID_REQUEST", /first row/],
    ],
    [
      "of CSV with 100,001 numbers",
      () => ({ type: "text/csv", body: `kvk\n${numbered(JOB_BOUNDS.maxNumbers + 100_000)}` }),
      [413, "PAYLOAD_TOO_LARGE", /100000 numbers/],
    ],
    [
      "of another type",
      () => ({ type: "text/plain", body: LINE.repeat(100_000) }),
      [415, "UNSUPPORTED_MEDIA_TYPE", /ndjson/],
    ],
  ])(
    "%s is refused with a message, and its connection stays usable",
    async (_which, made, [status, code, message]) => {
      const { type, body } = made();
      for (const framing of [CHUNKED, ofLength(body.length)]) {
        const before = storedCounts();
        const upload = new Upload(framing, "kind=lookup", type);
        for (let at = 0; at < body.length; at += 100_000)
          await upload.write(body.slice(at, at + 100_000), framing === CHUNKED);
        if (framing === CHUNKED) await upload.write("0\r\n\r\n");
        await upload.write(`GET /v1/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
        const [refused, next] = await upload.answers(2);
        expect([refused && codeOf(refused), refused?.status, next?.status]).toEqual([code, status, 200]);
        expect(refused && messageOf(refused)).toMatch(message);
        expect(storedCounts()).toEqual(before);
      }
    },
  );

  it("uses the column named in its header, from any program, and hints at lost leading zeros", async () => {
    const csv = (text: string, more: Framing = {}) =>
      ask(service, {
        method: "POST",
        path: "/v1/jobs?kind=lookup",
        key,
        headers: { "content-type": "Text/CSV; charset=utf-8", ...more },
        body: text,
      });
    const files = [
      `\ufeffNaam;KVK-nummer\r\n"Veer; Het ""Verzonnen""";${FERRY}\r\n"twee\r\nregels";"${FERRY}"\r\nx;1234567`,
      `kvkNumber\n${FERRY}\n ${FERRY} \n1234567\n`,
    ];
    for (const file of files) {
      const taken = await csv(file);
      expect(taken.status).toBe(202);
      const { id } = jsonOf(taken) as { id: string };
      expect(await completed(service, key, id)).toMatchObject({
        counts: { sent: 3, duplicates: 1, numbers: 2, found: 1, failed: 1 },
        tokens: { estimated: 1, charged: 1 },
      });
      // A number without its leading zero is not corrected: it could be another company's.
      expect(await results(service, key, id)).toMatchObject([
        { number: FERRY, result: { kvkNumber: FERRY } },
        {
          number: "1234567",
          error: { code: "INVALID_KVK_NUMBER", message: expect.stringContaining("leading zero") },
        },
      ]);
    }
  });

  it("among many sent at once is accepted while its account is below its limit", async () => {
    const { key: poor } = await world.account("none");
    const all = await Promise.all(
      Array.from({ length: JOB_BOUNDS.maxOpen + 6 }, async () =>
        // Lists refused because too many are being received are sent again, as the error advises.
        until("it is accepted or refused", async () => {
          const answer = await send(service, poor, NUMBERS);
          return answer.status !== 503 && answer;
        }),
      ),
    );
    const refused = all.filter(({ status }) => status !== 202);
    expect(all.length - refused.length).toBe(JOB_BOUNDS.maxOpen);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(["FORBIDDEN"]));
    const { jobs } = jsonOf(await ask(service, { path: "/v1/jobs", key: poor })) as { jobs: unknown[] };
    expect(jobs).toHaveLength(JOB_BOUNDS.maxOpen);
  });
});

it("the memory of the service stays bounded, whatever was sent", () => {
  const status = readFileSync(`/proc/${service.program.child.pid}/status`, "utf8");
  const peakKb = Number(/VmHWM:\s+([0-9]+) kB/.exec(status)?.[1]);
  expect(peakKb).toBeLessThan(MAX_MEMORY_KB);
});
