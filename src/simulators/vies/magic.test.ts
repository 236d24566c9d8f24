import { expect, it } from "vitest";
import { FIXTURES } from "../../../test/kit/vatNumbers.ts";
import { check, codeOf, post, simulator } from "../../../test/kit/viesSimulator.ts";
import { STATE_CODES } from "../../vat/numbers/states.ts";
import { MAGIC_ANSWERS, magicAnswer } from "./magic.ts";

const CODES = Object.entries(MAGIC_ANSWERS);

it.each(CODES)("the test service answers %s with %s, for any country code", async (vatNumber, answer) => {
  const vies = await simulator();
  for (const countryCode of ["CZ", "NL", "ZZ"]) {
    const { status, json } = await post(vies, { countryCode, vatNumber }, "check-vat-test-service");
    expect(status).toBe(200);
    if (answer === "VALID" || answer === "INVALID") expect(json["valid"]).toBe(answer === "VALID");
    else expect(json).toEqual({ actionSucceed: false, errorWrappers: [{ error: answer }] });
  }
});

it("the test service answers any other number with SERVICE_UNAVAILABLE", async () => {
  const vies = await simulator();
  for (const vatNumber of ["999", "45274649", "0100"]) {
    const { json } = await post(vies, { countryCode: "CZ", vatNumber }, "check-vat-test-service");
    expect(codeOf(json)).toBe("SERVICE_UNAVAILABLE");
  }
});

it.each(CODES)("a number of a state's own form with %s after the 9s answers %s", async (code, answer) => {
  const vies = await simulator();
  const numbers = {
    DE: `999999${code}`,
    AT: `U99999${code}`,
    NL: `999999${code}B01`,
    SE: `9999999${code}01`,
  };
  const others = { FR: `XX999999${code}`, CY: `99999${code}L`, IE: `9999${code}A`, DK: `99999${code}` };
  for (const [state, vatNumber] of Object.entries({ ...numbers, ...others })) {
    const json = await check(vies, state, vatNumber);
    if (answer === "VALID" || answer === "INVALID")
      expect(json, state).toHaveProperty("valid", answer === "VALID");
    else expect(codeOf(json), state).toBe(answer);
  }
});

it("no other number is a magic one: neither fewer 9s, nor another code, nor a wrong form", async () => {
  expect(magicAnswer("DE", "919999301")).toBeUndefined();
  expect(magicAnswer("DE", "999999303")).toBeUndefined();
  expect(magicAnswer("NL", "123456301B99")).toBeUndefined();
  for (const state of STATE_CODES) {
    for (const national of FIXTURES[state].valid) expect(magicAnswer(state, national)).toBeUndefined();
  }
  const vies = await simulator();
  expect(await check(vies, "DE", "99999999301")).toHaveProperty("valid", false);
});
