/** Reading changes over HTTP with a cursor, with the fictional changes of test keys. */

import { beforeAll, describe, expect, it } from "vitest";
import { CHANGE_TYPES, EVENT_TYPE_INFO } from "../../src/contract/eventTypes.ts";
import { cursorOf } from "../../src/http/endpoints/monitors/cursor.ts";
import { inject, jsonOf, messageOf } from "../kit/answer.ts";
import { expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { letPass } from "../kit/evenClock.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";
import { MonitorCalls } from "./calls.ts";

const DAY_MS = 86_400_000;
const NUMBERS = CHANGE_TYPES.map((type) => EVENT_TYPE_INFO[type].testNumber ?? "");
const MOVED = EVENT_TYPE_INFO["company.moved"].testNumber ?? "";

let service: InProcess;
beforeAll(async () => {
  service = await composeInProcess(await makeWorld());
});

interface Caller {
  readonly accountId: string;
  readonly live: MonitorCalls;
  readonly test: MonitorCalls;
}

async function caller(): Promise<Caller> {
  const { id, key } = await service.account("plenty");
  const test = await service.accounts.createKey(id, "test", "test");
  return { accountId: id, live: new MonitorCalls(service, key), test: new MonitorCalls(service, test.key) };
}

describe("GET /v1/changes", () => {
  it("returns an event of each type with a test key, with the changes of the documented example", async () => {
    const { test } = await caller();
    await test.added(NUMBERS, { metadata: { debtor: "7" }, events: CHANGE_TYPES });
    const answer = await test.call("GET", "/v1/changes");
    expectDocumented({ method: "GET", path: "/v1/changes" }, answer);
    const { events } = jsonOf(answer) as Awaited<ReturnType<MonitorCalls["changes"]>>;
    expect(events.map(({ type }) => type).toSorted()).toEqual(CHANGE_TYPES.toSorted());
    for (const { type, kvkNumber, changes, metadata, source } of events) {
      expect(EVENT_TYPE_INFO[type]).toMatchObject({ testNumber: kvkNumber, example: changes });
      expect([metadata, source?.kvk]).toEqual([{ debtor: "7" }, "import:test"]);
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it("returns a type that must be named to no other monitor", async () => {
    const { test } = await caller();
    await test.added(NUMBERS);
    const { events } = await test.changes();
    const types = CHANGE_TYPES.filter((type) => type !== "company.peppol_changed");
    expect(events.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
  });

  it("continues after a cursor, returns the same events for the same cursor, and new ones at the end", async () => {
    const { test } = await caller();
    await test.added(NUMBERS, { events: CHANGE_TYPES });
    const first = await test.changes("?limit=5");
    const second = await test.changes(`?limit=5&after=${first.next}`);
    expect([first.events.length, second.events.length]).toEqual([5, NUMBERS.length - 5]);
    expect(await test.changes(`?limit=5&after=${first.next}`)).toEqual(second);
    expect((await test.changes()).events).toEqual([...first.events, ...second.events]);
    const third = await test.changes(`?after=${second.next}`);
    expect(third.events).toHaveLength(NUMBERS.length);
    expect(third.events).not.toEqual((await test.changes(`?limit=${NUMBERS.length}`)).events);
  });

  it("passes events that a filter leaves out", async () => {
    const { test } = await caller();
    await test.added(NUMBERS);
    const all = await test.changes();
    for (const filter of [
      "type=company.moved",
      `kvkNumber=${MOVED}`,
      `kvkNumber=${MOVED}&type=company.moved`,
    ]) {
      const filtered = await test.changes(`?${filter}`);
      expect(filtered.events.map(({ kvkNumber }) => kvkNumber)).toEqual([MOVED]);
      expect(filtered.next).toBe(all.next);
    }
    const none = await test.changes("?type=monitor.ended");
    expect(none).toEqual({ events: [], next: all.next });
  });

  it("has a next also when there is nothing", async () => {
    const { live, accountId } = await caller();
    const empty = await live.changes();
    expect(empty).toEqual({ events: [], next: cursorOf(0, { accountId }) });
    expect(await live.changes(`?after=${empty.next}`)).toEqual(empty);
  });

  it("reports only the types that a monitor wants, and nothing after it was removed", async () => {
    const { test } = await caller();
    const [moved] = await test.added([MOVED]);
    const [renamed] = await test.added([NUMBERS[0] ?? ""], { events: ["company.moved"] });
    expect(renamed?.events).toEqual(["company.moved"]);
    const first = await test.changes();
    expect(first.events.map(({ type }) => type)).toEqual(["company.moved"]);
    await test.call("DELETE", `/v1/monitors/${moved?.id}`);
    expect((await test.changes(`?after=${first.next}`)).events).toEqual([]);
    expect((await test.changes()).events).toEqual(first.events);
  });

  it("refuses the cursor of another account, and that of a test key for a live key", async () => {
    const [one, two] = [await caller(), await caller()];
    const { next } = await one.live.changes();
    const ofTest = (await one.test.changes()).next;
    for (const [calls, cursor] of [
      [two.live, next],
      [one.test, next],
      [one.live, ofTest],
    ] as const) {
      const refused = await calls.call("GET", `/v1/changes?after=${cursor}`);
      expectError(refused, "INVALID_REQUEST");
      expect(messageOf(refused)).toContain("from another account");
    }
    expect((await one.live.changes(`?after=${next}`)).next).toBe(next);
  });

  it.each([
    ["after=", "INVALID_REQUEST"],
    ["after=25", "INVALID_REQUEST"],
    ["after=AAAAAAAAABnsMWgv3lYZFw", "INVALID_REQUEST"],
    ["limit=101", "INVALID_REQUEST"],
    ["type=company.sold", "INVALID_REQUEST"],
    ["kvkNumber=1234567", "INVALID_KVK_NUMBER"],
    ["cursor=x", "INVALID_REQUEST"],
  ])("refuses %s", async (query, code) => {
    const { live } = await caller();
    expectError(await live.call("GET", `/v1/changes?${query}`), code);
  });

  it("answers 410 for a cursor whose next events were deleted, with the oldest cursor that continues", async () => {
    const { test } = await caller();
    await test.added([MOVED]);
    const first = await test.changes();
    const second = await test.changes(`?after=${first.next}`);
    await letPass(service, NOON, NOON + DAY_MS);
    const third = await test.changes(`?after=${second.next}`);
    while (await service.state.monitors.sweepMonitors(DAY_MS));
    const expired = await test.call("GET", `/v1/changes?after=${first.next}`);
    expectError(expired, "CURSOR_EXPIRED");
    expectDocumented({ method: "GET", path: "/v1/changes" }, expired);
    expect(expired.headers["access-control-expose-headers"]).toContain("X-Oldest-Cursor");
    const oldest = expired.headers["x-oldest-cursor"] ?? "";
    expect(oldest).toBe(second.next);
    expect(await test.changes(`?after=${oldest}`)).toEqual(third);
    // Without a cursor, from the oldest event.
    expect(await test.changes()).toEqual(third);
    service.setClock(NOON);
  });
});

describe("an event", () => {
  it("is sent again only to an enabled webhook of its monitor", async () => {
    const { test, live } = await caller();
    const [monitor] = await test.added([MOVED]);
    const [event] = (await test.changes()).events;
    const path = `/v1/events/${event?.id}/redeliver`;
    const without = await test.call("POST", path);
    expectError(without, "INVALID_REQUEST");
    expect(messageOf(without)).toContain(`PATCH /v1/monitors/${monitor?.id}`);
    await live.call("POST", "/v1/webhook-secret");
    await test.call("PATCH", `/v1/monitors/${monitor?.id}`, { webhook: "https://hooks.example/opzoek" });
    const again = await test.call("POST", path);
    expectDocumented({ method: "POST", path: "/v1/events/:eventId/redeliver" }, again);
    expect(jsonOf(again)).toEqual(event);
  });

  it("is unknown to other accounts and to live keys", async () => {
    const [one, two] = [await caller(), await caller()];
    await one.test.added([MOVED]);
    const [event] = (await one.test.changes()).events;
    for (const calls of [one.live, two.test, two.live]) {
      expectError(await calls.call("POST", `/v1/events/${event?.id}/redeliver`), "NOT_FOUND");
    }
    expectError(await one.live.call("POST", "/v1/events/x/redeliver"), "INVALID_REQUEST");
  });
});

it("a page of another origin can read the oldest cursor", async () => {
  const { status, headers } = await inject(service.app, {
    path: "/v1/changes",
    headers: { origin: "https://app.example" },
  });
  expect([status, headers["access-control-allow-origin"]]).toEqual([401, "*"]);
  expect(headers["access-control-expose-headers"]).toContain("X-Oldest-Cursor");
});
