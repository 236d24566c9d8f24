/**
 * Lists of rows to match: each valid row has one result at its price, on real and on test data, without suppressed
 * companies.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../src/http/server.ts";
import { TEST_COMPANIES } from "../../src/lookup/sandbox/companies.ts";
import { TEST_OUTCOMES } from "../../src/lookup/sandbox/outcomes.ts";
import { type Answer, codeOf, jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY, FERRY, FROM_GLEIF } from "../kit/companies.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { opzoek } from "../kit/opzoek.ts";
import { storedTexts } from "../kit/storedState.ts";
import { until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { makeWorld, type World } from "../kit/world.ts";
import { completed, type Listed, type RowLine } from "./lists.ts";

let world: World;
let inside: InProcess;
let service: { readonly port: number };
beforeAll(async () => {
  world = await makeWorld();
  inside = await composeInProcess(world, { listOptions: { pollEveryMs: 20 } });
  service = { port: Number(new URL(await listen(inside.app, "127.0.0.1", 0)).port) };
});

const CSV = [
  "klantnr;bedrijfsnaam;plaats;kvk",
  "a;Legendefonds;Sagendam;",
  "b;Legendefonds;Sagendam;",
  "c;Zwevende Walvis Onderzoek;;",
  "d;;;12",
  `e;;;${FERRY}`,
].join("\r\n");

function submit(key: string, body: string, query = ""): Promise<Answer> {
  const headers = { "content-type": "text/csv" };
  return ask(service, { method: "POST", path: `/v1/jobs?kind=match${query}`, key, headers, body });
}

async function ended(key: string, body: string): Promise<Listed> {
  const answer = await submit(key, body);
  expect(answer.status, answer.text).toBe(202);
  return completed(service, key, (jsonOf(answer) as Listed).id);
}

const fetched = (key: string, id: string, format: string) =>
  until("the suppression list is known", async () => {
    const answer = await ask(service, { path: `/v1/jobs/${id}/results?format=${format}`, key });
    return answer.status === 200 && answer.text;
  });

async function linesOf(key: string, id: string): Promise<readonly RowLine[]> {
  const text = await fetched(key, id, "jsonl");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as RowLine);
}

describe("a list of rows", () => {
  it("returns a decision and candidates for each row, also for equal ones, and charges for the valid ones", async () => {
    const { key } = await inside.account("plenty");
    const list = await ended(key, CSV);
    expect(list).toMatchObject({
      kind: "match",
      counts: { sent: 5, duplicates: 0, numbers: 5, done: 5, found: 4, failed: 1 },
      tokens: { estimated: 4, charged: 4 },
    });
    expect(await usedTokens(service, key)).toBe(4);
    const lines = await linesOf(key, list.id);
    expect(lines.map(({ row, id }) => [row, id])).toEqual([..."abcde"].map((id, index) => [index + 1, id]));
    expect(lines.map(({ result, error }) => result?.decision ?? error?.code)).toEqual([
      "matched",
      "matched",
      "none",
      "INVALID_KVK_NUMBER",
      "matched",
    ]);
    const best = lines.map(({ result }) => result?.candidates[0]?.kvkNumber);
    expect([best[0], best[1], best[4]]).toEqual([FROM_GLEIF, FROM_GLEIF, FERRY]);
    const [header, first] = (await fetched(key, list.id, "csv")).split("\r\n");
    expect(header).toBe(
      "row,id,decision,kvkNumber,name,city,score,candidate2KvkNumber,candidate2Name,candidate2City,candidate2Score,candidate3KvkNumber,candidate3Name,candidate3City,candidate3Score,notes,errorCode,errorMessage",
    );
    expect(first).toMatch(
      new RegExp(`^"?1"?,a,matched,"?=?"*${FROM_GLEIF}"*,Legendefonds B\\.V\\.,Sagendam,`),
    );
  });

  it("has a price before it is sent, and is refused with an explanation if no column is recognised", async () => {
    const { key } = await inside.account("plenty");
    expect(jsonOf(await submit(key, CSV, "&dryRun=true"))).toMatchObject({
      counts: { sent: 5, numbers: 5 },
      tokens: { estimated: 4, charged: 0 },
    });
    const refused = await submit(key, "kleur;maat\r\nrood;3\r\n");
    expect([refused.status, codeOf(refused)]).toEqual([400, "INVALID_REQUEST"]);
    expect(refused.text).toContain("kleur");
    expect(await usedTokens(service, key)).toBe(0);
  });

  it("says which columns are read before it is charged, and which numbers were not used in its results", async () => {
    const { key } = await inside.account("plenty");
    const csv = [
      "Nr.;Bedrijf;Naam;Bezoekadres - plaats;KvK;Btw",
      `1;Legendefonds;P. Proef;Sagendam;in oprichting;DE1234`,
      `2;Veerbedrijf;;;${FERRY.replace(/^0/, "")};`,
      "3;Totaal;;;;",
      ";;;;;",
      "5;Legendefonds;;Sagendam;n.v.t.;",
    ].join("\r\n");
    const columns = {
      used: [
        { column: "Nr.", field: "id" },
        { column: "Bedrijf", field: "name" },
        { column: "Bezoekadres - plaats", field: "city" },
        { column: "KvK", field: "kvkNumber" },
        { column: "Btw", field: "vatNumber" },
      ],
      unused: ["Naam"],
    };
    const price = await submit(key, csv, "&dryRun=true");
    expectDocumented({ method: "POST", path: "/v1/jobs" }, price);
    expect(jsonOf(price)).toMatchObject({ columns, tokens: { estimated: 3 } });
    const sent = await submit(key, csv);
    expect(jsonOf(sent)).toMatchObject({ columns });
    const { id } = await completed(service, key, (jsonOf(sent) as Listed).id);
    expect(jsonOf(await ask(service, { path: `/v1/jobs/${id}`, key }))).toMatchObject({ columns });
    const lines = await linesOf(key, id);
    expect(
      lines.map(({ row, result, error }) => [row, result?.notes?.map(({ code }) => code), error?.code]),
    ).toEqual([
      [1, ["number_unusable", "number_unusable"], undefined],
      [2, expect.arrayContaining(["number_padded"]), undefined],
      [3, undefined, "INVALID_REQUEST"],
      [4, undefined, "INVALID_REQUEST"],
      [5, undefined, undefined],
    ]);
    expect(lines[0]?.result).toMatchObject({ decision: "matched", candidates: [{ kvkNumber: FROM_GLEIF }] });
    const [, first] = (await fetched(key, id, "csv")).split("\r\n");
    expect(first).toMatch(/the KVK number [^;]* not used; the VAT number [^;]* not used/);
    expect(await usedTokens(service, key)).toBe(3);
  });

  it("with long cells is stored in several parts, and keeps the order of its rows", async () => {
    const { key } = await inside.account("plenty");
    const long = "w".repeat(190);
    const rows = Array.from({ length: 600 }, (_, nth) => `${nth},Legendefonds,${long},${long},${long}`);
    const list = await ended(key, ["id,name,street,city,website", ...rows].join("\n"));
    expect(list.counts).toMatchObject({ numbers: rows.length, found: rows.length });
    const lines = await linesOf(key, list.id);
    expect(lines.map(({ id }) => id)).toEqual(rows.map((_, nth) => String(nth)));
  });

  it("of a test key matches test companies, and its usage is counted separately", async () => {
    const { id: accountId, key } = await inside.account("plenty");
    const { key: testKey } = await inside.accounts.createKey(accountId, "test", "test");
    const [company] = TEST_COMPANIES;
    const [outcome] = TEST_OUTCOMES;
    const rows = `name,kvk\n${company?.facts.name},\nLegendefonds,\n,${outcome?.kvkNumber}\n`;
    const list = await ended(testKey, rows);
    const [own, other, failed] = await linesOf(testKey, list.id);
    expect(own?.result?.candidates[0]?.name).toBe(company?.facts.name);
    expect(other?.result?.candidates.map(({ kvkNumber }) => kvkNumber)).not.toContain(FROM_GLEIF);
    expect(failed?.error?.code).toBe(outcome?.code);
    expect([await usedTokens(service, testKey), await usedTokens(service, key)]).toEqual([2, 0]);
  });
});

const LIKE_BAKERY = "name\nBakkerij Het Laatste Sprookje\n";

describe("a company suppressed after its row was matched", () => {
  it("is no longer a candidate in any download, nor stored", async () => {
    const { key } = await inside.account("plenty");
    const numbers = await ended(key, `kvk\n${BAKERY}\n`);
    const names = await ended(key, LIKE_BAKERY);
    const [before] = await linesOf(key, numbers.id);
    expect(before?.result).toMatchObject({ decision: "matched", candidates: [{ kvkNumber: BAKERY }] });
    expect((await linesOf(key, names.id))[0]?.result?.candidates.length).toBeGreaterThan(0);
    const { code, err } = await opzoek(["forget", BAKERY], world.environment);
    expect(code, err).toBe(0);
    const [after] = await linesOf(key, numbers.id);
    expect(after).toEqual({ row: 1, result: { decision: "none", candidates: [] } });
    for (const { id } of [numbers, names]) {
      for (const format of ["jsonl", "csv"]) expect(await fetched(key, id, format)).not.toContain(BAKERY);
      const stored = await storedTexts(world, `select lines from job_results where job_id = '${id}'`);
      expect(stored.join("")).not.toContain(BAKERY);
    }
    const again = await ended(key, `kvk\n${BAKERY}\n`);
    expect(await linesOf(key, again.id)).toMatchObject([
      { result: { decision: "none", candidates: [], notes: [{ code: "number_unknown" }] } },
    ]);
  });
});
