import { expect, it } from "vitest";
import { FIXTURES, type Fixture } from "../../../test/kit/vatNumbers.ts";
import { check, simulator } from "../../../test/kit/viesSimulator.ts";
import { STATE_CODES } from "../../vat/numbers/states.ts";
import { madeUpTrader, traderOf } from "./registry.ts";
import { dutchAddress, shownBy } from "./shapes.ts";

it("about three of four numbers are registered, in every state", () => {
  for (const state of STATE_CODES) {
    const registered = Array.from({ length: 1_000 }, (_, index) => traderOf(state, String(index)));
    const count = registered.filter((trader) => trader !== undefined).length;
    expect(count, state).toBeGreaterThan(690);
    expect(count, state).toBeLessThan(810);
  }
});

it("a number is answered alike by every simulator, in small letters too, whatever its checksum", async () => {
  const [one, other] = [await simulator(), await simulator()];
  const seen = new Set<unknown>();
  for (const [state, { valid, wrongChecksum }] of Object.entries<Fixture>(FIXTURES)) {
    for (const national of [...valid, ...wrongChecksum]) {
      const { requestDate: _then, ...first } = await check(one, state, national);
      const { requestDate: _now, ...second } = await check(other, state, national);
      expect(second).toEqual(first);
      expect(await check(other, state, national.toLowerCase())).toMatchObject({
        valid: first["valid"],
        name: first["name"],
      });
      seen.add(first["valid"]);
    }
  }
  expect(seen).toEqual(new Set([true, false]));
});

it("names and addresses have the shape that each state was recorded with", () => {
  const shapes = {
    AT: /^\D+ \d+\nAT-\d{4} \w+$/,
    CZ: /^\D+ \d+\/2\n[A-Z]+ - MOCK\n\d{3} \d\d {2}[A-Z]+$/,
    DE: /^---$/,
    DK: /^\D+ \d+\n\d{4} \w+\n$/,
    ES: /^---$/,
    FR: /^\D+ \d+\n\d{5} \w+$/,
    IE: /^[^\n]+, \w+, \d+$/,
    LV: /^[^\n]+, \w+, LV-\d{4}$/,
    NL: /^\n[A-Z ]+ \d{5}\n\d{4}XX [A-Z]+\n$/,
    PL: /^[A-Z ]+ \d+\n\d\d-\d{3} [A-Z]+$/,
    PT: /^[A-Z ]+ N \d+\n[A-Z]+\n\d{4}-\d{3} [A-Z]+$/,
  } as const;
  for (const state of ["AT", "CZ", "DE", "DK", "ES", "FR", "IE", "LV", "NL", "PL", "PT"] as const) {
    for (let index = 0; index < 50; index++) {
      const trader = madeUpTrader(state, String(index));
      const { name, address } = shownBy(state, trader);
      expect(address, state).toMatch(shapes[state]);
      expect(name, state).toMatch(state === "DE" || state === "ES" ? /^---$/ : /^\S+ \S+ \d{4}$/);
    }
  }
});

it("a Dutch address is written as VIES gives it: in capitals, breaks around it, the number of five digits", () => {
  const address = {
    street: "Verzonnenstraat",
    houseNumber: "17-A",
    postalCode: "1234 AB",
    city: "Nergenshuizen",
  };
  expect(dutchAddress(address)).toBe("\nVERZONNENSTRAAT 00017-A\n1234AB NERGENSHUIZEN\n");
  expect(dutchAddress({ city: "Nergenshuizen" })).toBe("\nNERGENSHUIZEN\n");
});

it("companies that somebody knows are there, those said to be unknown are not, magic numbers are not asked for", async () => {
  const asked: string[] = [];
  const vies = await simulator({
    companyOf(countryCode, national) {
      asked.push(countryCode + national);
      if (national === "123456782B90") return { name: "VOORBEELD B.V.", address: "\nHIER 00001\n" };
      return national === "123456789B13" ? "unknown" : undefined;
    },
  });
  const known = { valid: true, name: "VOORBEELD B.V.", address: "\nHIER 00001\n" };
  expect(await check(vies, "NL", "123456782B90")).toMatchObject(known);
  expect(await check(vies, "NL", "123456789B13")).toMatchObject({
    valid: false,
    name: "---",
    address: "---",
  });
  expect((await check(vies, "AT", "U13585627"))["valid"]).toBe(traderOf("AT", "U13585627") !== undefined);
  expect(await check(vies, "NL", "999999100B10")).toMatchObject({ valid: true });
  await check(vies, "NL", "wrong");
  expect(asked).toEqual(["NL123456782B90", "NL123456789B13", "ATU13585627"]);
});
