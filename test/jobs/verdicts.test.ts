/** Lists of VAT numbers, and lists of test keys: each number has the right result in both formats, at its price. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ViesSimulator } from "../../src/demo/vies/server.ts";
import { listen } from "../../src/http/server.ts";
import { TEST_COMPANIES } from "../../src/lookup/sandbox/companies.ts";
import { NO_COMPANY, TEST_OUTCOMES } from "../../src/lookup/sandbox/outcomes.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { queriedNumbers, REGISTERED, startVies } from "../kit/vies.ts";
import { makeWorld } from "../kit/world.ts";
import { begun, completed, list, results } from "./lists.ts";

const VALID = "PL8567346215";
const REFUSED = "DE999999200";
const MALFORMED = "NL123456789B01";
const UNKNOWN_TO_VIES = "DE999999301";
const NONE = "GB123456789";
/** A VAT number of test keys for which VIES never has an answer. */
const NO_ANSWER = "NL999990032B01";

let vies: ViesSimulator;
let inside: InProcess;
let service: { readonly port: number };

beforeAll(async () => {
  vies = await startVies({ companyOf: () => REGISTERED });
  const world = await makeWorld({ environment: { VIES_URL: vies.url, VIES_FRESH_FOR: "0" } });
  inside = await composeInProcess(world, { listOptions: { tryAgainAfterMs: [60_000], pollEveryMs: 20 } });
  service = { port: Number(new URL(await listen(inside.app, "127.0.0.1", 0)).port) };
});

/** Rows as objects by column name; no cell here contains a comma. */
async function csv(key: string, id: string): Promise<readonly Readonly<Record<string, string>>[]> {
  const { text } = await ask(service, { path: `/v1/jobs/${id}/results?format=csv`, key });
  const [header = [], ...rows] = text
    .trimEnd()
    .split("\r\n")
    .map((row) => row.replaceAll(/"([^"]*)"/g, (_, cell: string) => cell.replaceAll(",", "")).split(","));
  return rows.map((row) => Object.fromEntries(header.map((name, column) => [name, row[column] ?? ""])));
}

const used = (key: string) => usedTokens(service, key);

describe("a list of VAT numbers", () => {
  it("returns valid, refused, malformed, unknown and wrong numbers as such, and charges for the verdicts", async () => {
    const { key } = await inside.account("plenty");
    const sent = [VALID, REFUSED, MALFORMED, UNKNOWN_TO_VIES, NONE, "pl 856.734.62-15"];
    const { id } = await begun(service, key, sent, "kind=vat");
    await until("all others are answered", async () => (await list(service, key, id)).counts.done === 4);
    // Numbers without an answer are retried later, and not reported as refused meanwhile.
    expect((await results(service, key, id)).map(({ number }) => number)).not.toContain(UNKNOWN_TO_VIES);
    inside.setClock(NOON + 61_000);
    const ended = await completed(service, key, id);
    expect(ended).toMatchObject({
      counts: { sent: 6, duplicates: 1, numbers: 5, found: 3, failed: 2 },
      tokens: { estimated: 4, charged: 3 },
    });
    expect(await used(key)).toBe(3);
    const lines = await results(service, key, id);
    const of = (number: string) => lines.find((line) => line.number === number);
    expect(of(VALID)?.result).toMatchObject({
      vatNumber: VALID,
      valid: true,
      status: "validated",
      name: REGISTERED.name,
      address: expect.stringContaining("VERZINSTAD"),
      checksumValid: true,
    });
    expect(of(REFUSED)?.result).toMatchObject({ valid: false, status: "validated" });
    expect(of(MALFORMED)?.result).toEqual({
      vatNumber: MALFORMED,
      valid: false,
      status: "malformed",
      checksumValid: false,
    });
    for (const [number, code] of [
      [UNKNOWN_TO_VIES, "UPSTREAM_ERROR"],
      [NONE, "INVALID_VAT_NUMBER"],
    ] as const) {
      expect(of(number)).toEqual({ number, error: { code, message: expect.any(String) } });
      expect(of(number)?.error).not.toMatchObject({ message: expect.stringContaining(number.slice(2)) });
    }
    const rows = await csv(key, id);
    expect(rows.map(({ number, valid, status, errorCode }) => [number, valid, status, errorCode])).toEqual(
      lines.map(({ number, result, error }) => [
        number,
        String(result?.["valid"] ?? ""),
        String(result?.["status"] ?? ""),
        error?.code ?? "",
      ]),
    );
    expect(rows.find(({ number }) => number === UNKNOWN_TO_VIES)).toMatchObject({ valid: "", status: "" });
    expect(rows.find(({ number }) => number === VALID)).toMatchObject({
      name: REGISTERED.name,
      checksumValid: "true",
    });
    expect(queriedNumbers(vies)).not.toContain(MALFORMED);
    expect(queriedNumbers(vies).filter((number) => number === VALID)).toHaveLength(1);
  });

  it("returns the previous answer as stale while VIES has none, at its price", async () => {
    const { key } = await inside.account("plenty");
    const before = await begun(service, key, [VALID], "kind=vat");
    await completed(service, key, before.id);
    vies.setFault("PL", { kind: "code", code: "MS_UNAVAILABLE" });
    const { id } = await begun(service, key, [VALID], "kind=vat");
    expect(await completed(service, key, id)).toMatchObject({ tokens: { charged: 1 } });
    vies.clearFaults();
    const [line] = await results(service, key, id);
    expect(line?.result).toMatchObject({ valid: true, status: "stale", ageSeconds: expect.any(Number) });
    expect((await csv(key, id))[0]).toMatchObject({
      valid: "true",
      status: "stale",
      ageSeconds: String(line?.result?.["ageSeconds"]),
    });
  });
});

describe("a list of a test key", () => {
  const COMPANIES = TEST_COMPANIES.slice(0, 10).map(({ facts }) => facts.kvkNumber);

  it("is answered by the fixed companies and outcomes, counted separately, and queries no source", async () => {
    const { id: accountId, key: live } = await inside.account("plenty");
    const { key } = await inside.accounts.createKey(accountId, "test", "test");
    const before = vies.log.length;
    const sent = [...COMPANIES, NO_COMPANY, BAKERY, ...TEST_OUTCOMES.map(({ kvkNumber }) => kvkNumber)];
    const { id } = await begun(service, key, sent, "kind=lookup.enriched");
    const ended = await completed(service, key, id);
    const charged = ended.tokens.charged;
    expect(ended).toMatchObject({
      counts: { found: COMPANIES.length, failed: sent.length - COMPANIES.length },
    });
    expect(charged).toBe(COMPANIES.length * 5);
    expect([await used(key), await used(live)]).toEqual([charged, 0]);
    const lines = await results(service, key, id);
    expect(lines.slice(0, COMPANIES.length).map(({ result }) => result?.["kvkNumber"])).toEqual(COMPANIES);
    const codes = new Map(lines.map(({ number, error }) => [number, error?.code]));
    for (const { kvkNumber, code } of TEST_OUTCOMES) expect(codes.get(kvkNumber)).toBe(code);
    for (const number of [NO_COMPANY, BAKERY]) expect(codes.get(number)).toBe("NOT_FOUND");
    expect(vies.log.length).toBe(before);
  });

  it("of VAT numbers has a verdict for each state, and the error of each number that stands for one", async () => {
    const { id: accountId } = await inside.account("plenty");
    const { key } = await inside.accounts.createKey(accountId, "test", "test");
    const before = vies.log.length;
    const verdicts = [
      ["NL999990007B01", "validated", true],
      ["NL999990019B01", "validated", false],
      ["NL999990020B01", "stale", true],
      [MALFORMED, "malformed", false],
    ] as const;
    const sent = [
      ...verdicts.map(([number]) => number),
      NO_ANSWER,
      ...TEST_OUTCOMES.map(({ vatNumber }) => vatNumber),
    ];
    const { id } = await begun(service, key, sent, "kind=vat");
    expect(await completed(service, key, id)).toMatchObject({ tokens: { charged: verdicts.length } });
    const lines = new Map((await results(service, key, id)).map((line) => [line.number, line]));
    for (const [number, status, valid] of verdicts)
      expect(lines.get(number)?.result).toMatchObject({ status, valid });
    expect(lines.get(NO_ANSWER)?.error?.code).toBe("UPSTREAM_ERROR");
    for (const { vatNumber, code } of TEST_OUTCOMES) expect(lines.get(vatNumber)?.error?.code).toBe(code);
    expect(vies.log.length).toBe(before);
  });
});
