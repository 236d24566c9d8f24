import { describe, expect, it } from "vitest";
import { AddressHashes } from "../../../src/accounts/secrets.ts";
import type { SessionState } from "../../../src/contract/accountResources.ts";
import { isWellFormedKey } from "../../../src/contract/keyForm.ts";
import type { AccountKeys, NewAccountKey } from "../../../src/contract/keyResources.ts";
import { jsonOf } from "../../kit/answer.ts";
import { PASSWORD } from "../../kit/browser.ts";
import { expectError } from "../../kit/contractAnswer.ts";
import { NOON } from "../../kit/inProcess.ts";
import { newKey } from "../../kit/stores/fixture.ts";
import type { MakeWorld } from "../../kit/world.ts";
import { call, make, Visitors } from "./visitors.ts";

const HOUR_MS = 3_600_000;

/** Keys: shown once, unusable when revoked, invisible to others; and trying the API without one. */
export function keys(makeWorld: MakeWorld): void {
  const visitors = new Visitors(makeWorld);

  describe("a key", () => {
    it("is created once for the first visit, and appears only in the response that created it", async () => {
      const { browser } = await visitors.enter();
      expect((await browser.get<SessionState>("/account/session")).person?.mayTakeFirstKey).toBe(true);
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => browser.ask("POST", "/account/first-key")),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403]);
      const made = answers.find(({ status }) => status === 201);
      const { key, id } = jsonOf(made ?? { status: 0, headers: {}, text: "{}" }) as NewAccountKey;
      expect(isWellFormedKey(key)).toBe(true);
      expect((await call(browser, key)).status).toBe(200);
      expect((await browser.get<SessionState>("/account/session")).person?.mayTakeFirstKey).toBe(false);
      for (const path of [
        "/account/keys",
        "/account/session",
        "/account/usage",
        "/account/usage.csv",
        "/account/plans",
      ]) {
        const { text } = await browser.ask("GET", path);
        expect(text).not.toContain(key);
        expect(text).not.toContain(key.slice(9, 30));
      }
      const { keys } = await browser.get<AccountKeys>("/account/keys");
      expect(keys).toMatchObject([
        { id, state: "live", lastFour: key.slice(-4), requests: 1, tokens: 1, lastUsedOn: "2026-03-15" },
      ]);
    });

    it.each([
      [undefined, "first key"],
      ["en", "first key"],
      ["nl", "eerste sleutel"],
    ])("is named in the language of the sign-up (%s) when it is the first: %s", async (language, name) => {
      const { browser } = await visitors.enter({ language });
      expect(await browser.post<NewAccountKey>("/account/first-key")).toMatchObject({ name });
      expect((await browser.get<AccountKeys>("/account/keys")).keys).toMatchObject([{ name }]);
    });

    it("is refused from the next call after its revocation", async () => {
      const { browser } = await visitors.enter();
      const [one, other] = [await make(browser, "één"), await make(browser, "twee")];
      expect((await call(browser, one.key)).status).toBe(200);
      expect((await browser.ask("DELETE", `/account/keys/${one.id}`)).status).toBe(204);
      expectError(await call(browser, one.key), "UNAUTHORIZED");
      expect((await call(browser, other.key)).status).toBe(200);
      expectError(await browser.ask("DELETE", `/account/keys/${one.id}`), "NOT_FOUND");
      const { keys } = await browser.get<AccountKeys>("/account/keys");
      expect(keys.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(["twee live", "één revoked"]);
    });

    it("is revoked once by concurrent requests; the others get not found", async () => {
      const { browser } = await visitors.enter();
      const { id } = await make(browser, "once");
      const revocations = Array.from({ length: 4 }, () => browser.ask("DELETE", `/account/keys/${id}`));
      const statuses = (await Promise.all(revocations)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([204, 404, 404, 404]);
    });

    it.each(["revoked", "rolled without an overlap", "deleted with its account"])(
      "returns 401 at once when it was over its rate and is %s",
      async (what) => {
        const { browser, id: accountId } = await visitors.enter();
        await visitors.service.state.accounts.setTier(accountId, "tight");
        const { key, id } = await make(browser, "te snel");
        for (let calls = 0; calls < 4; calls++) await call(browser, key);
        // The second refusal comes from the cache, which lasts for the rest of the second.
        for (let calls = 0; calls < 2; calls++) expectError(await call(browser, key), "RATE_LIMIT_EXCEEDED");
        const answer =
          what === "revoked"
            ? await browser.ask("DELETE", `/account/keys/${id}`)
            : what === "deleted with its account"
              ? await browser.ask("POST", "/account/delete", { password: PASSWORD })
              : await browser.ask("POST", `/account/keys/${id}/roll`, { overlapHours: 0 });
        expect(answer.status).toBeLessThan(300);
        expectError(await call(browser, key), "UNAUTHORIZED");
      },
    );

    it("works for the overlap after it is rolled, and no longer", async () => {
      const { browser, email } = await visitors.enter();
      const old = await make(browser, "website");
      const rolled = await browser.post<NewAccountKey>(`/account/keys/${old.id}/roll`, { overlapHours: 24 });
      expect(rolled).toMatchObject({
        name: "website",
        replaces: { id: old.id, endsAt: "2026-03-16T12:00:10.000Z" },
      });
      for (const { key } of [old, rolled]) expect((await call(browser, key)).status).toBe(200);
      expectError(
        await browser.ask("POST", `/account/keys/${old.id}/roll`, { overlapHours: 1 }),
        "NOT_FOUND",
      );
      const states = async () =>
        Object.fromEntries(
          (await browser.get<AccountKeys>("/account/keys")).keys.map(({ id, state }) => [id, state]),
        );
      expect(await states()).toEqual({ [old.id]: "ending", [rolled.id]: "live" });

      visitors.service.setClock(NOON + 24 * HOUR_MS - 1);
      expect((await call(browser, old.key)).status).toBe(200);
      visitors.service.setClock(NOON + 24 * HOUR_MS);
      expectError(await call(browser, old.key), "UNAUTHORIZED");
      expect((await call(browser, rolled.key)).status).toBe(200);
      // The session has expired as well.
      await browser.post("/account/sign-in", { email, password: PASSWORD });
      expect(await states()).toEqual({ [old.id]: "revoked", [rolled.id]: "live" });

      const last = await browser.post<NewAccountKey>(`/account/keys/${rolled.id}/roll`, { overlapHours: 0 });
      expectError(await call(browser, rolled.key), "UNAUTHORIZED");
      expect((await call(browser, last.key)).status).toBe(200);
      for (const overlapHours of [2, -1, 0.5, "1", null, undefined]) {
        expectError(
          await browser.ask("POST", `/account/keys/${last.id}/roll`, { overlapHours }),
          "INVALID_REQUEST",
        );
      }
      visitors.service.setClock(NOON);
    });

    it("cannot be seen, used, rolled or revoked by another account", async () => {
      const [owner, stranger] = [await visitors.enter(), await visitors.enter()];
      const { key, id } = await make(owner.browser, "mine");
      await make(stranger.browser, "theirs");
      expect((await stranger.browser.ask("GET", "/account/keys")).text).not.toContain(id);
      expectError(await stranger.browser.ask("DELETE", `/account/keys/${id}`), "NOT_FOUND");
      expectError(
        await stranger.browser.ask("POST", `/account/keys/${id}/roll`, { overlapHours: 0 }),
        "NOT_FOUND",
      );
      expect((await call(owner.browser, key)).status).toBe(200);
      expect((await visitors.service.state.ledger.spent(stranger.id))?.used ?? 0).toBe(0);
    });

    it("has a printable name, and is one of at most twenty live ones", async () => {
      const { browser } = await visitors.enter();
      const creations = Array.from({ length: 25 }, (_, index) =>
        browser.ask("POST", "/account/keys", { name: `key ${index}` }),
      );
      const answers = await Promise.all(creations);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
      for (const refused of answers.filter(({ status }) => status !== 201))
        expectError(refused, "INVALID_REQUEST");
      for (const name of ["", "x".repeat(101), "a\u0000b", 5]) {
        expectError(await browser.ask("POST", "/account/keys", { name }), "INVALID_REQUEST");
      }
      const { keys } = await browser.get<AccountKeys>("/account/keys");
      expectError(
        await browser.ask("POST", `/account/keys/${keys[0]?.id}/roll`, { overlapHours: 1 }),
        "INVALID_REQUEST",
      );
      expect(
        (await browser.ask("POST", `/account/keys/${keys[0]?.id}/roll`, { overlapHours: 0 })).status,
      ).toBe(201);
    });

    it("is listed in pages, live ones first, however many are revoked", async () => {
      const { browser, id } = await visitors.enter();
      const [one, other] = [await make(browser, "één"), await make(browser, "twee")];
      const revokedAt = new Date(NOON).toISOString();
      for (let index = 0; index < 60; index++) {
        const { id: keyId } = await visitors.service.accounts.createKey(id, `old ${index}`);
        await visitors.service.state.accounts.revokeKey(keyId, revokedAt);
      }
      expect((await call(browser, one.key)).status).toBe(200);
      const page = (number: number) => browser.get<AccountKeys>(`/account/keys?page=${number}`);
      const [first, second, third] = [await page(1), await page(2), await page(3)];
      expect([first, second, third].map(({ keys }) => keys.length)).toEqual([25, 25, 12]);
      expect(
        first.keys
          .slice(0, 2)
          .map((key) => key.id)
          .sort(),
      ).toEqual([one.id, other.id].sort());
      expect(first.keys.find((key) => key.id === one.id)).toMatchObject({ requests: 1, tokens: 1 });
      expect(first).toMatchObject({ total: 62, page: 1, pageSize: 25, live: 2, maxLive: 20, maxADay: 100 });
      const ids = [first, second, third].flatMap(({ keys }) => keys.map((key) => key.id));
      expect(new Set(ids).size).toBe(62);
      expect(await page(4)).toMatchObject({ keys: [], total: 62, live: 2 });
      for (const number of ["0", "401", "x"]) {
        expectError(await browser.ask("GET", `/account/keys?page=${number}`), "INVALID_REQUEST");
      }
    });

    it("counts towards a hundred a day, including replaced ones and those of an account created again", async () => {
      const { browser, email, id } = await visitors.enter();
      const subject = await new AddressHashes(visitors.service.state.people).of(email);
      const daily = { subject, day: "2026-03-15", limit: 100 };
      for (let made = 0; made < 97; made++) {
        const key = newKey(`day ${made} of ${id}`, id, new Date(NOON).toISOString());
        expect(await visitors.service.state.accounts.addKey(key, 1_000, daily)).toBe("added");
        await visitors.service.state.accounts.revokeKey(key.id, key.createdAt);
      }
      const last = await make(browser, "98");
      const rolled = await browser.post<NewAccountKey>(`/account/keys/${last.id}/roll`, { overlapHours: 0 });
      await browser.post("/account/delete", { password: PASSWORD });
      await browser.enter(email);
      const third = await make(browser, "100");
      for (const refused of [
        await browser.ask("POST", "/account/keys", { name: "101" }),
        await browser.ask("POST", `/account/keys/${third.id}/roll`, { overlapHours: 0 }),
      ]) {
        expectError(refused, "RATE_LIMIT_EXCEEDED");
        expect(refused.headers["retry-after"]).toBe(String(12 * 3_600 - 10));
        expect(refused.text).toContain("100 keys today");
      }
      expect((await call(browser, third.key)).status).toBe(200);
      expect(rolled.replaces?.id).toBe(last.id);
      // The first key is offered once and would be lost, so it does not count towards the day's limit.
      await browser.post("/account/delete", { password: PASSWORD });
      await browser.enter(email);
      expectError(await browser.ask("POST", "/account/keys", { name: "101" }), "RATE_LIMIT_EXCEEDED");
      expect((await browser.ask("POST", "/account/first-key")).status).toBe(201);
    });
  });
}
