import { expect, it } from "vitest";
import { FIXTURES, type Fixture } from "../../../test/kit/vatNumbers.ts";
import { check, simulator } from "../../../test/kit/viesSimulator.ts";
import { STATE_CODES } from "../../vat/numbers/states.ts";
import { dutchAddress, isRegistered, traderOf } from "./traders.ts";

it("about three of four numbers are registered, in every state", () => {
  for (const state of STATE_CODES) {
    const numbers = Array.from({ length: 1_000 }, (_, index) => String(index));
    const count = numbers.filter((number) => isRegistered(state, number)).length;
    expect(count, state).toBeGreaterThan(690);
    expect(count, state).toBeLessThan(810);
  }
});

it("every simulator returns the same result for a number, also in lower case, with any checksum", async () => {
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

it("names and addresses have their state's shape, or are withheld", () => {
  const shapes = {
    DE: [/^---$/, /^---$/],
    ES: [/^---$/, /^---$/],
    FR: [/^\S+ \S+ \d{4}$/, /^\D+ \d+\n\d{5} \w+$/],
    NL: [/^[A-Z-]+ [A-Z]+ \d{4}$/, /^\n[A-Z ]+ \d{5}\n\d{4}XX [A-Z]+\n$/],
  } as const;
  for (const state of ["DE", "ES", "FR", "NL"] as const) {
    for (let index = 0; index < 50; index++) {
      const { name, address } = traderOf(state, String(index));
      expect(name, state).toMatch(shapes[state][0]);
      expect(address, state).toMatch(shapes[state][1]);
    }
  }
});

it("a Dutch address has the form of VIES: in capitals, between line breaks, with a number of five digits", () => {
  const address = {
    street: "Verzonnenstraat",
    houseNumber: "17-A",
    postalCode: "1234 AB",
    city: "Nergenshuizen",
  };
  expect(dutchAddress(address)).toBe("\nVERZONNENSTRAAT 00017-A\n1234AB NERGENSHUIZEN\n");
  expect(dutchAddress({ city: "Nergenshuizen" })).toBe("\nNERGENSHUIZEN\n");
});

it("companyOf decides about well-formed numbers except magic ones", async () => {
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
  expect((await check(vies, "AT", "U13585627"))["valid"]).toBe(isRegistered("AT", "U13585627"));
  expect(await check(vies, "NL", "999999100B10")).toMatchObject({ valid: true });
  await check(vies, "NL", "wrong");
  expect(asked).toEqual(["NL123456782B90", "NL123456789B13", "ATU13585627"]);
});
