import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { employees } from "../../test/kit/arbitraryFacts.ts";
import { kindOf } from "../company/address.ts";
import { LEGAL_FORM_CODES } from "../contract/legalForms.ts";
import { isKvkNumber } from "../contract/numbers.ts";
import { tidy } from "../lib/values.ts";
import { formatFacts, formatJsonLine, parseJsonLine } from "./jsonl.ts";

const minimal = { kvkNumber: "50000012", name: "Bakkerij De Gouden Korenaar B.V.", isActive: true };

function parse(company: object) {
  return parseJsonLine(JSON.stringify(company));
}

const text = fc.string({ minLength: 1, unit: "grapheme" }).map((any) => tidy(any) ?? "x");
const day = fc
  .date({ min: new Date("1921-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length });
const openAddress = fc.record(
  {
    street: text,
    houseNumber: text,
    postalCode: fc.constantFrom("1234 AB", "9999 ZZ"),
    city: text,
    country: fc.constantFrom("NL", "BE"),
  },
  { requiredKeys: ["city"] },
);
const shielded = fc.record(
  {
    city: fc.constantFrom("Utrecht", "'s-Gravenhage"),
    country: fc.constant("NL"),
    isShielded: fc.constant(true as const),
  },
  { requiredKeys: ["isShielded"] },
);
const address = fc.oneof(openAddress, shielded);
const branch = fc.record(
  {
    branchNumber: digits(12),
    name: text,
    isMain: fc.boolean(),
    isActive: fc.boolean(),
    address: address.map(({ country: _, ...rest }: { country?: string; city?: string }) => rest),
  },
  { requiredKeys: ["branchNumber", "isMain", "isActive"] },
);
const facts = fc.record(
  {
    kvkNumber: digits(8).filter(isKvkNumber),
    name: text,
    isActive: fc.boolean(),
    address: address.map((given) => ({ ...given, kind: kindOf(given) })),
    tradingNames: fc.array(text),
    legalForm: fc.constantFrom(...LEGAL_FORM_CODES),
    registrationDate: day,
    deregistrationDate: day,
    statutoryName: text,
    rsin: digits(9),
    nonMailing: fc.boolean(),
    employees,
    mainBranchNumber: digits(12),
    branchCount: fc.nat(),
    websites: fc.array(text),
    activities: fc.array(
      fc.record(
        { sbiCode: digits(5), description: text, isMain: fc.boolean() },
        { requiredKeys: ["sbiCode", "isMain"] },
      ),
    ),
    branches: fc.array(branch),
    vatNumber: fc.constant("NL123456782B01"),
  },
  { requiredKeys: ["kvkNumber", "name", "isActive"] },
);
const sourced = fc.record({
  origin: fc.constantFrom("kvk-api", "gleif", "demo", "import:suppliers-2026"),
  asOf: fc
    .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  // A past date of deregistration makes the company inactive.
  facts: facts.map((one) => (one.deregistrationDate === undefined ? one : { ...one, isActive: false })),
});

describe("the jsonl form", () => {
  it("is the contract's Company, with an optional address", () => {
    const company = { ...minimal, address: {}, branches: [] };
    expect(JSON.parse(formatJsonLine(company))).toEqual(company);
  });

  it("preserves facts, origin and date exactly", () => {
    fc.assert(
      fc.property(sourced, (given) => {
        const line = formatFacts(given);
        expect(line).not.toContain("\n");
        expect(parseJsonLine(line)).toEqual({
          facts: given.facts,
          source: { origin: given.origin, asOf: given.asOf },
        });
      }),
    );
  });
});

describe("reading a line", () => {
  it.each([
    [true, "2020-01-01", { isActive: false, deregistrationDate: "2020-01-01" }, 1],
    [true, "2099-01-01", { isActive: true, deregistrationDate: "2099-01-01" }, 0],
    [true, "9999-12-31", { isActive: true }, 0],
    [false, "9999-12-31", { isActive: false }, 0],
    [false, "2020-01-01", { isActive: false, deregistrationDate: "2020-01-01" }, 0],
    [true, "1900-01-01", { isActive: true }, 1],
  ])("that is active (%s) until %s", (isActive, deregistrationDate, status, counted) => {
    const read = parseJsonLine(JSON.stringify({ ...minimal, isActive, deregistrationDate }));
    expect("facts" in read && read.facts).toEqual({ ...minimal, ...status });
    expect("facts" in read && (read.leftOut ?? [])).toHaveLength(counted);
  });

  it("accepts a minimal company without adding anything", () => {
    expect(parse(minimal)).toEqual({ facts: minimal });
    expect(parse({ ...minimal, address: {} })).toEqual({ facts: minimal });
  });

  it("accepts a response of the API, ignoring the VAT verdict, insolvency and what open data adds", () => {
    const openData = { fields: ["activities", "startDate"], observedAt: "2026-02-01T10:00:00.000Z" };
    const source = { kvk: "gleif", cachedAt: "2026-02-03T10:00:00+01:00", openData };
    expect(
      parse({
        ...minimal,
        vat: { number: "NL1", status: "malformed" },
        insolvency: { type: "none" },
        activities: [{ sbiCode: "69101", isMain: true }],
        startDate: "2010-12-31",
        source,
      }),
    ).toEqual({
      facts: minimal,
      source: { origin: "gleif", asOf: "2026-02-03T09:00:00.000Z" },
    });
  });

  it.each([
    ["BE", "BE", 0],
    ["XK", "XK", 0],
    ["UK", "GB", 0],
    ["ZZ", undefined, 1],
  ])("has the country %s as %s", (country, shown, counted) => {
    const read = parseJsonLine(JSON.stringify({ ...minimal, address: { city: "X", country } }));
    expect("facts" in read && read.facts.address).toEqual({
      city: "X",
      ...(shown !== undefined && { country: shown }),
      kind: "visiting",
    });
    expect("facts" in read && (read.leftOut ?? [])).toHaveLength(counted);
  });

  it.each(["Kade 12, 1234 AB Utrecht", "1234 AB Utrecht", "Utrecht, Kade", "Molenstraat Utrecht"])(
    "hides the city of a shielded address if it may contain more: %s",
    (city) => {
      const line = JSON.stringify({
        kvkNumber: "50000012",
        name: "x",
        isActive: true,
        address: { city, isShielded: true },
        branches: [
          {
            branchNumber: "000000000001",
            isMain: false,
            isActive: true,
            address: { city, isShielded: true },
          },
        ],
      });
      expect(parseJsonLine(line)).toMatchObject({
        facts: {
          address: { isShielded: true, kind: "visiting" },
          branches: [{ address: { isShielded: true } }],
        },
      });
      expect(JSON.stringify(parseJsonLine(line))).not.toContain("Utrecht");
    },
  );

  it("keeps only city and country of a shielded address, and no country of a branch", () => {
    const address = { street: "Geheimlaan", postalCode: "1234 AB", city: "Utrecht", country: "NL" };
    const line = parse({
      ...minimal,
      address: { ...address, isShielded: true },
      branches: [{ branchNumber: "000000000001", isMain: true, isActive: true, address }],
    });
    expect(line).toMatchObject({
      facts: {
        address: { city: "Utrecht", country: "NL", isShielded: true, kind: "visiting" },
        branches: [{ address: { street: "Geheimlaan", postalCode: "1234 AB", city: "Utrecht" } }],
      },
    });
    expect(JSON.stringify(line).match(/Geheimlaan/g)).toHaveLength(1);
    expect(JSON.stringify(line).match(/"NL"/g)).toHaveLength(1);
  });

  it("collapses white space and control characters, and trims texts", () => {
    const line = parse({
      ...minimal,
      tradingNames: ["De  Korenaar", "Gouden\u00a0Aar\r\n"],
      address: { city: "\tEde " },
    });
    expect(line).toMatchObject({
      facts: { tradingNames: ["De Korenaar", "Gouden Aar"], address: { city: "Ede" } },
    });
    const characters = fc.oneof(
      fc.constantFrom(...' \t\r\n\u0000\u0085\u00a0\u2028\ufeff\\"x'),
      fc.string({ maxLength: 1 }),
    );
    const anyName = fc.array(characters, { minLength: 1 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(anyName, (name) => {
        const tidied = tidy(name);
        if (tidied === undefined) expect(parse({ ...minimal, name })).toHaveProperty("reason");
        else expect(parse({ ...minimal, name })).toHaveProperty("facts.name", tidied);
      }),
    );
  });

  it.each(["Postbus", "Antwoordnummer"])("treats a %s as a correspondence address", (street) => {
    const line = parse({ ...minimal, address: { street, houseNumber: "200" } });
    expect(line).toMatchObject({ facts: { address: { kind: "correspondence" } } });
  });

  it.each([
    ["{", "the line is not JSON"],
    ["[]", "the line is not a JSON object"],
    ["null", "the line is not a JSON object"],
    [{ name: "X", isActive: true }, "kvkNumber is missing"],
    [{ ...minimal, kvkNumber: 50000012 }, "kvkNumber must be string"],
    [{ ...minimal, kvkNumber: "1234567" }, "kvkNumber must have the form ^[0-9]{8}$"],
    [{ ...minimal, isActive: null }, "isActive must be boolean"],
    [{ ...minimal, tradingName: "X" }, "a key that the form does not have"],
    [
      '{"kvkNumber":"50000012","name":"X","isActive":true,"__proto__":{}}',
      "a key that the form does not have",
    ],
    [{ ...minimal, address: { plaats: "X" } }, "a key that address does not have"],
    [{ ...minimal, address: { city: "" } }, "address.city is empty; leave out what is not known"],
    [{ ...minimal, tradingNames: ["a", ""] }, "tradingNames[] is empty; leave out what is not known"],
    [{ ...minimal, name: " " }, "name is empty; leave out what is not known"],
    [{ ...minimal, address: { city: "\r" } }, "address.city is empty; leave out what is not known"],
    [{ ...minimal, legalForm: "GMBH" }, "legalForm must be one of the codes of the contract"],
    [
      { ...minimal, registrationDate: "2023-02-29" },
      "registrationDate must be a day that exists, as YYYY-MM-DD",
    ],
    [
      { ...minimal, branches: [{ branchNumber: "1", isMain: true, isActive: true }] },
      "branches[].branchNumber must have the form ^[0-9]{12}$",
    ],
    [
      { ...minimal, source: { kvk: "kvk", cachedAt: "2026-01-01" } },
      "source.kvk must be kvk-api, gleif, demo or import:<name>",
    ],
    [
      { ...minimal, source: { kvk: "demo", cachedAt: "yesterday" } },
      "source.cachedAt must be an ISO 8601 date or time with its zone",
    ],
  ])("rejects %j and names the field", (company, reason) => {
    const line = typeof company === "string" ? company : JSON.stringify(company);
    expect(parseJsonLine(line)).toMatchObject({ reason });
  });

  it("never quotes a VAT number", () => {
    const rejection = parse({ ...minimal, vatNumber: "nl 123456782 b01" });
    expect(rejection).toHaveProperty("reason");
    expect(JSON.stringify(rejection)).not.toContain("123456782");
  });
});

describe("employees", () => {
  it.each([
    [{ employees: { total: -1 } }, "employees.total must be >= 0"],
    [{ employees: { total: 1.5 } }, "employees.total must be integer"],
    [{ employees: {} }, "employees must not have fewer than 1 properties"],
    [{ employees: { all: 3 } }, "a key that employees does not have"],
    [{ employees: null }, "employees must be object"],
    [{ employees: "12" }, "employees must be object"],
    [{ employees: 12 }, "employees must be object"],
  ])("of %j are rejected: %s", (more, reason) => {
    expect(parse({ ...minimal, ...more })).toMatchObject({ reason });
  });
});
