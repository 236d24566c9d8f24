/** Without a snapshot, search and autocomplete query KVK's Zoeken: whole words, few criteria. */
import { expect, it } from "vitest";
import { codeOf, jsonOf, numberIn } from "../kit/answer.ts";
import { load } from "../kit/client.ts";
import { kvkNumber } from "../kit/companies.ts";
import { expectDocumented } from "../kit/contractAnswer.ts";
import { serveOverKvkHere } from "../kit/kvk.ts";

const SEARCH = { method: "GET", path: "/v1/search" } as const;
const AUTOCOMPLETE = { method: "GET", path: "/v1/autocomplete" } as const;

interface Page {
  readonly results: readonly { readonly kvkNumber: string; readonly name: string; readonly city?: string }[];
  readonly total: number;
}

it("a search finds companies by whole words, one row per company, and charges as with a snapshot", async () => {
  const { kvk, get } = await serveOverKvkHere();
  const answer = await get("/v1/search?q=postduif");
  expectDocumented(SEARCH, answer);
  const { results, total } = jsonOf(answer) as Page;
  expect(results).toEqual([
    { kvkNumber: "90000030", name: "Postduif B.V.", city: "Nergenshuizen", isActive: true },
  ]);
  expect(total).toBe(1);
  expect(numberIn(answer, "x-tokens-charged")).toBe(1);
  const completed = await get("/v1/autocomplete?q=postduif&limit=5");
  expectDocumented(AUTOCOMPLETE, completed);
  expect(jsonOf(completed)).toMatchObject({ results: [{ kvkNumber: "90000030" }] });
  const byNumber = jsonOf(await get("/v1/search?q=90000030")) as Page;
  expect(byNumber.results.map(({ kvkNumber }) => kvkNumber)).toEqual(["90000030"]);
  const part = await get("/v1/search?q=postdui");
  expect(jsonOf(part)).toMatchObject({ results: [], total: 0 });
  expect(numberIn(part, "x-tokens-charged")).toBe(1);
  expect(kvk.counts.products.basisprofiel.requests).toBe(0);
});

it.each(["postalCode=1234", "legalForm=BV", "sbiCode=62", "isActive=false"])(
  "a search returns 400 for %s, which KVK cannot search by, and names it",
  async (query) => {
    const answer = await over.get(`/v1/search?q=appel&${query}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, "INVALID_REQUEST"]);
    expect(answer.text).toContain(query.split("=")[0]);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  },
);
const over = await serveOverKvkHere();

it("a search finds dissolved companies unless only active ones are requested", async () => {
  const all = jsonOf(await over.get("/v1/search?q=voorbij")) as Page;
  expect(all.results).toMatchObject([{ kvkNumber: "90000070", isActive: false }]);
  expect(jsonOf(await over.get("/v1/search?q=voorbij&isActive=true"))).toMatchObject({ total: 0 });
  const inCity = jsonOf(await over.get("/v1/search?q=appel&city=Nergenshuizen")) as Page;
  expect(inCity.total).toBe(1);
  expect(jsonOf(await over.get("/v1/search?q=appel&city=Elders"))).toMatchObject({ total: 0 });
});

it("a search marks a total as inexact if KVK was not queried to the end", async () => {
  const companies = Array.from({ length: 150 }, (_, index) => ({
    kvkNumber: kvkNumber(String(70_000_000 + index)),
    name: `Veelvoud ${index}`,
    isActive: true,
  }));
  const { get } = await serveOverKvkHere({ kvk: { companies } });
  const first = await get("/v1/search?q=veelvoud");
  expectDocumented(SEARCH, first);
  expect(jsonOf(first)).toMatchObject({ total: 100, totalIsExact: false });
  const last = jsonOf(await get("/v1/search?q=veelvoud&page=15"));
  expect(last).toMatchObject({ total: 150 });
  expect(last).not.toHaveProperty("totalIsExact");
});

it("a search sends the same search once in ten minutes, and reuses it while KVK is down; others are 502 and free", async () => {
  const { kvk, service, account, get } = await serveOverKvkHere();
  kvk.setFault("*", { kind: "latency", ms: 200 });
  const calls = Array.from({ length: 50 }, () => ({ path: "/v1/search?q=appel", key: account.key }));
  const { answers } = await load(service, calls, { connections: 50 });
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(kvk.counts.all.requests).toBe(1);
  kvk.setFault("*", { kind: "reset" });
  expect((await get("/v1/search?q=appel")).text).toBe(answers[0]?.text);
  for (const path of ["/v1/search?q=peer", "/v1/autocomplete?q=peer"]) {
    const answer = await get(path);
    expect([answer.status, codeOf(answer)]).toEqual([502, "UPSTREAM_ERROR"]);
    expect(numberIn(answer, "x-tokens-charged")).toBe(0);
  }
});
