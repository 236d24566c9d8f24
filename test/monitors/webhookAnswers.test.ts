/** Answers of real receivers and their effect on an address, on a clock that the test sets. */
import type { ServerResponse } from "node:http";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, PLAIN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { servingPort } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { callerOf } from "./calls.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const STEP_MS = 3 * HOUR_MS;

type Receiver = (response: ServerResponse) => void;
const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): Receiver =>
  (response) =>
    response.writeHead(status, headers).end();

/** By the path of an address; others accept everything. */
const receivers = new Map<string, Receiver>();
/** The paths of messages that arrived, in order. */
const arrived: string[] = [];
const at = (path: string) => arrived.filter((one) => one === path).length;
let port: number;
let nowMs = NOON;
let service: InProcess;
let tests = 0;

beforeAll(async () => {
  port = await servingPort((request, response) => {
    const path = request.url ?? "";
    request.resume();
    arrived.push(path);
    (receivers.get(path) ?? answering(204))(response);
  });
  const world = await makeWorld({ environment: { WEBHOOK_NETWORKS: "127.0.0.1" } });
  service = await composeInProcess(world, { nowMs, listOptions: { pollEveryMs: 20 } });
});
let prefix = "";
beforeEach(() => {
  tests += 1;
  prefix = `/${tests}`;
});
const urlOf = (path: string) => `http://127.0.0.1:${port}${path}`;

/** Sets the clock on, in steps that an even clock makes. */
async function pass(ms: number): Promise<void> {
  for (const endMs = nowMs + ms; nowMs < endMs; ) {
    nowMs = Math.min(nowMs + STEP_MS, endMs);
    service.setClock(nowMs);
    await service.state.webhooks.claimMessage(0, { tiers: ["plenty"] });
  }
}

/** A new account with a monitor for each path, of different companies. */
async function watching(...paths: readonly string[]) {
  const calls = await callerOf(service);
  await calls.call("POST", "/v1/webhook-secret");
  const ids: string[] = [];
  for (const [nth, path] of paths.entries()) {
    const [monitor] = await calls.added([PLAIN[nth] ?? BAKERY], { webhook: urlOf(path) });
    ids.push(monitor?.id ?? "");
  }
  const test = async (nth = 0) =>
    expect((await calls.call("POST", `/v1/monitors/${ids[nth]}/test`)).status).toBe(200);
  const statusOf = async (path: string) => {
    const statuses = await service.state.monitors.webhookStatuses(calls.account.id);
    return statuses.find(({ url }) => url === urlOf(path));
  };
  /** Waits until the answer to the latest message is stored. */
  const failed = (path: string) =>
    until("the failure is stored", async () => (await statusOf(path))?.failedAtMs === nowMs);
  return { calls, ids, test, statusOf, failed };
}

/** No other message goes out while one to another address is delivered. */
async function nothingMoreAt(path: string): Promise<void> {
  const before = at(path);
  const other = await watching(`${prefix}/probe`);
  for (let nth = 1; nth <= 2; nth += 1) {
    await other.test();
    await until("the other message arrives", () => at(`${prefix}/probe`) >= nth);
  }
  expect(at(path)).toBe(before);
}

describe("a busy receiver", () => {
  it.each([
    [429, "7200", 2 * HOUR_MS],
    [503, "7200", 2 * HOUR_MS],
    [502, "7200", 2 * HOUR_MS],
    [504, "7200", 2 * HOUR_MS],
    [429, "in two hours, as a date", 2 * HOUR_MS],
    [503, "86400", 6 * HOUR_MS],
    [429, "99999999999999999999", 6 * HOUR_MS],
  ])("of %i with Retry-After %s gets no message until then", async (status, after, pauseMs) => {
    const path = `${prefix}/busy`;
    const isDate = after.includes("date");
    const date = new Date(Date.now() + pauseMs).toUTCString();
    receivers.set(path, answering(status, { "retry-after": isDate ? date : after }));
    const { test, statusOf, failed } = await watching(path);
    await test();
    await failed(path);
    const pausedUntilMs = (await statusOf(path))?.pausedUntilMs ?? 0;
    // A date has whole seconds, and counts from the moment it is read.
    expect(Math.abs(pausedUntilMs - nowMs - pauseMs)).toBeLessThan(isDate ? MINUTE_MS : 1);
    receivers.delete(path);
    await test();
    await pass(pausedUntilMs - nowMs - 1);
    await nothingMoreAt(path);
    await pass(1);
    await until("both messages arrive", () => at(path) === 3);
  });

  it.each([
    "-5",
    "",
    "soon",
    "0",
    "1e9",
    "60, 60",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "Tue, 99 Foo 2099 25:61:61 GMT",
    "7 200",
  ])("of 503 with Retry-After %j gets the next message after the usual pause", async (text) => {
    const path = `${prefix}/odd`;
    receivers.set(path, answering(503, { "retry-after": text }));
    const { test, statusOf, failed } = await watching(path);
    await test();
    await failed(path);
    const pauseMs = ((await statusOf(path))?.pausedUntilMs ?? 0) - nowMs;
    expect([pauseMs >= 3_000, pauseMs <= 7_000]).toEqual([true, true]);
    receivers.delete(path);
    await pass(pauseMs);
    await until("the message arrives", () => at(path) === 2);
  });

  it("delays neither another address of the account nor the same address of another account", async () => {
    const path = `${prefix}/shared`;
    receivers.set(path, answering(429, { "retry-after": "3600" }));
    const [one, other] = [await watching(path, `${prefix}/fine`), await watching(path)];
    await one.test();
    await one.failed(path);
    receivers.delete(path);
    await one.test(1);
    await other.test();
    await until("both arrive", () => at(`${prefix}/fine`) === 1 && at(path) === 2);
    expect(await other.statusOf(path)).not.toHaveProperty("pausedUntilMs");
    expect(await one.statusOf(path)).toHaveProperty("pausedUntilMs");
  });
});

describe("a receiver that is gone", () => {
  it("gets no further message of the account, and all of another account", async () => {
    const path = `${prefix}/gone`;
    receivers.set(path, answering(410));
    const [one, other] = [await watching(path), await watching(path)];
    await one.test();
    await until("it is disabled", async () => (await one.statusOf(path))?.disabledAtMs !== undefined);
    const monitor = `/v1/monitors/${one.ids[0]}`;
    expect(jsonOf(await one.calls.call("GET", monitor))).toMatchObject({
      webhook: { url: urlOf(path), disabledAt: expect.any(String) },
    });
    expectError(await one.calls.call("POST", `${monitor}/test`), "INVALID_REQUEST");
    const notices = await service.state.people.disabledWebhooks(100);
    expect(notices.map(({ accountId }) => accountId)).toContain(one.calls.account.id);
    receivers.delete(path);
    await pass(HOUR_MS);
    await nothingMoreAt(path);
    await other.test();
    await until("the other account's arrives", () => at(path) === 2);
    // Setting it again enables it.
    expect((await one.calls.call("PATCH", monitor, { webhook: urlOf(path) })).status).toBe(200);
    await one.test();
    await until("it arrives", () => at(path) === 3);
  });

  it("is not one that a redirect leads to", async () => {
    const path = `${prefix}/moved`;
    receivers.set(path, answering(308, { location: urlOf(`${prefix}/gone`) }));
    receivers.set(`${prefix}/gone`, answering(410));
    const { test, statusOf, failed } = await watching(path);
    await test();
    await failed(path);
    expect(at(`${prefix}/gone`)).toBe(0);
    expect(await statusOf(path)).toMatchObject({ waiting: 1, failure: "it answered 308" });
    expect(await statusOf(path)).not.toHaveProperty("disabledAtMs");
  });

  it("of a list is reported by mail, and can be used by the next list", async () => {
    const path = `${prefix}/list`;
    receivers.set(path, answering(410));
    const { calls } = await watching();
    const { key, id } = calls.account;
    const sent = async () => {
      const answer = await inject(service.app, {
        method: "POST",
        path: `/v1/jobs?kind=lookup&webhook=${encodeURIComponent(` ${urlOf(path)} `)}`,
        key,
        headers: { "content-type": "application/x-ndjson" },
        body: `"${BAKERY}"\n`,
      });
      expect(answer.status).toBe(202);
    };
    await sent();
    await until("it is reported", async () =>
      (await service.state.people.disabledWebhooks(100)).some(({ accountId }) => accountId === id),
    );
    receivers.delete(path);
    await pass(HOUR_MS);
    await nothingMoreAt(path);
    await sent();
    await until("the second arrives", () => at(path) === 2);
  });
});

describe("a dead receiver", () => {
  it.each<[string, Receiver]>([
    ["never answers", () => {}],
    [
      "drips its head",
      (response) => {
        response.socket?.write("HTTP/1.1 204 No Content\r\n");
        const dripping = setInterval(() => response.socket?.write("x-drip: 1\r\n"), 200);
        response.on("close", () => clearInterval(dripping));
      },
    ],
  ])("that %s delays no other address of its account", async (_how, dead) => {
    const paths = [`${prefix}/dead1`, `${prefix}/fine`, `${prefix}/dead2`, `${prefix}/dead3`];
    for (const path of paths) if (!path.endsWith("fine")) receivers.set(path, dead);
    const { test } = await watching(...paths);
    for (const nth of [0, 2, 3, 0, 2, 3, 1, 1, 1]) await test(nth);
    await until("all arrive", () => at(`${prefix}/fine`) === 3);
    // Each of the dead ones holds one place.
    expect(paths.map(at)).toEqual([1, 3, 1, 1]);
  });
});

describe("a receiver that answers 2xx", () => {
  it.each<[string, Receiver]>([
    [
      "with a body that drips",
      (response) => {
        response.writeHead(200).write("a");
        const dripping = setInterval(() => response.write("a"), 200);
        response.on("close", () => clearInterval(dripping));
      },
    ],
    [
      "after another head",
      (response) => {
        response.writeEarlyHints({ link: "</x>; rel=preload" });
        response.writeHead(202).end();
      },
    ],
    ["with a Retry-After", answering(202, { "retry-after": "3600" })],
  ])("%s has accepted the message", async (_how, receiver) => {
    const path = `${prefix}/accepts`;
    receivers.set(path, receiver);
    const { test, statusOf } = await watching(path);
    await test();
    await until("it is accepted", async () => (await statusOf(path))?.deliveredAtMs !== undefined);
    expect(await statusOf(path)).toMatchObject({ waiting: 0 });
  });
});

describe("a changed webhook", () => {
  it("gets the waiting messages at once, and nothing when it is removed", async () => {
    const [old, next] = [`${prefix}/old`, `${prefix}/new`];
    receivers.set(old, answering(500));
    receivers.set(next, answering(429, { "retry-after": "3600" }));
    const { calls, ids, test, statusOf, failed } = await watching(old);
    await test();
    await failed(old);
    const monitor = `/v1/monitors/${ids[0]}`;
    await calls.call("PATCH", monitor, { webhook: urlOf(next) });
    await failed(next);
    expect(at(old)).toBe(1);
    await calls.call("PATCH", monitor, { webhook: null });
    await pass(3 * HOUR_MS);
    await nothingMoreAt(next);
    expect(at(old)).toBe(1);
    expect(await statusOf(next)).toBeUndefined();
  });
});
