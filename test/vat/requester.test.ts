/** A consultation in a requester's name is a new query, and its proof belongs to the requesting account. */
import { beforeAll, describe, expect, it } from "vitest";
import { jsonOf, messageOf, numberIn } from "../kit/answer.ts";
import { expectBalance, expectDocumented, expectError } from "../kit/contractAnswer.ts";
import { composeOverVies, type OverVies, verdictIn } from "../kit/vat.ts";
import { fictionalRsins, REGISTERED, REGISTERED_ADDRESS, requestsFor } from "../kit/vies.ts";

const endpoint = { method: "GET", path: "/v1/validate/vat/:vatNumber" } as const;
const OWN = "requester=NL123456782B90";
const PROOF = /^WAPIAAAA[0-9A-Za-z]{8}$/;

const numbers = fictionalRsins(20).map((rsin) => `NL${rsin}B01`);
/** A number unused by earlier tests. */
const another = (): string => numbers.pop() ?? "";

let over: OverVies;
let other: string;
beforeAll(async () => {
  over = await composeOverVies({ vies: { companyOf: () => REGISTERED } });
  other = (await over.service.account("plenty")).key;
});

describe("with a requester", () => {
  it("VIES is queried in its name, also for a cached number, and its proof is returned, for 1", async () => {
    const number = another();
    await over.validate(number);
    const answer = await over.validate(`${number}?${OWN}`);
    expectDocumented(endpoint, answer);
    expectBalance(answer);
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(jsonOf(answer)).toEqual({
      vatNumber: number,
      valid: true,
      name: REGISTERED.name,
      address: REGISTERED_ADDRESS,
      validatedAt: expect.any(String),
      status: "validated",
      checksumValid: true,
      consultationNumber: expect.stringMatching(PROOF),
    });
    expect(over.vies.log.at(-1)?.request).toMatchObject({
      countryCode: "NL",
      vatNumber: number.slice(2),
      requester: { countryCode: "NL", vatNumber: "123456782B90" },
    });
    expect(requestsFor(over.vies, number)).toBe(2);
  });

  it("of the one-stop shop VIES is queried in that name", async () => {
    const verdict = verdictIn(await over.validate(`${another()}?requester=eu-372.000.041`));
    expect(verdict.consultationNumber).toMatch(PROOF);
    expect(over.vies.log.at(-1)?.request.requester).toEqual({ countryCode: "EU", vatNumber: "372000041" });
  });

  it("each account has its own proof, and parallel calls of one account share one", async () => {
    const number = another();
    const ask = (key?: string) => over.validate(`${number}?${OWN}`, key);
    // Slow, so that all are in progress at once.
    over.vies.setFault("NL", { kind: "latency", ms: 300 });
    const answers = await Promise.all([ask(), ask(), ask(other), ask(other)]);
    over.vies.clearFaults();
    const proofs = answers.map((answer) => verdictIn(answer).consultationNumber);
    expect(proofs).toEqual([proofs[0], proofs[0], proofs[2], proofs[2]]);
    expect(proofs[0]).not.toBe(proofs[2]);
    expect(requestsFor(over.vies, number)).toBe(2);
    expect(answers.map((answer) => numberIn(answer, "x-tokens-charged"))).toEqual([1, 1, 1, 1]);
  });

  it("the proof is hidden from other accounts and without the requester; the verdict is shared", async () => {
    const number = another();
    const { consultationNumber, ...verdict } = verdictIn(await over.validate(`${number}?${OWN}`));
    expect(consultationNumber).toMatch(PROOF);
    expect(verdictIn(await over.validate(number, other))).toEqual(verdict);
    expect(verdictIn(await over.validate(number))).toEqual(verdict);
    expect(requestsFor(over.vies, number)).toBe(1);

    over.vies.setFault("NL", { kind: "code", code: "VAT_BLOCKED" });
    const mine = verdictIn(await over.validate(`${number}?${OWN}`));
    const yours = verdictIn(await over.validate(`${number}?${OWN}`, other));
    const inAnotherName = verdictIn(await over.validate(`${number}?requester=EL094259216`));
    over.vies.clearFaults();
    const stale = { ...verdict, status: "stale", ageSeconds: expect.any(Number) };
    expect(mine).toEqual({ ...stale, consultationNumber });
    expect(yours).toEqual(stale);
    expect(inAnotherName).toEqual(stale);
  });

  it("a malformed number is malformed, for 1 and without querying VIES", async () => {
    const requestsBefore = over.vies.counts.all.requests;
    const answer = await over.validate(`NL123456789B01?${OWN}`);
    expect(verdictIn(answer)).toMatchObject({ status: "malformed", valid: false });
    expect(numberIn(answer, "x-tokens-charged")).toBe(1);
    expect(over.vies.counts.all.requests).toBe(requestsBefore);
  });

  it("a missing answer is UPSTREAM_ERROR, free of charge", async () => {
    over.vies.setFault("NL", { kind: "code", code: "VAT_BLOCKED" });
    const answer = await over.validate(`${another()}?${OWN}`);
    over.vies.clearFaults();
    expectError(answer, "UPSTREAM_ERROR");
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  });
});

describe("a requester that VIES refuses", () => {
  it("is INVALID_REQUEST that names it, free of charge, and not repeated", async () => {
    for (const refused of ["DE999999202", "DE999999200"]) {
      const number = another();
      const answer = await over.validate(`${number}?requester=${refused}`);
      expectError(answer, "INVALID_REQUEST");
      expectBalance(answer);
      expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      expect(messageOf(answer)).toContain("requester");
      for (const digits of ["999999", number.slice(2, 11)]) expect(answer.text).not.toContain(digits);
      // The refusal was not about the number: the next caller gets an answer.
      expect(verdictIn(await over.validate(number)).valid).toBe(true);
    }
  });

  it.each(["INVALID_REQUESTER_INFO", "VOW-ERR-2500", "VOW-ERR-2700"])(
    "with %s is refused even if the number is cached; the same error without a requester is an outage",
    async (code) => {
      const [cached, fresh] = [another(), another()];
      await over.validate(cached);
      over.vies.setFault("NL", { kind: "code", code });
      const refused = await over.validate(`${cached}?${OWN}`);
      const [stale, unknown] = [await over.validate(`${cached}?maxAge=0`), await over.validate(fresh)];
      over.vies.clearFaults();
      expectError(refused, "INVALID_REQUEST");
      expect(verdictIn(stale)).toMatchObject({ status: "stale", valid: true });
      expectError(unknown, "UPSTREAM_ERROR");
    },
  );
});
