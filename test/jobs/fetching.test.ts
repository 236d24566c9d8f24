/**
 * Results can be fetched while a list runs, in consistent parts, and for seven days; the input is deleted when the list
 * ends.
 */

import { readFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../src/http/server.ts";
import { type Answer, codeOf, jsonOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { letPass } from "../kit/evenClock.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { storedTexts } from "../kit/storedState.ts";
import { until } from "../kit/until.ts";
import { makeWorld, type TestAccount, temporaryFolder, type World } from "../kit/world.ts";
import { begun, change, completed, type Line, list, listWhen, results } from "./lists.ts";

const DAY_MS = 86_400_000;
const TOO_MANY = 429;
/** A number that no company has and that occurs nowhere else in a state. */
const INPUT_ONLY_NUMBER = "60987654";

let world: World;
let inside: InProcess;
let service: { readonly port: number };
let account: TestAccount;

beforeAll(async () => {
  world = await makeWorld();
  inside = await composeInProcess(world, { listOptions: { pollEveryMs: 20, retryPausedMs: 100 } });
  service = { port: Number(new URL(await listen(inside.app, "127.0.0.1", 0)).port) };
  account = await inside.account("plenty");
});

const pathOf = (id: string, format = "jsonl") => `/v1/jobs/${id}/results?format=${format}`;

/** Reads some bytes of a download and hangs up. */
function brokenOff(path: string, maxBytes: number): Promise<{ bytes: Buffer; etag: string }> {
  return until("a place for the download is free", () => tryToBreakOff(path, maxBytes));
}

/** Undefined while earlier broken downloads occupy all of the account's places. */
function tryToBreakOff(path: string, maxBytes: number): Promise<{ bytes: Buffer; etag: string } | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${account.key}` };
    const request = get(
      { port: service.port, host: "127.0.0.1", path, headers, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on("error", () => {});
        if (response.statusCode === TOO_MANY) {
          response.resume();
          resolve(undefined);
          return;
        }
        response.on("data", (part: Buffer) => {
          parts.push(part);
          const bytes = Buffer.concat(parts);
          if (bytes.length < maxBytes) return;
          response.destroy();
          resolve({ bytes: bytes.subarray(0, maxBytes), etag: response.headers.etag ?? "" });
        });
      },
    );
    request.on("error", reject);
  });
}

/** Retries while broken downloads occupy all of the account's places: the service notices a moment later. */
function fetched(download: TestRequest): Promise<Answer> {
  return until("a place for the download is free", async () => {
    const answer = await ask(service, download);
    return answer.status !== TOO_MANY && answer;
  });
}

/** All stored text, except for the results of lists. */
async function stored(): Promise<string> {
  const file = join(temporaryFolder(), "state.jsonl");
  const { code, err } = await opzoek(["state", "export", "--out", file], world.environment);
  expect(code, err).toBe(0);
  return readFileSync(file, "utf8");
}

const rowsOf = async (table: string, id: string) => {
  const column = table === "jobs" ? "id" : "job_id";
  const [count] = await storedTexts(world, `select count(*) from ${table} where ${column} = '${id}'`);
  return Number(count);
};

/** Large deletions run in steps. */
const goneFrom = (table: string, id: string) =>
  until(`${table} has nothing of it`, async () => (await rowsOf(table, id)) === 0);

describe("a download", () => {
  it("that is requested by HEAD reads no results", async () => {
    let reads = 0;
    const counting = await composeInProcess(await makeWorld(), {
      listOptions: { pollEveryMs: 20 },
      replace: ({ state }) => ({
        state: {
          ...state,
          jobs: {
            ...state.jobs,
            results: (...args) => {
              reads += 1;
              return state.jobs.results(...args);
            },
          },
        },
      }),
    });
    const at = { port: Number(new URL(await listen(counting.app, "127.0.0.1", 0)).port) };
    const { key } = await counting.account("plenty");
    const { id } = await begun(at, key, PLAIN);
    await completed(at, key, id);
    const before = reads;
    const whole = await ask(at, { path: pathOf(id), key });
    const ofOne = reads - before;
    expect(ofOne).toBeGreaterThan(0);
    const head = await ask(at, { method: "HEAD", path: pathOf(id), key });
    const length = String(Buffer.byteLength(whole.text));
    expect(head).toMatchObject({
      status: 200,
      headers: { "content-length": length, etag: whole.headers["etag"] },
    });
    await ask(at, { path: pathOf(id), key });
    expect(reads - before).toBe(2 * ofOne);
  });

  it.each(["jsonl", "csv"])("that was broken off anywhere resumes, as %s", async (format) => {
    const { key } = account;
    const { id } = await begun(service, key, [...PLAIN, INPUT_ONLY_NUMBER], "kind=lookup.enriched");
    await completed(service, key, id);
    const whole = await fetched({ path: pathOf(id, format), key });
    const all = Buffer.from(whole.text);
    let have = Buffer.alloc(0);
    // At three places, each within a line.
    for (const maxBytes of [1, 1_000, Math.floor(all.length / 2)]) {
      const first = await brokenOff(pathOf(id, format), maxBytes);
      const range = { range: `bytes=${maxBytes}-`, "if-range": first.etag };
      const rest = await fetched({ path: pathOf(id, format), key, headers: range });
      expect([rest.status, rest.headers["content-range"]]).toEqual([
        206,
        `bytes ${maxBytes}-${all.length - 1}/${all.length}`,
      ]);
      have = Buffer.concat([first.bytes, Buffer.from(rest.text)]);
      expect(have.equals(all)).toBe(true);
    }
    const last = await fetched({ path: pathOf(id, format), key, headers: { range: "bytes=-7" } });
    expect([last.status, last.text]).toEqual([206, all.subarray(-7).toString()]);
    // A range after the end gets a response that says so.
    const beyond = await fetched({
      path: pathOf(id, format),
      key,
      headers: { range: `bytes=${all.length}-` },
    });
    expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, `bytes */${all.length}`]);
    for (const range of ["bytes=9-3", "bytes=0-1,4-5", "lines=1-2", "bytes=x"]) {
      const answer = await fetched({ path: pathOf(id, format), key, headers: { range } });
      expect([answer.status, numberIn(answer, "content-length")]).toEqual([200, all.length]);
    }
    const head = await fetched({ method: "HEAD", path: pathOf(id, format), key });
    expect([head.status, head.headers["etag"], head.text]).toEqual([200, whole.headers["etag"], ""]);
  });

  it("while the list runs brings the results so far, and resumes only the same version", async () => {
    const { key } = account;
    const { id } = await begun(service, key, PLAIN, "kind=lookup&maxTokens=70");
    const part = async () => ask(service, { path: pathOf(id), key });
    const some = await until("some results are there", async () => {
      const answer = await part();
      return answer.text.length > 0 && answer;
    });
    await listWhen(service, key, id, ({ status }) => status === "paused");
    const paused = await part();
    expect(paused.text.startsWith(some.text)).toBe(true);
    expect(paused.text.trimEnd().split("\n")).toHaveLength(70);
    await change(service, key, id, "resume?maxTokens=1000");
    await completed(service, key, id);
    const whole = await part();
    expect(whole.text.startsWith(paused.text)).toBe(true);
    const headers = {
      range: `bytes=${Buffer.byteLength(paused.text)}-`,
      "if-range": paused.headers["etag"] ?? "",
    };
    const full = await ask(service, { path: pathOf(id), key, headers });
    expect([full.status, full.text]).toEqual([200, whole.text]);
    const rest = await ask(service, { path: pathOf(id), key, headers: { range: headers.range } });
    expect([rest.status, paused.text + rest.text]).toEqual([206, whole.text]);
  });

  it("of a list without results yet is empty", async () => {
    const { key } = await inside.account("free");
    const poor = await begun(service, key, PLAIN, "kind=lookup.enriched&maxTokens=1");
    const empty = await ask(service, { path: pathOf(poor.id), key });
    expect([empty.status, empty.text, numberIn(empty, "content-length")]).toEqual([200, "", 0]);
    const range = await ask(service, { path: pathOf(poor.id), key, headers: { range: "bytes=0-" } });
    expect([range.status, range.headers["content-range"]]).toEqual([416, "bytes */0"]);
  });
});

describe("the input of a list", () => {
  it("is deleted when the list ends, and its results when it is cancelled", async () => {
    const { key } = account;
    const { id } = await begun(service, key, [...PLAIN, INPUT_ONLY_NUMBER], "kind=lookup&maxTokens=5");
    await listWhen(service, key, id, ({ status }) => status === "paused");
    expect([await rowsOf("job_blocks", id), await rowsOf("job_results", id)]).toEqual([1, 1]);
    await change(service, key, id, "resume?maxTokens=1000");
    await completed(service, key, id);
    expect(await rowsOf("job_blocks", id)).toBe(0);
    expect((await results(service, key, id)).map(({ number }: Line) => number)).toContain(INPUT_ONLY_NUMBER);
    await change(service, key, id, "cancel");
    expect(await list(service, key, id)).toMatchObject({ status: "cancelled" });
    expect(await results(service, key, id)).toEqual([]);
    await goneFrom("job_results", id);
  });

  it("is deleted when the list is cancelled halfway", async () => {
    const { key } = account;
    const { id } = await begun(service, key, [INPUT_ONLY_NUMBER, ...PLAIN], "kind=lookup&maxTokens=5");
    await listWhen(service, key, id, ({ status }) => status === "paused");
    await change(service, key, id, "cancel");
    expect(await rowsOf("job_blocks", id)).toBe(0);
    await goneFrom("job_results", id);
  });

  it("is deleted with the account, as are the results", async () => {
    const { id: accountId, key } = await inside.account("plenty");
    const { id } = await begun(service, key, [INPUT_ONLY_NUMBER, ...PLAIN], "kind=lookup&maxTokens=5");
    await listWhen(service, key, id, ({ status }) => status === "paused");
    await inside.accounts.setSuspended(accountId, true);
    await inside.accounts.remove(accountId);
    expect(await rowsOf("jobs", id)).toBe(0);
    for (const table of ["job_blocks", "job_results"]) await goneFrom(table, id);
  });
});

// Last, because it ends the lists of the tests before.
describe("results", () => {
  it("are available for seven days, and then everything of the list is deleted", async () => {
    const { key } = account;
    const { id } = await begun(service, key, [...PLAIN, INPUT_ONLY_NUMBER]);
    const { resultsUntil } = await completed(service, key, id);
    expect(resultsUntil).toBe(new Date(NOON + 7 * DAY_MS).toISOString());
    await letPass(inside, NOON, NOON + 7 * DAY_MS - 1);
    const other = await begun(service, key, PLAIN);
    await completed(service, key, other.id);
    expect(await results(service, key, id)).toHaveLength(PLAIN.length + 1);
    expect(await stored()).toContain(INPUT_ONLY_NUMBER);
    inside.setClock(NOON + 7 * DAY_MS);
    const gone = await until("it is swept", async () => {
      const answer = await ask(service, { path: pathOf(id), key });
      return answer.status !== 200 && answer;
    });
    expect([gone.status, codeOf(gone)]).toEqual([404, "NOT_FOUND"]);
    const { jobs } = jsonOf(await ask(service, { path: "/v1/jobs", key })) as { jobs: { id: string }[] };
    expect(jobs.map(({ id: left }) => left)).toEqual([other.id]);
    await until(
      "nothing is left of earlier lists",
      async () => !(await stored()).includes(INPUT_ONLY_NUMBER),
    );
    expect(await results(service, key, other.id)).toHaveLength(PLAIN.length);
  });
});
