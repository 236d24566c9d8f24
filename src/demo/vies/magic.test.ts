import { expect, it } from "vitest";
import { FIXTURES } from "../../../test/kit/vatNumbers.ts";
import { check, codeOf, simulator } from "../../../test/kit/viesSimulator.ts";
import { STATE_CODES } from "../../vat/numbers/states.ts";
import { MAGIC_RESULTS, magicResult } from "./magic.ts";

const CODES = Object.entries(MAGIC_RESULTS);

it.each(CODES)("a well-formed number with %s after the 9s gives %s", async (code, answer) => {
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

it("a number with fewer 9s, another code or a wrong form is not a magic number", async () => {
  expect(magicResult("DE", "919999301")).toBeUndefined();
  expect(magicResult("DE", "999999303")).toBeUndefined();
  expect(magicResult("NL", "123456301B99")).toBeUndefined();
  for (const state of STATE_CODES) {
    for (const national of FIXTURES[state].valid) expect(magicResult(state, national)).toBeUndefined();
  }
  const vies = await simulator();
  expect(await check(vies, "DE", "99999999301")).toHaveProperty("valid", false);
});
