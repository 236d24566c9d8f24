/** Limits, suspension, deletion and settings of an account's monitors, and the routes about them. */
import { beforeAll, describe, expect, it } from "vitest";
import { CHANGE_TYPES } from "../../src/contract/eventTypes.ts";
import { codeOf, inject, jsonOf, numberIn } from "../kit/answer.ts";
import { BAKERY, FERRY, PO_BOX, UNKNOWN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import { callerOf, MonitorCalls, monitorService } from "./calls.ts";

const NO_MONITOR = "mon_0000000000000000000000";

let service: InProcess;
beforeAll(async () => {
  service = await monitorService();
});

const caller = (tierName?: string) => callerOf(service, tierName);

describe("an account's monitors", () => {
  it("are paused beyond the limit after a downgrade, the newest first, and resume with a larger plan", async () => {
    const calls = await caller();
    for (const number of [BAKERY, FERRY]) {
      await calls.added([number]);
      service.setClock(Date.UTC(2026, 2, 15, 12, 0, 11));
    }
    await service.accounts.setTier(calls.account.id, "one");
    const tiers = {
      one: { monthlyTokens: 1, ratePerMinute: 1 },
      plenty: { monthlyTokens: 9, ratePerMinute: 1 },
    };
    await service.state.monitors.alignMonitors(tiers);
    const states = async () =>
      (await calls.list()).monitors.map(({ kvkNumber, status, reason }) => [kvkNumber, status, reason]);
    expect(await states()).toEqual([
      [BAKERY, "active", undefined],
      [FERRY, "paused", "limit"],
    ]);
    const settings = jsonOf(await calls.call("GET", "/v1/monitor-settings"));
    expect(settings).toMatchObject({ monitors: 2, limit: 1, paused: 1 });
    await service.accounts.setTier(calls.account.id, "plenty");
    await service.state.monitors.alignMonitors(tiers);
    expect((await states()).map(([, status]) => status)).toEqual(["active", "active"]);
  });

  it("cannot be used while it is suspended, and are deleted with it", async () => {
    const calls = await caller();
    const [monitor] = await calls.added([BAKERY]);
    await service.accounts.setSuspended(calls.account.id, true);
    for (const [method, path] of [
      ["GET", "/v1/monitors"],
      ["GET", "/v1/changes"],
      ["DELETE", `/v1/monitors/${monitor?.id}`],
    ] as const) {
      expectError(await calls.call(method, path), "FORBIDDEN");
    }
    const owner = { accountId: calls.account.id };
    expect((await service.state.monitors.monitors(owner, "", 10)).monitors).toMatchObject([
      { id: monitor?.id, pausedFor: "account" },
    ]);
    await service.accounts.remove(calls.account.id);
    expect(codeOf(await calls.call("GET", "/v1/monitors"))).toBe("UNAUTHORIZED");
    expect((await service.state.monitors.monitors(owner, "", 10)).monitors).toEqual([]);
  });

  it("have the same error for known and unknown numbers without a place", async () => {
    const calls = await caller("one");
    await calls.added([BAKERY]);
    const answer = await calls.call("POST", "/v1/monitors", { kvkNumbers: [PO_BOX, UNKNOWN, BAKERY] });
    expect(jsonOf(answer)).toMatchObject({
      results: [{ kvkNumber: BAKERY }],
      failed: [PO_BOX, UNKNOWN].map((kvkNumber) => ({ kvkNumber, error: { code: "FORBIDDEN" } })),
    });
  });

  it("have settings that live keys change", async () => {
    const calls = await caller("three");
    const path = "/v1/monitor-settings";
    const first = {
      ...{ monitors: 0, limit: 3, paused: 0, pending: 0, spent: 0, unread: 0 },
      weeklyDigest: true,
      retentionDays: 90,
      sources: expect.any(Array),
    };
    expect(jsonOf(await calls.call("GET", path))).toEqual(first);
    const changed = { ...first, maxTokens: 20, weeklyDigest: false };
    expect(jsonOf(await calls.call("PATCH", path, { maxTokens: 20, weeklyDigest: false }))).toEqual(changed);
    expect(jsonOf(await calls.call("PATCH", path, {}))).toEqual(changed);
    expect(jsonOf(await calls.call("GET", path))).toEqual(changed);
    expect(jsonOf(await calls.call("PATCH", path, { maxTokens: null, weeklyDigest: true }))).toEqual(first);
    expect(jsonOf(await calls.call("PATCH", path, { weeklyDigest: null }))).toEqual(first);
    for (const body of [{ maxTokens: -1 }, { maxTokens: 1.5 }, { weeklyDigest: "no" }, { limit: 5 }]) {
      expectError(await calls.call("PATCH", path, body), "INVALID_REQUEST");
    }
    const test = await service.accounts.createKey(calls.account.id, "test", "test");
    const asTest = new MonitorCalls(service, test.key);
    expect(jsonOf(await asTest.call("GET", path))).toMatchObject({ monitors: 0, limit: 3 });
    expectError(await asTest.call("PATCH", path, { maxTokens: 1 }), "FORBIDDEN");
  });
});

describe("the routes", () => {
  const ROUTES = {
    "/v1/monitors": "POST, GET, HEAD",
    [`/v1/monitors/${NO_MONITOR}`]: "GET, HEAD, PATCH, DELETE",
    [`/v1/monitors/${NO_MONITOR}/test`]: "POST",
    "/v1/changes": "GET, HEAD",
    "/v1/event-types": "GET, HEAD",
    "/v1/events/evt_0000000000000000000000/redeliver": "POST",
    "/v1/monitor-settings": "GET, HEAD, PATCH",
  };
  it.each(Object.entries(ROUTES))(
    "serve %s by %s alone, and let pages use these methods",
    async (path, allow) => {
      const calls = await caller();
      const put = await calls.call("PUT", path, {});
      expectError(put, "METHOD_NOT_ALLOWED");
      expect(put.headers["allow"]).toBe(allow);
      const preflight = await inject(service.app, {
        method: "OPTIONS",
        path,
        headers: { origin: "https://app.example", "access-control-request-method": "PATCH" },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers["access-control-allow-methods"]).toBe("GET, HEAD, POST, PATCH, DELETE");
    },
  );

  it("answer HEAD as GET without a body, and count as one call", async () => {
    const calls = await caller();
    const get = await calls.call("GET", "/v1/monitors");
    const head = await calls.call("HEAD", "/v1/monitors");
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(numberIn(head, "x-ratelimit-remaining")).toBe(numberIn(get, "x-ratelimit-remaining") - 1);
  });

  it("refuse browser keys", async () => {
    const { account } = await caller();
    const origins = ["https://shop.example"];
    const { key } = await service.accounts.createKey(account.id, "page", "pub", { origins });
    for (const path of Object.keys(ROUTES).slice(0, 1)) {
      const headers = { origin: "https://shop.example" };
      expectError(await inject(service.app, { path, key, headers }), "FORBIDDEN");
    }
  });

  it("list each type of event with an example", async () => {
    const calls = await caller();
    const answer = await calls.call("GET", "/v1/event-types");
    const { eventTypes } = jsonOf(answer) as {
      eventTypes: {
        type: string;
        price: number;
        fields: string[];
        example: { type: string; changes: object };
      }[];
    };
    expect(eventTypes.map(({ type }) => type)).toEqual([...CHANGE_TYPES, "monitor.ended", "monitor.test"]);
    for (const { type, price, fields, example } of eventTypes) {
      expect(price).toBe(type.startsWith("company.") ? 1 : 0);
      expect(example.type).toBe(type);
      expect(fields).toEqual(expect.arrayContaining(Object.keys(example.changes)));
    }
  });
});
