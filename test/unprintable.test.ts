/** Control characters and lone surrogates in a caller's input are 400 everywhere, on every store. */

import pino from "pino";
import { type TSchema, Type } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "../src/contract/errors.ts";
import type { CallObserver } from "../src/database/observedCalls.ts";
import { ACCOUNT_ROUTES } from "../src/http/account/routes/all.ts";
import { ENDPOINTS } from "../src/http/endpoints/all.ts";
import { JSON_VALUES, schemaReader, TEXT } from "../src/http/input/schemaReader.ts";
import { ValueRefused } from "../src/lib/storeErrors.ts";
import { inject, jsonOf, messageOf, numberIn } from "./kit/answer.ts";
import { BAKERY } from "./kit/companies.ts";
import { expectError } from "./kit/contractAnswer.ts";
import { composeInProcess, type InProcess } from "./kit/inProcess.ts";
import { sharedPostgres } from "./kit/sharedPostgres.ts";
import { makeWorld } from "./kit/world.ts";

const BAD = ["\u0000", "\u0001", "\u001b", "\u007f", "\u0085", "\ud800", "\udc00x"];
const LINES = ["\t", "\n", "\r\n"];
/** Fields that hold free text, and numbers that fail individually when invalid. */
const MULTILINE = new Set([
  "POST /account/admin/accounts/:id/note text",
  "POST /account/try body",
  "POST /v1/lookup/batch kvkNumbers",
  "POST /v1/monitors kvkNumbers",
  "POST /v1/reconcile extend",
  "POST /v1/reconcile queries",
]);

/** Each field that is a text or a list of texts, with its own reader. */
const FIELDS = [...ENDPOINTS, ...ACCOUNT_ROUTES].flatMap(({ method, path, schema }) =>
  (["params", "querystring", "body"] as const).flatMap((part) =>
    Object.entries<TSchema>(schema[part]?.properties ?? {}).flatMap(([name, property]) => {
      const isList = "items" in property;
      if (!isList && !("type" in property && property.type === "string")) return [];
      const read = schemaReader(Type.Object({ [name]: property }), part === "body" ? JSON_VALUES : TEXT);
      return [{ field: `${method} ${path} ${name}`, name, isList, read }];
    }),
  ),
);

describe.each(FIELDS)("$field", ({ field, name, isList, read }) => {
  const refusal = (text: string) => {
    try {
      read({ [name]: isList ? [text] : text });
    } catch (error) {
      if (error instanceof ApiError) return `${error.status} ${error.message}`;
      throw error;
    }
    return "none";
  };

  it("rejects control characters and lone surrogates, and says so", () => {
    for (const bad of BAD)
      expect(refusal(`ab${bad}cd`), JSON.stringify(bad)).toMatch(/^400 .*control character/);
    for (const line of LINES) {
      const expectRefusal = expect(refusal(`ab${line}cd`), JSON.stringify(line));
      if (MULTILINE.has(field)) expectRefusal.toBe("none");
      else expectRefusal.toMatch(/^400 .*control character/);
    }
  });
});

const STORES = [
  ["embedded", async () => ({})],
  ["postgres", async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("unprintable") })],
] as const;

describe.each(STORES)("on the %s store", (store, environment) => {
  let service: InProcess;
  let key: string;
  beforeAll(async () => {
    service = await composeInProcess(await makeWorld({ environment: await environment() }));
    ({ key } = await service.account("plenty"));
  });
  const post = (path: string, body: unknown, type = "application/json") =>
    inject(service.app, { method: "POST", path, key, body, headers: { "content-type": type } });

  it.each(BAD)(
    "%j is 400 in a batch, a list, a tool's argument, a path and a query, and costs nothing",
    async (bad) => {
      const number = `5000${bad}0001`;
      const answers = [
        await post("/v1/lookup/batch", { kvkNumbers: [BAKERY, number] }),
        await post("/v1/jobs?kind=lookup", `${JSON.stringify(number)}\n`, "application/x-ndjson"),
        await post("/v1/tokens", { origin: "https://shop.example", session: `typing-session-${bad}0001` }),
        ...(bad.isWellFormed()
          ? [
              await post("/v1/jobs?kind=lookup", `kvkNumber\n"${number}"\n`, "text/csv"),
              await inject(service.app, { path: `/v1/search?q=ab${encodeURIComponent(bad)}cd`, key }),
              await inject(service.app, { path: `/v1/jobs/job_${encodeURIComponent(bad)}`, key }),
            ]
          : []),
      ];
      for (const answer of answers) {
        expectError(answer, "INVALID_REQUEST");
        expect(messageOf(answer)).toContain("control character");
        expect(numberIn(answer, "x-tokens-charged")).toBe(0);
      }
      const params = { name: "search_companies", arguments: { q: `ab${bad}cd` } };
      const response = await post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
      expect(jsonOf(response)).toMatchObject({ result: { isError: true } });
      expect(response.text).toContain("control character");
      expect(numberIn(response, "x-tokens-charged")).toBe(0);
    },
  );

  it("a number with a line break fails alone, and a long one is not cut within a character", async () => {
    const answer = await post("/v1/lookup/batch", { kvkNumbers: [BAKERY, `${BAKERY}\n`] });
    expect(jsonOf(answer)).toMatchObject({
      tokensUsed: 1,
      failed: [{ error: { code: "INVALID_KVK_NUMBER" } }],
    });
    const long = await post(
      "/v1/jobs?kind=lookup",
      JSON.stringify(`${"x".repeat(39)}🏢🏢`),
      "application/x-ndjson",
    );
    expect(long.status).toBe(202);
  });

  it("a value that only the state refuses is 400, not an outage", async () => {
    const { id } = await service.account("plenty");
    const noting = service.state.people.setNote(id, { text: "a\u0000b", basedOn: 0, nowMs: 0, by: id });
    if (store === "embedded") await noting;
    else await expect(noting).rejects.toEqual(new ValueRefused("22021"));
  });
});

it("a value that the state refuses is the caller's error, and logged as a warning", async () => {
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = {
    logger: pino({ base: null }, stream),
    escaped() {},
    flush: async () => {},
    flushSoon: () => {},
  };
  let report: CallObserver = () => {};
  const onCall = (observer: CallObserver) => {
    report = observer;
  };
  const refusing = () => {
    const call = Promise.reject(new ValueRefused("22P05"));
    report(call, false);
    return call;
  };
  const service = await composeInProcess(await makeWorld(), {
    log,
    replace: ({ state }) => ({ state: { ...state, onCall, ledger: { ...state.ledger, sums: refusing } } }),
  });
  const { key } = await service.account("plenty");
  expectError(await inject(service.app, { path: "/v1/usage", key }), "INVALID_REQUEST");
  expect(lines.filter(({ level }) => Number(level) >= 40)).toMatchObject([{ level: 40, sqlState: "22P05" }]);
});
