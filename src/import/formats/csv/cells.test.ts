/** Cells as programs export them: entities, invisible characters, codes as numbers, a postal code next to the city. */
import { describe, expect, it } from "vitest";
import { factsOf, read } from "../../../../test/kit/table.ts";

const nameOf = async (cell: string) =>
  (await factsOf("kvk;naam", `50000012;"${cell.replaceAll('"', '""')}"`)).name;

describe("a cell", () => {
  it.each([
    ["Bloemen &amp; Planten", "Bloemen & Planten"],
    ["&#39;s-Gravenhage", "'s-Gravenhage"],
    ["&#x27;s-Gravenhage", "'s-Gravenhage"],
    ["Caf&eacute; Zon", "Café Zon"],
    ["&Eacute;&eacute;n &amp; &Uuml;ber &ccedil;", "Één & Über ç"],
    ["CAF&EACUTE; &UUML;BER &AMP; CO", "CAFÉ ÜBER & CO"],
    ["&Lstrok;&oacute;d&zacute; &trade;", "Łódź ™"],
    ["A&nbsp;&nbsp;B", "A B"],
    ["&quot;Zon&quot; &lt;3", '"Zon" <3'],
    ["A &amp;amp; B", "A &amp; B"],
    ["A & B", "A & B"],
    ["AT&T;", "AT&T;"],
    ["A &constructor; &foo; &#0; &#xD800; &#9999999;", "A &constructor; &foo; &#0; &#xD800; &#9999999;"],
  ])("with HTML entities: %s", async (cell, name) => {
    expect(await nameOf(cell)).toBe(name);
  });

  it.each([
    ["Mo\u200blen", "Molen"],
    ["\u202eneloM\u202c", "neloM"],
    ["\u2066Molen\u2069", "Molen"],
    ["Mo\u00adlen", "Molen"],
    ["\ufeffMolen", "Molen"],
    ["Mo\u200flen", "Molen"],
    ["Mo\u0000len", "Mo len"],
    ["\u0646\u0627\u0645\u0647\u200c\u0627\u06cc", "\u0646\u0627\u0645\u0647\u200c\u0627\u06cc"],
  ])("with invisible characters: %j", async (cell, name) => {
    expect(await nameOf(cell)).toBe(name);
  });

  it.each([
    ["4711.0", "4711"],
    ["47,11", "4711"],
    ["1.13", "0113"],
    ["47.11.0", "47110"],
    ["47110.00", "47110"],
    ["47.11", "4711"],
    ["47.11.0", "47110"],
    ["01.24.1", "01241"],
    ["01241", "01241"],
  ])("with the SBI code %s", async (cell, sbiCode) => {
    expect((await factsOf("kvk;naam;sbi", `50000012;x;${cell}`)).activities).toEqual([
      { sbiCode, isMain: true },
    ]);
  });

  it.each([
    ["plaats", "1234 AB Rommeldam"],
    ["plaats", "1234ab, Rommeldam"],
    ["postcode;plaats", "1234 AB;1234 AB Rommeldam"],
  ])("of the city with the postal code in it: %s: %s", async (column, cell) => {
    const { address } = await factsOf(`kvk;naam;straat;${column}`, `50000012;x;Kade 12;${cell}`);
    expect(address).toEqual({
      street: "Kade",
      houseNumber: "12",
      postalCode: "1234 AB",
      city: "Rommeldam",
      country: "NL",
      kind: "visiting",
    });
    const whole = await factsOf("kvk;naam;plaats", '50000012;x;"Kade 12, 1234 AB Rommeldam"');
    expect(whole.address).toEqual(address);
  });
});

it("rejects a placeholder as KVK number, but not a number that only resembles one", async () => {
  const [placeholder, odd] = await read("kvk;naam;actief\n00000000;x;ja\n12345678;y;ja\n");
  expect(placeholder).toMatchObject({ rejection: { reason: "the KVK number is a placeholder (00000000)" } });
  expect(odd).toMatchObject({ sourced: { facts: { kvkNumber: "12345678" } } });
});

it.each([
  ["12.0", 12],
  ["12,00", 12],
  ["1.234", 1_234],
  ["1 234", 1_234],
  ["1,234,567", 1_234_567],
  ["12.34", undefined],
  ["ca. 12", undefined],
])("a row with %j employees has %s", async (cell, total) => {
  const { employees } = await factsOf("kvk;naam;werknemers", `50000012;x;${cell}`);
  expect(employees?.total).toBe(total);
});

it.each(["123456782", "123456782.0", "1234.56.782"])("a row with the RSIN %s", async (rsin) => {
  expect((await factsOf("kvk;naam;rsin", `50000012;x;${rsin}`)).rsin).toBe("123456782");
});

it.each(["einddatum", "datum ontbinding", "datum opheffing", "uitgeschreven per"])(
  "a row with a past %s is inactive",
  async (column) => {
    expect((await factsOf(`kvk;naam;${column}`, "50000012;x;01-01-2020")).isActive).toBe(false);
  },
);
