import { expect, it } from "vitest";
import type {
  AccountCalls,
  AccountUsage,
  SessionState,
  Tried,
} from "../../../src/contract/accountResources.ts";
import type { Job } from "../../../src/contract/jobs.ts";
import type { AccountKeys } from "../../../src/contract/keyResources.ts";
import { jsonOf, numberIn } from "../../kit/answer.ts";
import { BAKERY, UNKNOWN } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { until } from "../../kit/until.ts";
import type { MakeWorld } from "../../kit/world.ts";
import { call, make, Visitors } from "./visitors.ts";

/** Calls of the API that the page itself makes: recorded under the page, never under a key. */
export function trying(makeWorld: MakeWorld): void {
  const visitors = new Visitors(makeWorld);

  it("makes a real call, charged to the account and recorded under the page, never under a key", async () => {
    const { browser, id } = await visitors.enter();
    const { key } = await make(browser, "k");
    const attempt = (path: string, more: Record<string, unknown> = {}) =>
      browser.post<Tried>("/account/try", { method: "GET", path, ...more });
    const found = await attempt(`/v1/lookup/${BAKERY}`);
    expect(found).toMatchObject({ status: 200, body: { kvkNumber: BAKERY } });
    expect(found.headers).toMatchObject({ "x-tokens-charged": "1", "x-tokens-remaining": "49" });
    expect(await attempt(`/v1/lookup/${UNKNOWN}`)).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
    const batch = await browser.post<Tried>("/account/try", {
      method: "POST",
      path: "/v1/lookup/batch",
      body: JSON.stringify({ kvkNumbers: [BAKERY, UNKNOWN] }),
    });
    expect(batch).toMatchObject({ status: 200, body: { tokensUsed: 1 } });
    expect((await visitors.service.state.ledger.spent(id))?.used).toBe(2);
    const listed = await browser.get<AccountKeys>("/account/keys");
    expect(listed).toMatchObject({ total: 1, live: 1, keys: [{ name: "k", requests: 0, tokens: 0 }] });
    expect(listed.keys[0]).not.toHaveProperty("lastUsedOn");
    const { byKey } = await browser.get<AccountUsage>("/account/usage");
    expect(byKey).toMatchObject([{ name: "this page", isPage: true, requests: 3, tokens: 2 }]);
    // Calls that a screen makes for itself are not counted.
    for (const path of ["/v1/usage", "/v1/monitors", "/v1/monitor-settings", "/v1/monitors/mon_none"])
      await attempt(path);
    await until(
      "the calls are listed",
      async () => (await browser.get<AccountCalls>("/account/calls")).total >= 3,
    );
    const { calls } = await browser.get<AccountCalls>("/account/calls");
    expect(calls.map(({ operation }) => operation).toSorted()).toEqual(["batch", "lookup", "lookup"]);
    expect((await browser.ask("GET", "/account/usage.csv")).text).toContain(",this page,lookup,");
    expect(numberIn(await call(browser, key, "/v1/usage"), "x-tokens-remaining")).toBe(48);
  });

  it("sends a list above the usual size once under its idempotency key, and reads a part of its results", async () => {
    const { browser, id } = await visitors.enter();
    const list = `"${BAKERY}"\n`.repeat(90_000);
    const start = async (more: Record<string, string> = {}) => {
      const headers = { "content-type": "application/x-ndjson", ...more };
      return browser.ask("POST", "/account/try/list?kind=lookup&idempotencyKey=a-list", list, headers);
    };
    const first = jsonOf(await start()) as Tried;
    expect(first).toMatchObject({ status: 202, body: { counts: { sent: 90_000, numbers: 1 } } });
    const { id: jobId } = first.body as Job;
    expect(jsonOf(await start())).toMatchObject({ status: 202, body: { id: jobId } });
    expectError(await start({ "content-type": "application/json" }), "UNSUPPORTED_MEDIA_TYPE");
    const path = `/v1/jobs/${jobId}/results`;
    const results = () =>
      browser.post<Tried>("/account/try", { method: "GET", path, range: "bytes=0-99999" });
    await until("the list has results", async () => (await results()).status === 206);
    expect((await results()).body).toContain(`{"number":"${BAKERY}","result":{`);
    expect((await visitors.service.state.ledger.spent(id))?.used).toBe(1);
    for (const range of ["bytes=0-", "bytes=-5", "bytes=0-1,3-4", "lines=0-1"]) {
      const refused = await browser.ask("POST", "/account/try", { method: "GET", path, range });
      expectError(refused, "INVALID_REQUEST");
    }
  });

  it("has its own limit of 60 calls a minute, separate from those of the keys", async () => {
    const { browser, id } = await visitors.enter();
    await visitors.service.accounts.setTier(id, "tight");
    const { key } = await make(browser, "k");
    const attempt = () => browser.post<Tried>("/account/try", { method: "GET", path: "/v1/usage" });
    const statuses: number[] = [];
    for (let times = 0; times < 61; times++) statuses.push((await attempt()).status);
    expect(statuses).toEqual([...Array(60).fill(200), 429]);
    expect((await attempt()).headers).toMatchObject({ "x-ratelimit-limit": "60" });
    expect(numberIn(await call(browser, key, "/v1/usage"), "x-ratelimit-remaining")).toBe(3);
    for (let times = 0; times < 3; times++) await call(browser, key, "/v1/usage");
    expectError(await call(browser, key, "/v1/usage"), "RATE_LIMIT_EXCEEDED");
  });

  it("needs no key, and its internal key cannot be used, rolled or revoked", async () => {
    const { browser, id } = await visitors.enter();
    const attempt = () => browser.post<Tried>("/account/try", { method: "GET", path: "/v1/usage" });
    expect((await attempt()).status).toBe(200);
    expect((await browser.get<SessionState>("/account/session")).person?.mayTakeFirstKey).toBe(true);
    const pageKey = `page_${id}`;
    expectError(await call(browser, pageKey), "UNAUTHORIZED");
    expectError(await browser.ask("DELETE", `/account/keys/${pageKey}`), "NOT_FOUND");
    expectError(await browser.ask("POST", `/account/keys/${pageKey}/roll`, { overlapHours: 0 }), "NOT_FOUND");
    await expect(visitors.service.accounts.revokeKey(pageKey)).rejects.toThrow("no live key");
    for (let made = 0; made < 20; made++) await make(browser, `key ${made}`);
    expect((await attempt()).status).toBe(200);
  });

  it("reaches only the API", async () => {
    const { browser } = await visitors.enter();
    await make(browser, "k");
    for (const path of [
      "/account/keys",
      "/v1/../account/keys",
      "/v1/%2e%2e/account/keys",
      "/v1/..\\account/keys",
      "//evil.example/v1/usage",
      "http://evil.example/v1/usage",
      "/",
      "",
      "v1/usage",
    ]) {
      expectError(await browser.ask("POST", "/account/try", { method: "GET", path }), "INVALID_REQUEST");
    }
    for (const method of ["HEAD", "PUT", "get"]) {
      expectError(
        await browser.ask("POST", "/account/try", { method, path: "/v1/usage" }),
        "INVALID_REQUEST",
      );
    }
  });
}
