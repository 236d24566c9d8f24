/** Words of the page that must tell things apart, in both languages. */
import { describe, expect, it } from "vitest";
import { csvText } from "../../dashboard/src/language/csv.ts";
import { hintText } from "../../dashboard/src/language/hints.ts";
import { operations } from "../../dashboard/src/language/operations.ts";
import { sourceName } from "../../dashboard/src/language/sources.ts";
import { vatStateOf } from "../../dashboard/src/language/vatStates.ts";
import { scoreIn } from "../../dashboard/src/pages/try/list/job/answers.ts";
import { usageRows } from "../../dashboard/src/pages/usage/usageFile.ts";
import { checkVatNumber } from "../../src/vat/numbers/check.ts";

it.each(["en", "nl"] as const)("no two types of calls have one name in %s", (language) => {
  const names = Object.values(operations[language]);
  expect(new Set(names).size).toBe(names.length);
});

describe("the badge of a VAT number that can't exist", () => {
  it.each([
    "111111111B01",
    "987654321B12",
    "999999999B99",
    "12345678B01",
    "123456782B0",
    "123456782B00",
    "ABC",
    "1234567820B01",
  ])("says of NL%s whether its form or its check digit is wrong", (national) => {
    const { wellFormed, isMalformed } = checkVatNumber({ countryCode: "NL", national });
    expect(isMalformed).toBe(true);
    const state = vatStateOf({
      vatNumber: `NL${national}`,
      valid: false,
      status: "malformed",
      checksumValid: false,
    });
    expect(state).toBe(wellFormed ? "wrongCheck" : "malformed");
  });

  it("keeps other states, and calls a wrong form of another country a wrong form", () => {
    const verdict = { vatNumber: "DE12345678", valid: false, checksumValid: false } as const;
    expect(vatStateOf({ ...verdict, status: "malformed" })).toBe("malformed");
    expect(vatStateOf({ ...verdict, vatNumber: "NL111111111B01", status: "validated" })).toBe("validated");
  });
});

it.each([
  [99.99, "99%"],
  [99.7, "99%"],
  [100, "100%"],
  [0.4, "0%"],
])("a score of %d is shown as %s: only certainty is 100 %%", (score, shown) => {
  expect(scoreIn(score, (share) => `${Math.round(share * 100)}%`)).toBe(shown);
});

it.each([
  ["gleif", "GLEIF"],
  ["kvk-api", "KVK"],
  ["import:mijn", "mijn (eigen bestand)"],
  ["import:import:x", "import:x (eigen bestand)"],
  ["import:", "import:"],
  ["demo", "Demo (verzonnen bedrijven)"],
  ["snapshot", "Register van deze dienst"],
])("the source %s is called %s", (source, name) => {
  expect(sourceName(source, "nl")).toBe(name);
});

it("a hint has a text in the language of the page, and that of the service for a code of a later release", () => {
  expect(hintText({ code: "iban", message: "This is …" }, "nl")).toMatch(/^Dit is een rekeningnummer/);
  expect(hintText({ code: "later", message: "Something else." }, "nl")).toBe("Something else.");
});

describe("the file of a month's usage", () => {
  const head =
    "day,key_id,key_name,operation,requests,tokens,refused_by_rate,refused_by_allowance,failed_by_caller,failed_by_service,sessions,session_calls,test_requests,later";
  const file = `\ufeff${head}\r
2026-11-05,key_1,"a, ""b""; '=1+1",jobs.match,3,2,0,0,0,0,0,0,,1\r
2026-11-06,page_1,this page,lookup,1,1,0,0,0,0,0,0,,\r
2026-11-06,key_2,t,future,,,,,,,,,4,\r
`;

  it("has the words, dates and separator of a Dutch spreadsheet", () => {
    const [titles, first, second, third] = csvText(usageRows(file, "nl"), ";").slice(1).split("\r\n");
    expect(titles).toBe(
      "Dag;Sleutel-id;Sleutel;Soort aanroep;Aanroepen;Tokens;Geweigerd: te veel per minuut;Geweigerd: te weinig tokens;Mislukt: fout in de aanroep;Mislukt: fout bij ons;Typesessies;Aanroepen in typesessies;Testsleutels: Aanroepen;later",
    );
    expect(first).toBe(`05-11-2026;key_1;"a, ""b""; '=1+1";"Lijst, per gekoppelde rij";3;2;0;0;0;0;0;0;;1`);
    expect(second).toBe("06-11-2026;page_1;Deze pagina;Opzoeken;1;1;0;0;0;0;0;0;;");
    expect(third).toBe("06-11-2026;key_2;t;future;;;;;;;;;4;");
  });

  it("has those of an English one", () => {
    const row = ["2026-11-06", "page_1", "This page", "Lookup", "1", "1"];
    expect(usageRows(file, "en")[2]?.slice(0, 6)).toEqual(row);
  });
});
