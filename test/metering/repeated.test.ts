/** A repeated call with an `Idempotency-Key` gets the same response, and costs nothing. */
import { describe, expect, it } from "vitest";
import { InvalidRequestError, Opzoek } from "../../client/src/index.ts";
import { type Answer, codeOf, inject, jsonOf, messageOf, numberIn, type TestRequest } from "../kit/answer.ts";
import { BAKERY, FERRY, PLAIN, UNKNOWN } from "../kit/companies.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { changeStored } from "../kit/storedState.ts";
import { variants } from "../kit/thorough.ts";
import { until } from "../kit/until.ts";
import { makeWorld, PLENTY } from "../kit/world.ts";

const DAY_MS = 86_400_000;
const TIERS = {
  "two-tokens": { ...PLENTY, monthlyTokens: 2 },
  "ten-tokens": { ...PLENTY, monthlyTokens: 10 },
  "three-a-minute": { monthlyTokens: 10, ratePerMinute: 3 },
};

const server = await sharedPostgres();
const stores: [string, () => Promise<Record<string, string>>][] = [
  ["the embedded state", async () => ({})],
  ["the state on PostgreSQL", async () => ({ DATABASE_URL: await server.database("repeated") })],
];

describe.each(variants(stores, { ordinary: 1 }))(
  "a call with an Idempotency-Key, on %s",
  async (_name, environmentOf) => {
    const world = await makeWorld({ tiers: TIERS, environment: await environmentOf() });
    const service = await composeInProcess(world);
    const account = (tier = "ten-tokens") => service.account(tier);
    const ask = (
      key: string,
      path: string,
      idempotencyKey: string | undefined,
      more: Partial<TestRequest> = {},
    ): Promise<Answer> =>
      inject(service.app, {
        path,
        key,
        ...more,
        headers: {
          ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
          ...more.headers,
        },
      });
    const batch = (key: string, idempotencyKey: string, kvkNumbers: readonly string[]) =>
      ask(key, "/v1/lookup/batch", idempotencyKey, { method: "POST", body: { kvkNumbers } });
    const usedBy = async (id: string) => (await service.state.ledger.spent(id))?.used ?? 0;
    const charged = (answer: Answer) => numberIn(answer, "x-tokens-charged");

    it.each([
      ["a lookup", `/v1/lookup/${BAKERY}`, 1],
      ["an enriched lookup", `/v1/lookup/${BAKERY}?enrich=true`, 5],
      ["branches", `/v1/lookup/${BAKERY}/branches`, 5],
      ["a search", "/v1/search?q=fabel&pageSize=100", 1],
      ["autocomplete of one word", "/v1/autocomplete?q=fabel", 1],
      ["autocomplete of two", "/v1/autocomplete?q=fabel+ko", 1],
      ["a validation of a malformed number", "/v1/validate/vat/DE12345678", 1],
    ])(
      "replays %s free of charge, even without tokens left, and takes a slot",
      async (_what, path, price) => {
        const { key, id } = await account();
        const first = await ask(key, path, "one");
        expect([first.status, charged(first), first.headers["idempotency-replayed"]]).toEqual([
          200,
          price,
          undefined,
        ]);
        while (numberIn(await ask(key, `/v1/lookup/${FERRY}`, undefined), "x-tokens-remaining") > 0);
        const again = await ask(key, path, "one");
        expect([again.status, again.text]).toEqual([200, first.text]);
        expect(again.headers).toMatchObject({ "idempotency-replayed": "true", "x-tokens-charged": "0" });
        expect(again.headers["etag"]).toBe(first.headers["etag"]);
        expect(numberIn(again, "x-ratelimit-remaining")).toBeLessThan(
          numberIn(first, "x-ratelimit-remaining"),
        );
        expect(await usedBy(id)).toBe(10);
        const head = await ask(key, path, "one", { method: "HEAD" });
        expect([head.status, charged(head), head.text]).toEqual([200, 0, ""]);
      },
    );

    it("is identified by its key, method, path, query and body, however the API key is sent and the header written", async () => {
      const { key, id } = await account();
      const path = `/v1/lookup/${BAKERY}`;
      await ask(key, `${path}?maxAge=86400&enrich=0`, "one");
      for (const [sent, url, presented] of [
        ['"one"', `${path}?enrich=0&maxAge=86400`, key],
        ["one", `${path}?enrich=0&apikey=${key}&maxAge=86400`, undefined],
      ] as const) {
        const answer = await inject(service.app, {
          path: url,
          key: presented,
          headers: { "idempotency-key": sent },
        });
        expect([answer.status, answer.headers["idempotency-replayed"]]).toEqual([200, "true"]);
      }
      for (const other of [
        `/v1/lookup/${FERRY}`,
        `${path}?enrich=1&maxAge=86400`,
        path,
        `${path}/branches`,
      ]) {
        const answer = await ask(key, other, "one");
        expectError(answer, "CONFLICT");
        expect([charged(answer), answer.headers["retry-after"]]).toEqual([0, undefined]);
      }
      expect(await usedBy(id)).toBe(1);
      await batch(key, "two", PLAIN.slice(0, 2));
      expect(charged(await batch(key, "two", PLAIN.slice(0, 2)))).toBe(0);
      expectError(await batch(key, "two", PLAIN.slice(0, 3)), "CONFLICT");
      expect(await usedBy(id)).toBe(3);
    });

    it("is separate for each API key, and expires after 24 hours", async () => {
      const { key, keys, id } = await service.account("ten-tokens", 2);
      const path = `/v1/lookup/${BAKERY}`;
      expect(charged(await ask(key, path, "one"))).toBe(1);
      expect(charged(await ask(keys[1]?.key ?? "", path, "one"))).toBe(1);
      service.setClock(NOON + DAY_MS - 1);
      expect(charged(await ask(key, path, "one"))).toBe(0);
      service.setClock(NOON + DAY_MS);
      expect(charged(await ask(key, path, "one"))).toBe(1);
      service.setClock(NOON);
      expect(await usedBy(id)).toBe(3);
    });

    it("is charged once, however many are concurrent", async () => {
      const { key, id } = await account();
      for (const [path, price] of [
        [`/v1/lookup/${BAKERY}/branches`, 5],
        ["/v1/search?q=fabel", 1],
      ] as const) {
        const answers = await Promise.all(Array.from({ length: 25 }, () => ask(key, path, path.slice(4, 8))));
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(answers.reduce((sum, answer) => sum + charged(answer), 0)).toBe(price);
      }
      expect(await usedBy(id)).toBe(6);
    });

    it("stores no error: a call free of charge is processed again", async () => {
      const { key } = await account();
      expectError(await ask(key, `/v1/lookup/${UNKNOWN}`, "one"), "NOT_FOUND");
      expectError(await ask(key, "/v1/lookup/123", "one"), "INVALID_KVK_NUMBER");
      expect((await ask(key, `/v1/lookup/${BAKERY}`, "one")).status).toBe(200);
      expectError(await ask(key, `/v1/lookup/${UNKNOWN}`, "one"), "CONFLICT");
      expect(charged(await batch(key, "none", [UNKNOWN]))).toBe(0);
      expect((await batch(key, "none", [FERRY])).status).toBe(200);
    });

    it("is refused like any other over the rate, for a suspended account and with a revoked key", async () => {
      const { key, keys, id } = await account("three-a-minute");
      const path = `/v1/lookup/${BAKERY}`;
      await ask(key, path, "one");
      await service.accounts.setSuspended(id, true);
      expectError(await ask(key, path, "one"), "FORBIDDEN");
      await service.accounts.setSuspended(id, false);
      expect((await ask(key, path, "one")).status).toBe(200);
      expectError(await ask(key, path, "one"), "RATE_LIMIT_EXCEEDED");
      await service.accounts.revokeKey(keys[0]?.id ?? "");
      expectError(await ask(key, path, "one"), "UNAUTHORIZED");
    });

    it("does not return a company suppressed since, and does not charge again", async () => {
      const { key, id } = await account();
      const [gone = "", stays = ""] = PLAIN.slice(10);
      const repeats = () => [ask(key, `/v1/lookup/${gone}`, "one"), batch(key, "two", [gone, stays])];
      const before = await Promise.all(repeats());
      expect(before.map(({ text }) => text.includes(gone))).toEqual([true, true]);
      await service.state.suppressed.forget({ kvkNumber: gone, vatNumbers: [], forgottenAtMs: NOON });
      const { key: other } = await account("plenty");
      await until("this process has read the list", async () =>
        (await ask(other, `/v1/lookup/${gone}`, undefined)).status === 404 ? true : undefined,
      );
      const used = await usedBy(id);
      const [single, many] = await Promise.all(repeats());
      if (single === undefined || many === undefined) throw new Error("a response is missing");
      expectError(single, "NOT_FOUND");
      expect(jsonOf(many)).toMatchObject({ results: [{ kvkNumber: stays }], failed: [{ kvkNumber: gone }] });
      expect([charged(single), charged(many), await usedBy(id)]).toEqual([0, 0, used]);
      await service.state.suppressed.undoForget(gone);
    });

    it("is withdrawn by opzoek forget, and processed again free of charge once the company is allowed again", async () => {
      const { key, id } = await account();
      const gone = PLAIN[12] ?? "";
      expect(charged(await ask(key, `/v1/lookup/${gone}`, "one"))).toBe(1);
      for (const words of [[gone], ["undo", gone]]) {
        expect((await opzoek(["forget", ...words], world.environment)).code).toBe(0);
      }
      await until("this process has read the list", async () =>
        (await ask(key, `/v1/lookup/${gone}`, "one")).status === 200 ? true : undefined,
      );
      const again = await ask(key, `/v1/lookup/${gone}`, "one");
      expect([charged(again), again.headers["idempotency-replayed"], await usedBy(id)]).toEqual([
        0,
        undefined,
        1,
      ]);
    });

    it.each([
      ["as many", 200_000, 0],
      ["as much", 1, 256 << 20],
    ])(
      "refuses a key for an account with %s stored responses as allowed, and says what to do, also in the client",
      async (_what, answers, bytes) => {
        const { key, id } = await account();
        expect(charged(await ask(key, `/v1/lookup/${BAKERY}`, "before"))).toBe(1);
        const endsAtMs = NOON + DAY_MS;
        await changeStored(
          world,
          `insert into stored_response_totals (account_id, ends_at_ms, answers, bytes) values ('${id}', ${endsAtMs}, ${answers}, ${bytes})`,
        );
        const refused = await ask(key, `/v1/lookup/${FERRY}`, "one");
        expectError(refused, "INVALID_REQUEST");
        expect(messageOf(refused)).toMatch(
          /nothing was charged\. Call without Idempotency-Key .*retries: 0.* or try again later/,
        );
        expect(charged(await ask(key, `/v1/lookup/${BAKERY}`, "before"))).toBe(0);
        const sent: (string | undefined)[] = [];
        const opzoek = new Opzoek({
          baseUrl: "http://opzoek.test",
          key,
          fetch: async (url, init) => {
            const headers = Object.fromEntries(new Headers(init?.headers));
            sent.push(headers["idempotency-key"]);
            const { status, text } = await inject(service.app, {
              path: new URL(String(url)).pathname,
              headers,
            });
            return new Response(text, { status });
          },
        });
        const error: unknown = await opzoek.lookup(FERRY).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(InvalidRequestError);
        expect(error).toMatchObject({ message: expect.stringContaining("retries: 0") });
        expect(await opzoek.lookup(FERRY, { retries: 0 })).toMatchObject({ kvkNumber: FERRY });
        expect(sent).toEqual([expect.any(String), undefined]);
        expect(await usedBy(id)).toBe(2);
        service.setClock(endsAtMs);
        expect((await ask(key, `/v1/lookup/${FERRY}`, "one")).status).toBe(200);
        service.setClock(NOON);
      },
    );

    it.each([
      ["", "one, two"],
      ["of 256 characters", "x".repeat(256)],
      ["with a space", "one two"],
      ["beyond ASCII", "sleutel-é"],
      ["with a quote that does not end", '"one'],
      ["in quotes with parameters", '"one";a=1'],
      ["of empty quotes", '""'],
    ])("is refused with an invalid key %s, and nothing is charged", async (_what, sent) => {
      const { key, id } = await account();
      const answer = await ask(key, `/v1/lookup/${BAKERY}`, sent);
      expectError(answer, "INVALID_REQUEST");
      expect(messageOf(answer)).toContain("Idempotency-Key");
      expect(await usedBy(id)).toBe(0);
    });

    it("accepts a key of 255 characters, and a quoted one with quotes inside", async () => {
      const { key } = await account();
      for (const sent of ["x".repeat(255), String.raw`"a \"b\" \\ c"`, "!#[]{}~,;="]) {
        expect((await ask(key, `/v1/lookup/${BAKERY}`, sent)).status).toBe(200);
        expect(charged(await ask(key, `/v1/lookup/${BAKERY}`, sent))).toBe(0);
      }
    });

    it("is ignored where nothing has a price", async () => {
      const { key } = await account();
      for (let count = 0; count < 2; count++) {
        const answer = await ask(key, "/v1/usage", "one");
        expect([answer.status, answer.headers["idempotency-replayed"]]).toEqual([200, undefined]);
      }
      expect(codeOf(await ask(key, `/v1/lookup/${BAKERY}`, "one"))).toBeUndefined();
    });
  },
);
