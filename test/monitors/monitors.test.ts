/** Adding, listing, changing and removing monitors over HTTP. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Monitor } from "../../src/contract/monitors.ts";
import { jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { BAKERY, FERRY, FOREIGN, PLAIN, PO_BOX, SHIELDED, UNKNOWN } from "../kit/companies.ts";
import { expectBalance, expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";
import { callerOf, MonitorCalls, monitorService } from "./calls.ts";

const HOOK = "https://hooks.example/opzoek";
const NO_MONITOR = "mon_0000000000000000000000";

let service: InProcess;
beforeAll(async () => {
  service = await monitorService();
});

const caller = (tierName?: string) => callerOf(service, tierName);

describe("POST /v1/monitors", () => {
  it("adds a monitor for each known company, once, in the order of the numbers", async () => {
    const calls = await caller();
    const answer = await calls.post({
      kvkNumbers: [FERRY, "123", BAKERY, UNKNOWN, FERRY],
      metadata: { a: "1" },
    });
    expect(answer.status).toBe(200);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
    expectDocumented({ method: "POST", path: "/v1/monitors" }, answer);
    const { results, failed } = jsonOf(answer) as { results: Monitor[]; failed: unknown[] };
    expect(results.map(({ kvkNumber }) => kvkNumber)).toEqual([FERRY, BAKERY]);
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^mon_[0-9A-Za-z]{22}$/),
      kvkNumber: FERRY,
      status: "active",
      metadata: { a: "1" },
      createdAt: "2026-03-15T12:00:10.000Z",
      watchedBy: ["import:fabel"],
      checkedAt: "2026-03-15T12:00:10.000Z",
      notReported: ["company.insolvency_changed"],
    });
    expect(failed).toMatchObject([
      { kvkNumber: "123", error: { code: "INVALID_KVK_NUMBER" } },
      { kvkNumber: UNKNOWN, error: { code: "NOT_FOUND" } },
    ]);
  });

  it("changes the given fields of a monitor that exists, and keeps the others", async () => {
    const calls = await caller();
    const [first] = await calls.added([BAKERY], { metadata: { a: "1" }, events: ["company.moved"] });
    const [same] = await calls.added([BAKERY], { metadata: { b: "2" } });
    expect(same).toEqual({ ...first, metadata: { b: "2" } });
    expect((await calls.list()).monitors).toEqual([{ ...same, company: expect.any(Object) }]);
  });

  it("reports a suppressed company as unknown", async () => {
    const calls = await caller();
    const { suppressed } = service.state;
    await suppressed.forget({ kvkNumber: PO_BOX, vatNumbers: [], forgottenAtMs: 0 });
    const answer = await calls.post({ kvkNumbers: [PO_BOX] });
    await suppressed.undoForget(PO_BOX);
    expect(jsonOf(answer)).toMatchObject({
      results: [],
      failed: [{ kvkNumber: PO_BOX, error: { code: "NOT_FOUND" } }],
    });
  });

  it("refuses monitors over the limit of the plan, and names the limit", async () => {
    const calls = await caller("three");
    await calls.added([BAKERY, FERRY]);
    const answer = await calls.post({ kvkNumbers: [BAKERY, SHIELDED, FOREIGN], metadata: { a: "1" } });
    const { results, failed } = jsonOf(answer) as { results: Monitor[]; failed: unknown[] };
    expect(results.map(({ kvkNumber }) => kvkNumber)).toEqual([BAKERY, SHIELDED]);
    expect(failed).toMatchObject([
      {
        kvkNumber: FOREIGN,
        error: { code: "FORBIDDEN", message: expect.stringContaining("at most 3 monitors") },
      },
    ]);
    const few = await caller("one");
    expect(jsonOf(await few.post({ kvkNumbers: [BAKERY, FERRY] }))).toMatchObject({
      results: [{ kvkNumber: BAKERY }],
      failed: [{ kvkNumber: FERRY }],
    });
  });

  it("needs a signing secret for a webhook, and accepts public https addresses", async () => {
    const calls = await caller();
    const refused = await calls.post({ kvkNumbers: [BAKERY], webhook: HOOK });
    expectError(refused, "INVALID_REQUEST");
    expect(messageOf(refused)).toContain("POST /v1/webhook-secret");
    await calls.call("POST", "/v1/webhook-secret");
    const [monitor] = await calls.added([BAKERY], { webhook: HOOK });
    expect(monitor?.webhook).toEqual({ url: HOOK });
    for (const webhook of ["http://hooks.example/", "https://127.0.0.1/", "https://10.0.0.1/x", "hooks"]) {
      const bad = await calls.post({ kvkNumbers: [BAKERY], webhook });
      expectError(bad, "INVALID_REQUEST");
      expect(messageOf(bad)).toMatch(/^webhook must/);
    }
  });

  it("allows 20 different webhooks in an account", async () => {
    const calls = await caller();
    await calls.call("POST", "/v1/webhook-secret");
    const hooks = Array.from({ length: 21 }, (_, nth) => `${HOOK}/${nth}`);
    const statuses: number[] = [];
    for (const [nth, webhook] of hooks.entries()) {
      statuses.push((await calls.post({ kvkNumbers: [PLAIN[nth]], webhook })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 400]);
    const refused = await calls.post({ kvkNumbers: [BAKERY], webhook: hooks[20] });
    expect(messageOf(refused)).toContain("at most 20 different URLs");
    const [one, two] = (await calls.list("?limit=2")).monitors;
    // A replaced one makes room, and any can be used again.
    const path = `/v1/monitors/${one?.id}`;
    expect((await calls.call("PATCH", path, { webhook: hooks[20] })).status).toBe(200);
    expect((await calls.call("PATCH", `/v1/monitors/${two?.id}`, { webhook: hooks[20] })).status).toBe(200);
  });

  it("answers 503 without a registry, never 404", async () => {
    const empty = await composeInProcess(await makeWorld({ companies: [] }));
    const { key } = await empty.account("plenty");
    const answer = await new MonitorCalls(empty, key).post({ kvkNumbers: [BAKERY] });
    expectError(answer, "SERVICE_UNAVAILABLE");
    expect(numberIn(answer, "retry-after")).toBeGreaterThan(0);
  });

  const BAD: readonly [field: string, body: unknown, rule: RegExp][] = [
    ["kvkNumbers", {}, /kvkNumbers is required: an array of 1 to 100 strings/],
    ["kvkNumbers", { kvkNumbers: [] }, /kvkNumbers must be an array of 1 to 100 strings/],
    ["kvkNumbers", { kvkNumbers: Array(101).fill(BAKERY) }, /kvkNumbers must be .*received an array of 101/],
    ["kvkNumbers", { kvkNumbers: [5] }, /kvkNumbers\[0\] must be a string/],
    ["events", { kvkNumbers: [BAKERY], events: ["company.sold"] }, /events\[0\] must be one of/],
    [
      "events",
      { kvkNumbers: [BAKERY], events: ["monitor.ended"] },
      /events\[0\] must be one of company.renamed/,
    ],
    ["events", { kvkNumbers: [BAKERY], events: "none" }, /events must be an array of 1 to 10 strings/],
    ["metadata", { kvkNumbers: [BAKERY], metadata: ["a"] }, /metadata must be an object/],
    [
      "metadata",
      { kvkNumbers: [BAKERY], metadata: { a: 1 } },
      /metadata\["a"\] must be a string of at most 200/,
    ],
    ["metadata", { kvkNumbers: [BAKERY], metadata: { a: "x".repeat(201) } }, /metadata\["a"\] must be/],
    ["metadata", { kvkNumbers: [BAKERY], metadata: { a: "\u0000" } }, /no control characters/],
    ["metadata", { kvkNumbers: [BAKERY], metadata: { "": "a" } }, /names of 1 to 40 characters/],
    ["metadata", { kvkNumbers: [BAKERY], metadata: { [`${"x ".repeat(21)}`]: "a" } }, /names of 1 to 40/],
    [
      "metadata",
      {
        kvkNumbers: [BAKERY],
        metadata: Object.fromEntries(Array.from({ length: 11 }, (_, nth) => [nth, ""])),
      },
      /metadata must have at most 10 entries; received 11/,
    ],
    ["webhook", { kvkNumbers: [BAKERY], webhook: "" }, /webhook must not be empty/],
    ["webhook", { kvkNumbers: [BAKERY], webhook: " \t " }, /webhook must/],
    ["webhook", { kvkNumbers: [BAKERY], webhook: 1 }, /webhook must be a string/],
    [
      "another",
      { kvkNumbers: [BAKERY], another: 1 },
      /unknown field "another" in the body; known: kvkNumbers, events/,
    ],
  ];
  it.each(BAD)("refuses a bad %s: %j", async (_field, body, rule) => {
    const calls = await caller();
    const answer = await calls.post(body);
    expectError(answer, "INVALID_REQUEST");
    expect(messageOf(answer)).toMatch(rule);
    expect((await calls.list()).monitors).toEqual([]);
  });
});

describe("GET /v1/monitors", () => {
  it("returns pages, oldest first, that continue after a removed monitor", async () => {
    const calls = await caller();
    for (const number of [BAKERY, FERRY, FOREIGN]) await calls.added([number]);
    const first = await calls.list("?limit=1");
    expect(first.monitors).toHaveLength(1);
    await calls.call("DELETE", `/v1/monitors/${first.monitors[0]?.id}`);
    const rest = await calls.list(`?after=${first.next}`);
    expect(rest.monitors).toHaveLength(2);
    expect(rest.next).toBeUndefined();
    const all = [...first.monitors, ...rest.monitors].map(({ kvkNumber }) => kvkNumber);
    expect(all.toSorted()).toEqual([FERRY, BAKERY, FOREIGN].toSorted());
  });

  it.each(["?limit=0", "?limit=501", "?after=x", `?after=${NO_MONITOR}`, "?kvk=1", "?limit=1&limit=2"])(
    "refuses %s",
    async (query) => {
      const calls = await caller();
      expectError(await calls.call("GET", `/v1/monitors${query}`), "INVALID_REQUEST");
    },
  );
});

describe("one monitor", () => {
  it("is returned, changed and removed", async () => {
    const calls = await caller();
    await calls.call("POST", "/v1/webhook-secret");
    const [monitor] = await calls.added([BAKERY], { metadata: { a: "1" }, events: ["company.moved"] });
    const path = `/v1/monitors/${monitor?.id}`;
    const route = "/v1/monitors/:monitorId";
    const got = await calls.call("GET", path);
    expect(jsonOf(got)).toEqual(monitor);
    expectDocumented({ method: "GET", path: route }, got);

    const { events: _events, ...rest } = { ...monitor };
    const all = { ...rest, notReported: ["company.insolvency_changed"] };
    const changed = await calls.call("PATCH", path, { events: null, webhook: HOOK });
    expect(jsonOf(changed)).toEqual({ ...all, webhook: { url: HOOK } });
    expectDocumented({ method: "PATCH", path: route }, changed);
    expect(jsonOf(await calls.call("PATCH", path, {}))).toEqual({ ...all, webhook: { url: HOOK } });
    const { metadata: _metadata, ...bare } = rest;
    const twice = { webhook: null, metadata: null, events: ["company.moved", "company.moved"] };
    expect(jsonOf(await calls.call("PATCH", path, twice))).toEqual({ ...bare, events: ["company.moved"] });

    const removed = await calls.call("DELETE", path);
    expect(jsonOf(removed)).toEqual({ id: monitor?.id, isRemoved: true });
    expectDocumented({ method: "DELETE", path: route }, removed);
    for (const method of ["GET", "DELETE"]) expectError(await calls.call(method, path), "NOT_FOUND");
    expectError(await calls.call("PATCH", path, {}), "NOT_FOUND");
    expectError(await calls.call("POST", `${path}/test`), "NOT_FOUND");
  });

  it("cannot be seen or changed by another account, or by a test key", async () => {
    const [owner, other] = [await caller(), await caller()];
    const [monitor] = await owner.added([BAKERY]);
    const test = await service.accounts.createKey(owner.account.id, "test", "test");
    const path = `/v1/monitors/${monitor?.id}`;
    for (const calls of [other, new MonitorCalls(service, test.key)]) {
      expectError(await calls.call("GET", path), "NOT_FOUND");
      expectError(await calls.call("PATCH", path, { metadata: {} }), "NOT_FOUND");
      expectError(await calls.call("DELETE", path), "NOT_FOUND");
      expectError(await calls.call("POST", `${path}/test`), "NOT_FOUND");
      expect((await calls.list()).monitors).toEqual([]);
    }
    expect(jsonOf(await owner.call("GET", path))).toEqual(monitor);
  });

  it.each([
    ["GET", "/v1/monitors/x", undefined, /monitorId must be the id of a monitor/],
    ["PATCH", `/v1/monitors/${NO_MONITOR}`, { events: ["x"] }, /events\[0\] must be one of/],
    ["PATCH", `/v1/monitors/${NO_MONITOR}`, { webhook: "x" }, /webhook must/],
    ["PATCH", `/v1/monitors/${NO_MONITOR}`, { kvkNumber: BAKERY }, /unknown field "kvkNumber"/],
    ["PATCH", `/v1/monitors/${NO_MONITOR}`, undefined, /Content-Type/],
    ["DELETE", `/v1/monitors/${NO_MONITOR}?now=1`, undefined, /unknown query parameter "now"/],
  ])("%s %s is refused for bad input %j", async (method, path, body, rule) => {
    const calls = await caller();
    const answer = await calls.call(method, path, body);
    expect(answer.status).toBe(body === undefined && method === "PATCH" ? 415 : 400);
    expect(messageOf(answer)).toMatch(rule);
  });

  it("tests a webhook only if there is one", async () => {
    const calls = await caller();
    await calls.call("POST", "/v1/webhook-secret");
    const [monitor] = await calls.added([BAKERY]);
    const path = `/v1/monitors/${monitor?.id}`;
    const without = await calls.call("POST", `${path}/test`);
    expectError(without, "INVALID_REQUEST");
    expect(messageOf(without)).toContain("has no webhook");
    await calls.call("PATCH", path, { webhook: HOOK });
    const tested = await calls.call("POST", `${path}/test`);
    expectDocumented({ method: "POST", path: "/v1/monitors/:monitorId/test" }, tested);
    expect(jsonOf(tested)).toEqual({ eventId: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/) });
  });

  it("sends at most 60 tests an hour, also at once, and says when the next one may be sent", async () => {
    const calls = await caller();
    await calls.call("POST", "/v1/webhook-secret");
    const [monitor] = await calls.added([BAKERY], { webhook: HOOK });
    const path = `/v1/monitors/${monitor?.id}/test`;
    const answers = await Promise.all(Array.from({ length: 65 }, () => calls.call("POST", path)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, "RATE_LIMIT_EXCEEDED");
      expectDocumented({ method: "POST", path: "/v1/monitors/:monitorId/test" }, answer);
      expect(messageOf(answer)).toMatch(/60 test messages in an hour/);
      expect(Math.abs(numberIn(answer, "retry-after") - 3_550)).toBeLessThanOrEqual(50);
    }
    expect(jsonOf(await calls.call("GET", "/v1/changes"))).toMatchObject({ events: [] });
    const [sent] = answers.filter(({ status }) => status === 200).map(jsonOf) as { eventId: string }[];
    expectError(await calls.call("POST", `/v1/events/${sent?.eventId}/redeliver`), "NOT_FOUND");
  });
});
