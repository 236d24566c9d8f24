/** The companies in the API document are those of the demo, whose numbers no real company has. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isKvkNumber, passesKvkCheck } from "../../src/contract/numbers.ts";
import { EXAMPLE_COMPANIES, OLD_EXAMPLE_NUMBER } from "../../src/demo/registry/examples.ts";

/** The examples below a value, each with the name of its field. */
function* examplesIn(value: unknown, name = "", isExample = false): Generator<readonly [string, string]> {
  if (typeof value === "string" && isExample) yield [name, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    const isList = Array.isArray(value) || ["example", "examples", "default"].includes(key);
    yield* examplesIn(field, isList ? name : key, isExample || key === "example" || key === "examples");
  }
}

const EXAMPLES = [...examplesIn(JSON.parse(readFileSync("openapi.json", "utf8")))];
/** How VIES and callers write the same. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[\s.,]/g, "");
const KNOWN = plain(JSON.stringify(EXAMPLE_COMPANIES));
/** Misspelled on purpose, the number of a request that fails, and a fictional curator. */
const OTHERS = ["Bakkerij de Goude Korenaar BV", "123", "mr. A. Fabel"];

it("describe companies of the demo alone", () => {
  const fields =
    /^(?:name|matchedName|statutoryName|tradingNames|street|city|postalCode|houseNumber|websites?)$/;
  const described = EXAMPLES.filter(([name]) => fields.test(name)).map(([, value]) => value);
  expect(described.length).toBeGreaterThan(20);
  const unknown = described.filter((value) => !KNOWN.includes(plain(value)) && !OTHERS.includes(value));
  expect(unknown.filter((value) => !/^(?:Bedrijfsnaam|Opmerking)$/.test(value))).toEqual([]);
});

it("have numbers that no real company has", () => {
  const numbers = EXAMPLES.flatMap(
    ([, value]) => value.match(/(?<![0-9A-Za-z])(?:NL)?[0-9]{8,9}(?:B[0-9]{2})?(?![0-9A-Za-z])/g) ?? [],
  );
  const kvkNumbers = numbers.filter((number) => /^[0-9]{8}$/.test(number));
  const others = numbers.filter((number) => !kvkNumbers.includes(number));
  expect([kvkNumbers.length > 0, others.length > 0]).toEqual([true, true]);
  const isOld = (number: string) => number === OLD_EXAMPLE_NUMBER || number.startsWith("00");
  expect(
    kvkNumbers.filter((number) => isKvkNumber(number) && !isOld(number) && passesKvkCheck(number)),
  ).toEqual([]);
  // Numbers of companies and of people begin with other digits.
  expect(others.filter((number) => !/^(?:NL)?9[0-9]{8}(?:B[0-9]{2})?$/.test(number))).toEqual([]);
});

it("have addresses on the web and for mail that nobody owns", () => {
  const hosts = EXAMPLES.flatMap(
    ([, value]) => value.match(/(?<=:\/\/|@|^www\.)[a-z0-9.-]+\.[a-z]{2,}/g) ?? [],
  );
  expect(hosts.length).toBeGreaterThan(0);
  expect(hosts.filter((host) => !/(?:^|\.)(?:example\.(?:com|org|net)|example|test)$/.test(host))).toEqual(
    [],
  );
});
