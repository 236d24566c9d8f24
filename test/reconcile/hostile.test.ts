/** Bodies of the largest size that are refused: each costs little, whatever it is made of. */
import { beforeAll, expect, it } from "vitest";
import { MATCH_BOUNDS } from "../../src/contract/matchResources.ts";
import { codeOf, inject } from "../kit/answer.ts";
import type { InProcess } from "../kit/inProcess.ts";
import type { TestAccount } from "../kit/world.ts";
import { FORM, PATH, serve } from "./reconciling.ts";

const BYTES = 520_000;
/** Processor time of a call, in which reading half a megabyte takes a millisecond or two. */
const MAX_CALL_MS = 20;
const TRIES = 5;

let service: InProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await serve();
  account = await service.account("plenty");
});

const filled = (part: string, start = "", end = "") =>
  start + part.repeat(Math.floor((BYTES - start.length - end.length) / part.length)) + end;
const members = (start: string, value = "1") => {
  const parts = Array.from({ length: BYTES / 10 }, (_, nth) => `"${nth.toString(36)}x":${value}`);
  const text = start + parts.join();
  return `${text.slice(0, text.lastIndexOf(",", BYTES))}}`;
};

const JSON_TYPE = { "content-type": "application/json" };
it.each<[string, string, Readonly<Record<string, string>>, string]>([
  ["form fields of no name", PATH, FORM, filled("&")],
  ["form fields of no value", PATH, FORM, filled("a&")],
  ["form fields", PATH, FORM, filled("a=b&")],
  ["form fields that cannot be decoded", PATH, FORM, filled("%zz=1&")],
  ["form fields behind a query", PATH, FORM, filled("&a=b", "queries={}")],
  ["escapes", PATH, FORM, filled("%41", "queries=")],
  ["queries", PATH, FORM, members("queries={", "{}")],
  ["members of a query", PATH, FORM, `${members('queries={"q":{')}}`],
  ["nested queries", PATH, FORM, filled("[", "queries=")],
  ["members of nested queries", PATH, FORM, filled('{"a":', "queries=")],
  ["members of a match", "/v1/match", JSON_TYPE, members("{")],
  ["queries of a match", "/v1/match", JSON_TYPE, filled("{},", '{"queries":[', "{}]}")],
  ["nested queries of a match", "/v1/match", JSON_TYPE, filled("[", '{"queries":')],
])("half a megabyte of %s is refused at little cost", async (_what, path, headers, body) => {
  expect(body.length).toBeLessThanOrEqual(MATCH_BOUNDS.maxBytes);
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < TRIES; nth++) {
    const before = process.threadCpuUsage();
    const answer = await inject(service.app, { method: "POST", path, key: account.key, headers, body });
    const { user, system } = process.threadCpuUsage(before);
    shortestMs = Math.min(shortestMs, (user + system) / 1_000);
    expect([answer.status, codeOf(answer)]).toEqual([400, "INVALID_REQUEST"]);
  }
  expect(shortestMs).toBeLessThan(MAX_CALL_MS);
});
