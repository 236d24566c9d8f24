import { beforeAll, describe, expect, it } from "vitest";
import type { AccountKey, AccountKeys, NewAccountKey } from "../../../src/contract/keyResources.ts";
import { messageOf } from "../../kit/answer.ts";
import { BEHIND_PROXY, Browser, PUBLIC } from "../../kit/browser.ts";
import { BAKERY } from "../../kit/companies.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { composeInProcess, type InProcess, NOON } from "../../kit/inProcess.ts";
import type { MakeWorld } from "../../kit/world.ts";

const DAY_MS = 86_400_000;
/** Longer than an expired key is cached. */
const KEY_CACHE_MS = 2_100;

let service: InProcess;
let count = 0;

async function enter(): Promise<Browser> {
  const browser = new Browser(service.app, { origin: PUBLIC });
  await browser.enter(`bounds-${++count}@fabel.example`);
  return browser;
}

/** Calls with a key from the given address, through the trusted proxy. */
const callFrom = (browser: Browser, key: string, address: string, path = `/v1/lookup/${BAKERY}`) =>
  browser.ask("GET", path, undefined, { authorization: `Bearer ${key}`, "x-forwarded-for": address });

async function shown(browser: Browser, id: string): Promise<AccountKey | undefined> {
  const { keys } = await browser.get<AccountKeys>("/account/keys");
  return keys.find((key) => key.id === id);
}

/** A key's name, expiry and addresses, which its owner may change until the key is revoked. */
export function keyBounds(makeWorld: MakeWorld): void {
  beforeAll(async () => {
    const tiers = { free: { monthlyTokens: 500, ratePerMinute: 1_000 } };
    service = await composeInProcess(
      await makeWorld({ tiers, environment: { SIGNUP: "open", ...BEHIND_PROXY } }),
    );
  });

  describe("a key", () => {
    it("is renamed at once, and shows the minute of its last call", async () => {
      const browser = await enter();
      const { id, key } = await browser.post<NewAccountKey>("/account/keys", { name: "oud" });
      expect(await shown(browser, id)).not.toHaveProperty("lastUsedAt");
      expect((await browser.ask("POST", `/account/keys/${id}`, { name: "  winkel  " })).status).toBe(204);
      await callFrom(browser, key, "192.0.2.1");
      expect(await shown(browser, id)).toMatchObject({
        name: "winkel",
        state: "live",
        lastUsedAt: "2026-03-15T12:00:00.000Z",
        lastUsedOn: "2026-03-15",
      });
      for (const name of ["", "x".repeat(101), "a\u0000b", 5]) {
        expectError(await browser.ask("POST", `/account/keys/${id}`, { name }), "INVALID_REQUEST");
      }
      expect((await shown(browser, id))?.name).toBe("winkel");
    });

    it("returns 401 once expired, works again when the expiry moves, and keeps the new expiry when rolled", async () => {
      const browser = await enter();
      const made = await browser.post<NewAccountKey>("/account/keys", {
        name: "kort",
        expiresAt: "2026-03-15T12:00:40Z",
      });
      const { id, key } = made;
      expect((await callFrom(browser, key, "192.0.2.1")).status).toBe(200);
      service.setClock(NOON + 30_000 - 1);
      expect((await callFrom(browser, key, "192.0.2.1")).status).toBe(200);
      service.setClock(NOON + 30_000);
      const refused = await callFrom(browser, key, "192.0.2.1");
      const madeUp = await callFrom(browser, `${key.slice(0, -1)}x`, "192.0.2.1");
      expectError(refused, "UNAUTHORIZED");
      expect(refused.text).toBe(madeUp.text);
      expect(Object.keys(refused.headers).sort()).toEqual(Object.keys(madeUp.headers).sort());
      expect(await shown(browser, id)).toMatchObject({ state: "expired" });
      expect((await browser.get<AccountKeys>("/account/keys")).live).toBe(1);
      expectError(
        await browser.ask("POST", `/account/keys/${id}/roll`, { overlapHours: 1 }),
        "INVALID_REQUEST",
      );
      // A change in this process applies to the next call, regardless of caches.
      expectError(await callFrom(browser, key, "192.0.2.1"), "UNAUTHORIZED");
      await browser.post(`/account/keys/${id}`, { expiresAt: "2026-03-16" });
      expect((await callFrom(browser, key, "192.0.2.1")).status).toBe(200);
      expect(await shown(browser, id)).toMatchObject({
        state: "live",
        expiresAt: "2026-03-17T00:00:00.000Z",
      });
      const rolled = await browser.post<NewAccountKey>(`/account/keys/${id}/roll`, { overlapHours: 1 });
      expect(await shown(browser, rolled.id)).toMatchObject({ expiresAt: "2026-03-17T00:00:00.000Z" });
      await browser.post(`/account/keys/${rolled.id}`, { expiresAt: "never" });
      expect(await shown(browser, rolled.id)).not.toHaveProperty("expiresAt");
      service.setClock(NOON);
    });

    it("works again within five seconds when another process moves its expiry", async () => {
      const browser = await enter();
      const { id, key } = await browser.post<NewAccountKey>("/account/keys", {
        name: "elders",
        expiresAt: "2026-03-15T12:00:11Z",
      });
      service.setClock(NOON + 1_000);
      expectError(await callFrom(browser, key, "192.0.2.1"), "UNAUTHORIZED");
      await service.state.accounts.changeKey(id, { expiresAt: null });
      await new Promise((resolve) => setTimeout(resolve, KEY_CACHE_MS));
      expect((await callFrom(browser, key, "192.0.2.1")).status).toBe(200);
      service.setClock(NOON);
    });

    it("works from its IPv4 and IPv6 addresses only, as reported by the trusted proxy", async () => {
      const browser = await enter();
      const { id, key } = await browser.post<NewAccountKey>("/account/keys", {
        name: "kantoor",
        addresses: ["192.0.2.0/24", " 2001:DB8::/32", "192.0.2.0/24"],
      });
      expect(await shown(browser, id)).toMatchObject({ addresses: ["192.0.2.0/24", "2001:db8::/32"] });
      for (const within of ["192.0.2.7", "2001:db8:0:1::9", "::ffff:192.0.2.7"]) {
        expect((await callFrom(browser, key, within)).status, within).toBe(200);
      }
      for (const outside of ["192.0.3.7", "2001:db9::1", "::1", "127.0.0.1"]) {
        const answer = await callFrom(browser, key, outside);
        expectError(answer, "FORBIDDEN");
        expect(messageOf(answer)).toContain(outside);
        expect(answer.headers["x-tokens-charged"]).toBe("0");
      }
      // Callers from elsewhere learn nothing, whatever they send: invalid input, branches, a batch, usage.
      for (const path of ["/v1/lookup/5", `/v1/lookup/${BAKERY}/branches`, "/v1/usage", "/v1/nowhere"]) {
        expectError(await callFrom(browser, key, "192.0.3.7", path), "FORBIDDEN");
      }
      const batch = await browser.ask(
        "POST",
        "/v1/lookup/batch",
        { kvkNumbers: [BAKERY] },
        {
          authorization: `Bearer ${key}`,
          "x-forwarded-for": "192.0.3.7",
        },
      );
      expectError(batch, "FORBIDDEN");
      const rolled = await browser.post<NewAccountKey>(`/account/keys/${id}/roll`, { overlapHours: 0 });
      expectError(await callFrom(browser, rolled.key, "192.0.3.7"), "FORBIDDEN");
      expect((await browser.ask("POST", `/account/keys/${rolled.id}`, { addresses: [] })).status).toBe(204);
      expect((await callFrom(browser, rolled.key, "192.0.3.7")).status).toBe(200);
    });

    it("rejects an expiry that is invalid or in the past, an invalid address, and a change by another account", async () => {
      const [browser, stranger] = [await enter(), await enter()];
      const { id } = await browser.post<NewAccountKey>("/account/keys", { name: "vast" });
      const before = await shown(browser, id);
      const yesterday = new Date(NOON - DAY_MS).toISOString();
      const wrong: object[] = [
        ...[
          "",
          "soon",
          "2026-02-30",
          "2026-03-15T12:00:10Z",
          yesterday,
          "2099-01-01",
          "15-03-2027",
          5,
          null,
        ].map((expiresAt) => ({ expiresAt })),
        ...[
          "",
          "office",
          "192.0.2.0/33",
          "192.0.2.0/0",
          "fe80::1%eth0",
          "2001:db8::/129",
          "192.0.2.1,192.0.2.2",
        ].map((address) => ({ addresses: ["192.0.2.7", address] })),
        { addresses: "192.0.2.7" },
        { addresses: Array.from({ length: 21 }, (_, index) => `192.0.2.${index}`) },
        { surprise: true },
      ];
      for (const change of wrong) {
        expectError(await browser.ask("POST", `/account/keys/${id}`, change), "INVALID_REQUEST");
        expectError(
          await browser.ask("POST", "/account/keys", { name: "nieuw", ...change }),
          "INVALID_REQUEST",
        );
      }
      expectError(await stranger.ask("POST", `/account/keys/${id}`, { name: "mijn" }), "NOT_FOUND");
      expectError(await stranger.ask("POST", "/account/keys/key_none", { name: "mijn" }), "NOT_FOUND");
      expect(await shown(browser, id)).toEqual(before);
      await browser.ask("DELETE", `/account/keys/${id}`);
      expectError(await browser.ask("POST", `/account/keys/${id}`, { expiresAt: "never" }), "NOT_FOUND");
    });
  });
}
