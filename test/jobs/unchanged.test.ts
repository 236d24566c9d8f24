/** A client that has the results of a list already gets 304, before any range is considered. */
import { beforeAll, expect, it } from "vitest";
import { listen } from "../../src/http/server.ts";
import type { Answer, TestRequest } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { PLAIN } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";
import { begun, completed } from "./lists.ts";

let download: (more?: Omit<TestRequest, "path" | "key"> & { format?: string }) => Promise<Answer>;
let tag: string;
beforeAll(async () => {
  const inside = await composeInProcess(await makeWorld(), { listOptions: { pollEveryMs: 20 } });
  const service = { port: Number(new URL(await listen(inside.app, "127.0.0.1", 0)).port) };
  const { key } = await inside.account("plenty");
  const { id } = await begun(service, key, PLAIN);
  await completed(service, key, id);
  download = ({ format = "jsonl", ...more } = {}) =>
    ask(service, { path: `/v1/jobs/${id}/results?format=${format}`, key, ...more });
  tag = (await download()).headers["etag"] ?? "";
});

const held = (): readonly (readonly [name: string, headers: Record<string, string>])[] => [
  ["the tag", { "if-none-match": tag }],
  ["the weak tag", { "if-none-match": `W/${tag}` }],
  ["a list of tags", { "if-none-match": `"old,er" , W/"older",${tag}` }],
  ["the tag that a compressing proxy sent", { "if-none-match": tag.replace(/"$/, '-gzip"') }],
  ["the tag and a range", { "if-none-match": tag, range: "bytes=0-9" }],
  ["the tag and a range beyond the end", { "if-none-match": tag, range: "bytes=999999999-" }],
  ["the tag and a range of it", { "if-none-match": tag, range: "bytes=0-9", "if-range": tag }],
  ["the tag and a date", { "if-none-match": tag, "if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT" }],
];

it("is answered with 304 and without a body to GET and HEAD", async () => {
  const whole = await download();
  for (const [name, headers] of held()) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await download({ method, headers });
      expect([answer.status, answer.text], name).toEqual([304, ""]);
      const { etag, vary, "cache-control": caching, "x-tokens-charged": charged } = answer.headers;
      expect({ etag, vary, caching, charged }, name).toEqual({
        etag: whole.headers["etag"],
        vary: whole.headers["vary"],
        caching: whole.headers["cache-control"],
        charged: "0",
      });
      expect(answer.headers).not.toHaveProperty("content-range");
      expect(answer.headers).not.toHaveProperty("content-disposition");
    }
  }
});

it.each<readonly [string, () => Record<string, string>, number]>([
  ["another tag", () => ({ "if-none-match": '"another"' }), 200],
  ["`*`", () => ({ "if-none-match": "*" }), 200],
  ["the tag without quotes", () => ({ "if-none-match": tag.replaceAll('"', "") }), 200],
  ["a date alone", () => ({ "if-modified-since": "Fri, 01 Jan 2100 00:00:00 GMT" }), 200],
  ["another tag and a range", () => ({ "if-none-match": '"another"', range: "bytes=0-9" }), 206],
  ["a range under a weak tag", () => ({ range: "bytes=0-9", "if-range": `W/${tag}` }), 200],
])("%s gets the results", async (_name, headers, status) => {
  const answer = await download({ headers: headers() });
  expect(answer.status).toBe(status);
  expect(answer.headers["etag"]).toBe(tag);
  expect(answer.text).not.toBe("");
});

it("in one format is not the results in the other", async () => {
  expect((await download({ format: "csv", headers: { "if-none-match": tag } })).status).toBe(200);
});
