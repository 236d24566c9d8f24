/** The client with the real service, for the guarantees about charges. */
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type AnswerInfo,
  Opzoek,
  QuotaExceededError,
  RateLimitExceededError,
} from "../../client/src/index.ts";
import { ERRORS } from "../../src/contract/errors.ts";
import { MAX_FOLLOWERS } from "../../src/contract/typingSession.ts";
import { NO_COMPANY, SLOW, TEST_OUTCOMES } from "../../src/lookup/sandbox/outcomes.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, NOON } from "../kit/inProcess.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, type World } from "../kit/world.ts";

const TIERS = {
  "three-tokens": { monthlyTokens: 3, ratePerMinute: 1_000 },
  "two-a-minute": { monthlyTokens: 1_000, ratePerMinute: 2 },
};

let world: World;
let service: Served;
beforeAll(async () => {
  await awayFromMonthEnd();
  world = await makeWorld({ tiers: TIERS });
  service = await serveHere(world);
});

afterEach(() => {
  vi.useRealTimers();
});

async function clientOf(tier: string, options: object = {}): Promise<Opzoek> {
  const { key } = await world.account(tier);
  return new Opzoek({ baseUrl: service.address, key, ...options });
}

describe("the client", () => {
  it("fails at once when the allowance is used up, whatever its retries", async () => {
    const responses: AnswerInfo[] = [];
    const opzoek = await clientOf("three-tokens", {
      retries: 9,
      onAnswer: (answer: AnswerInfo) => responses.push(answer),
    });
    for (const left of [2, 1, 0]) {
      await opzoek.lookup(BAKERY);
      expect(opzoek.state.tokens).toMatchObject({ remaining: left, charged: 1 });
    }
    const error: unknown = await opzoek.lookup(BAKERY).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(QuotaExceededError);
    expect(error).toMatchObject({
      status: 429,
      requestId: expect.any(String),
      retryAfterSeconds: expect.any(Number),
    });
    expect(responses).toHaveLength(4);
  });

  it("reports when the rate allows more, if its deadline is sooner", async () => {
    // Both clocks stand still, ten seconds into a minute.
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    const inside = await composeInProcess(await makeWorld({ tiers: TIERS }));
    const baseUrl = await inside.app.listen({ host: "127.0.0.1", port: 0 });
    const { key } = await inside.account("two-a-minute");
    const opzoek = new Opzoek({ baseUrl, key, timeoutMs: 30_000 });
    const settled = await Promise.allSettled([1, 2, 3, 4].map(() => opzoek.lookup(BAKERY)));
    // The standard library declares the reason of a rejection as `any`.
    const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(2);
    for (const error of refused) {
      expect(error).toBeInstanceOf(RateLimitExceededError);
      expect(error).toMatchObject({ retryAfterSeconds: 50 });
    }
    expect(opzoek.state.rate?.limit).toBe(2);
  });

  it("pays one token for a person's typing in a field, and another after the last free call", async () => {
    let charged = 0;
    const opzoek = await clientOf("plenty", {
      onAnswer: ({ tokens }: AnswerInfo) => {
        charged += tokens?.charged ?? 0;
      },
    });
    const field = opzoek.typing();
    for (let stroke = 0; stroke <= MAX_FOLLOWERS; stroke++) await field.suggest("fabelkorst");
    expect(charged).toBe(1);
    await field.suggest("fabelkorst");
    expect(charged).toBe(2);
  });

  it("gets an answer to any value passed as a number, and never reaches another path", async () => {
    const opzoek = await clientOf("plenty");
    for (const number of [
      "",
      ".",
      "..",
      "../usage",
      "1/../../usage",
      "%2e%2e",
      "51234567?enrich=true",
      "5123 4567",
      "ÿ\n",
    ]) {
      await expect(opzoek.lookup(number)).rejects.toMatchObject({ code: "INVALID_KVK_NUMBER" });
      await expect(opzoek.branches(number)).rejects.toMatchObject({ code: "INVALID_KVK_NUMBER" });
      await expect(opzoek.vat(number)).rejects.toMatchObject({ code: "INVALID_VAT_NUMBER" });
    }
  });

  it("reports the health of the service, and fails if there is no service at the address", async () => {
    const opzoek = await clientOf("plenty");
    expect((await opzoek.health()).status).toMatch(/^(ok|degraded)$/);
    const page = new Opzoek({ baseUrl: `${service.address}/docs`, retries: 0 });
    await expect(page.health()).rejects.toMatchObject({ status: 404 });
  });
});

describe("under a test key the client", () => {
  let opzoek: Opzoek;
  beforeAll(async () => {
    const { id } = await world.account("plenty");
    const { key } = await world.withAccounts((accounts) => accounts.createKey(id, "test", "test"));
    opzoek = new Opzoek({ baseUrl: service.address, key, retries: 0 });
  });

  it.each(TEST_OUTCOMES)(
    "gets $code, for a company and for a VAT number",
    async ({ code, kvkNumber, vatNumber }) => {
      const expected = { code, status: ERRORS[code].status, requestId: expect.any(String) };
      await expect(opzoek.lookup(kvkNumber)).rejects.toMatchObject(expected);
      await expect(opzoek.vat(vatNumber)).rejects.toMatchObject(expected);
    },
  );

  it("gets the errors for not found, not available, and too slow", async () => {
    await expect(opzoek.lookup(NO_COMPANY)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(opzoek.branches("99990014")).rejects.toMatchObject({ code: "NOT_HELD" });
    await expect(opzoek.lookup(SLOW.kvkNumber, { timeoutMs: 300 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
  });

  it("gets each verdict with exactly the fields of its type", async () => {
    const verdicts = [];
    for (const kvkNumber of ["99990001", "99990002", "99990003", "99990004", "99990005"]) {
      const { vat } = await opzoek.lookup(kvkNumber, { enrich: true });
      verdicts.push(vat);
    }
    const whenQueried = { validatedAt: expect.any(String) };
    expect(verdicts).toMatchObject([
      { status: "validated", valid: true, ...whenQueried },
      { status: "validated", valid: false, ...whenQueried },
      { status: "stale", valid: true, ageSeconds: expect.any(Number), ...whenQueried },
      { status: "unvalidated" },
      { status: "malformed" },
    ]);
    expect(verdicts[3]).not.toHaveProperty("valid");
  });
});
