import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import { effectOf, typeOfCode } from "./codes.ts";

const SCHEMA = sharedPath("data/cir/RSpublicWS_InsolvencyContent02.xsd");

/** The codes that change a case; 119 codes are known in total. */
const DECLARED =
  "1100 1101 1200 1201 1300 1301 1302 1303 1304 1305 1306 2100 2101 2102 2200 2201 2202 2301 2302 2303 2304 2305 2306 2307 2308 2337 3100 3200 3300 3301 3302";
const ENDED =
  "1102 1202 1316 1317 1318 1319 1320 1324 1333 1334 2328 2329 2330 2331 2332 2333 2334 2335 2354 2355 3307 3308 3309 3313 3314";
const OTHER = "1307 1308 1313 1315 1322 1323 1331 2300 2336 2338 2348 3101 3102 3201 3202 3303 3310";
const TYPES = [
  ["1", "bankruptcy"],
  ["2", "debt_restructuring"],
  ["3", "suspension_of_payments"],
] as const;

describe("the codes of publications", () => {
  it.each([
    ["declared", DECLARED],
    ["ended", ENDED],
    ["other", OTHER],
  ])("are %s: %s", (effect, codes) => {
    expect(codes.split(" ").filter((code) => effectOf(code) !== effect)).toEqual([]);
  });

  it.each([
    "0000",
    "1000",
    "1103",
    "1321",
    "1327",
    "1329",
    "1335",
    "2203",
    "2350",
    "2356",
    "3312",
    "3315",
    "",
    "x",
  ])("are unknown: %j", (code) => {
    expect(effectOf(code)).toBeUndefined();
  });

  it.each(TYPES)("that begin with %s are about %s", (first, type) => {
    expect(typeOfCode(`${first}300`)).toBe(type);
  });
});

describeWith(shared(SCHEMA), "the codes of the court's schema", () => {
  const text = readFileSync(SCHEMA, "utf8");
  const [, list = ""] = /"inspubPublicatiesoortCode">(.*?)<\/xs:simpleType>/s.exec(text) ?? [];
  const codes = [...list.matchAll(/value="(\d{4})">.*?lang="nl">(.*?)<.*?lang="en">(.*?)</gs)].map(
    ([, code = "", dutch = "", english = ""]) => ({ code, dutch, english }),
  );

  it("are all known", () => {
    expect(codes.length).toBe(119);
    expect(codes.filter(({ code }) => effectOf(code) === undefined)).toEqual([]);
  });

  it("declare a case if their text says so, and only then", () => {
    const declares =
      /^(?:uitspraak|verlening|omzetting|herleving|heropening|faillissement van rechtswege|vernietiging faillissement na verzet met herleving)/;
    expect(
      codes
        .filter(({ dutch }) => declares.test(dutch))
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(DECLARED.split(" "));
    const english =
      /^(?:declaration|(?:final |provisional )?admission|granting|conversion|resurgence|reopening|bankruptcy de jure|nullification .* with resurgence)/i;
    expect(
      codes
        .filter((code) => english.test(code.english))
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(DECLARED.split(" "));
  });

  it("end a case if their text says so, and only then", () => {
    const ends =
      /^(?:einde|opheffing|vernietiging(?!.*herleving)|(?:tussentijdse )?be(?:ë|e)indiging (?:door|SSR)|.* (?:omgezet|overgedragen) )/i;
    expect(
      codes
        .filter(({ dutch }) => ends.test(dutch))
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(ENDED.split(" "));
  });
});
