import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeWith, shared, sharedPath } from "../../../test/kit/needs.ts";
import type { Deviation } from "../../company/rejection.ts";
import { type OpenData, readOpenData } from "./readOpenData.ts";

const AT = "2026-10-03T21:02:05.698Z";
const BV = {
  datumAanvang: "20101231",
  actief: "J",
  rechtsvormCode: "BV",
  postcodeRegio: 5,
  activiteiten: [{ sbiCode: "69101", soortActiviteit: "Hoofdactiviteit" }],
  lidstaat: "NL",
};

/** Its other fields, as they are read. */
const FURTHER = { activities: [{ sbiCode: "69101", isMain: true }], startDate: "2010-12-31" };

function read(status: number, body: unknown, headers: Record<string, string> = {}) {
  const deviations: Deviation[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/html;charset=UTF-8" : "application/json";
  const response = { kind: "response", status, text, headers: { "content-type": type, ...headers } } as const;
  return { result: readOpenData(response, AT, (deviation) => deviations.push(deviation)), deviations };
}

describe("a company in KVK's open data", () => {
  const table: readonly (readonly [name: string, body: object, value: OpenData, deviation?: string])[] = [
    ["is solvent without a code", BV, { insolvency: "none", isActive: true }],
    ["is solvent with an empty code", { ...BV, insolventieCode: "" }, { insolvency: "none", isActive: true }],
    [
      "is solvent with a code of null",
      { ...BV, insolventieCode: null },
      { insolvency: "none", isActive: true },
    ],
    ["is bankrupt", { ...BV, insolventieCode: "FAIL" }, { insolvency: "bankruptcy", isActive: true }],
    [
      "is bankrupt in any case",
      { ...BV, insolventieCode: " fail" },
      { insolvency: "bankruptcy", isActive: true },
    ],
    [
      "has suspended payments",
      { ...BV, insolventieCode: "SURS", actief: "N" },
      { insolvency: "suspension_of_payments", isActive: false },
    ],
    [
      "restructures its debts",
      { ...BV, insolventieCode: "SSAN" },
      { insolvency: "debt_restructuring", isActive: true },
    ],
    ["has ended", { ...BV, actief: "N" }, { insolvency: "none", isActive: false }],
    [
      "is unknown with another code",
      { ...BV, insolventieCode: "WHOA" },
      { isActive: true },
      "insolventieCode",
    ],
    [
      "is unknown with a code that is no text",
      { ...BV, insolventieCode: 1 },
      { isActive: true },
      "insolventieCode",
    ],
    [
      "is unknown when the field is renamed",
      { ...BV, insolventie: "FAIL" },
      { isActive: true },
      "insolventie",
    ],
    ["may be active or not", { ...BV, actief: "Ja" }, { insolvency: "none" }, "actief"],
  ];
  it.each(table)("%s", (_, body, value, deviation) => {
    const { result, deviations } = read(200, body);
    expect(result).toEqual({ kind: "found", value: Object.assign({}, value, FURTHER), asOf: AT });
    expect(deviations).toEqual(deviation === undefined ? [] : [{ path: deviation, kind: "unmapped" }]);
  });
});

describe("the activities and the start date of a company in KVK's open data", () => {
  const main = { sbiCode: "69101", soortActiviteit: "Hoofdactiviteit" };
  const side = { sbiCode: "6201", soortActiviteit: "Nevenactiviteit" };
  const { activities, startDate } = FURTHER;
  it.each<[name: string, change: object, read: object, deviation?: string]>([
    [
      "are read, main or not, without a description",
      { activiteiten: [side, main] },
      { activities: [{ sbiCode: "6201", isMain: false }, ...activities], startDate },
    ],
    [
      "keep a leading zero",
      { activiteiten: [{ ...main, sbiCode: "01131" }] },
      { activities: [{ sbiCode: "01131", isMain: true }], startDate },
    ],
    ["are unknown when they are missing", { activiteiten: undefined, datumAanvang: undefined }, {}],
    ["are unknown when they are null", { activiteiten: null, datumAanvang: null }, {}],
    ["are unknown when they are empty", { activiteiten: [], datumAanvang: "" }, {}],
    [
      "are unknown with another kind",
      { activiteiten: [main, { ...side, soortActiviteit: "Anders" }] },
      { startDate },
      "activiteiten",
    ],
    [
      "are unknown with a code that is a number",
      { activiteiten: [{ ...main, sbiCode: 1131 }] },
      { startDate },
      "activiteiten",
    ],
    [
      "are unknown with a code of letters",
      { activiteiten: [{ ...main, sbiCode: "A" }] },
      { startDate },
      "activiteiten",
    ],
    ["are unknown with an item that is a text", { activiteiten: ["69101"] }, { startDate }, "activiteiten"],
    ["are unknown when they are a text", { activiteiten: "69101" }, { startDate }, "activiteiten"],
    [
      "are unknown when there are too many",
      { activiteiten: Array(201).fill(main) },
      { startDate },
      "activiteiten",
    ],
    ["may be a part of a date, which is unknown", { datumAanvang: "20150600" }, { activities }],
    ["may be no date", { datumAanvang: "20150231" }, { activities }, "datumAanvang"],
    ["may be a number", { datumAanvang: 20150203 }, { activities }, "datumAanvang"],
  ])("%s", (_, change, value, deviation) => {
    const { result, deviations } = read(200, { ...BV, ...change });
    expect(result).toEqual({
      kind: "found",
      value: { insolvency: "none", isActive: true, ...value },
      asOf: AT,
    });
    expect(deviations).toEqual(deviation === undefined ? [] : [{ path: deviation, kind: "unmapped" }]);
  });
});

describe("a response without a company", () => {
  const fault = (code: string) => ({ fout: [{ code, omschrijving: "" }] });
  const table: readonly (readonly [name: string, status: number, body: unknown, result: object])[] = [
    ["is no data for 404", 404, {}, { kind: "not-found", reason: "NO_DATA" }],
    ["is no data for 404 without a body", 404, "", { kind: "not-found", reason: "NO_DATA" }],
    ["is no data for IPD0005", 404, fault("IPD0005"), { kind: "not-found", reason: "IPD0005" }],
    ["is no data for IPD0015", 404, fault("IPD0015"), { kind: "not-found", reason: "IPD0015" }],
    ["is no data for IPD0015 in one object", 404, { fout: fault("IPD0015").fout[0] }, { kind: "not-found" }],
    ["is no data for IPD0001", 404, fault("IPD0001"), { kind: "not-found", reason: "IPD0001" }],
    ["is no answer for IPD1003", 404, fault("IPD1003"), { kind: "no-answer", cause: "later" }],
    ["is no answer for an unknown code", 404, fault("IPD7777"), { kind: "no-answer", cause: "outage" }],
    ["is no answer for a page of a proxy", 404, "<html>", { kind: "no-answer", reason: "NO_SUCH_ADDRESS" }],
    ["is no answer for a broken 404", 404, '{"fout":[{"co', { kind: "no-answer", reason: "UNREADABLE" }],
    ["is no answer for HTML", 200, "<!DOCTYPE html>", { kind: "no-answer", reason: "UNREADABLE" }],
    ["is no answer for another object", 200, { status: "ok" }, { kind: "no-answer", reason: "UNREADABLE" }],
    ["is no answer for a list", 200, [BV], { kind: "no-answer", reason: "UNREADABLE" }],
    ["is no answer for 429", 429, "", { kind: "no-answer", cause: "later" }],
    ["is no answer for 403", 403, "", { kind: "no-answer", cause: "configuration" }],
    ["is no answer for 503", 503, BV, { kind: "no-answer", cause: "outage" }],
  ];
  it.each(table)("%s", (_, status, body, result) => {
    expect(read(status, body).result).toMatchObject(result);
  });

  it("names the pause that KVK asks for", () => {
    const { result } = read(429, "", { "retry-after": "300" });
    expect(result).toMatchObject({ retryAfterSeconds: 300 });
  });
});

const began = (startDate: string, sbiCode: string, isMain = true) => ({
  startDate,
  activities: [{ sbiCode, isMain }],
});

const RECORDED = sharedPath("data/kvk/hvds/api-response-samples.json");

describeWith(shared(RECORDED), "a recorded response", () => {
  it("is read without a deviation", () => {
    const recorded: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(
      readFileSync(RECORDED, "utf8"),
    );
    const companies = Object.values(recorded).filter((one) => one["rechtsvormCode"] !== undefined);
    const all = companies.map((body) => read(200, body));
    expect(all.map(({ result }) => result.kind === "found" && result.value)).toEqual([
      { insolvency: "none", isActive: true, ...began("2010-12-31", "69101") },
      { insolvency: "none", isActive: true, ...began("2025-02-02", "6201") },
      { insolvency: "none", isActive: false, startDate: "2010-12-31" },
      { insolvency: "bankruptcy", isActive: true, ...began("2015-06-01", "4641", false) },
    ]);
    expect(all.flatMap(({ deviations }) => deviations)).toEqual([]);
  });
});
