/** Every response has the form that the specification's schemas define. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, FERRY, PLAIN, SHIELDED, UNKNOWN } from "../kit/companies.ts";
import type { InProcess } from "../kit/inProcess.ts";
import { describeWith, shared, sharedPath } from "../kit/needs.ts";
import { PATH, post, serve } from "./reconciling.ts";

const FOLDER = sharedPath("data/reconciliation/0.2");

const read = (...path: readonly string[]): Readonly<Record<string, unknown>> =>
  JSON.parse(readFileSync(join(FOLDER, ...path), "utf8"));

describeWith(shared(FOLDER), "the schemas of the specification", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema(read("schemas", "type.json"));
  // The manifest's schema refers to one of Swagger 2, which is not part of the specification. Ours has no
  // authentication.
  const { authentication: _swagger, ...properties } = Object(read("schemas", "manifest.json")["properties"]);
  const compile = (name: string) => ajv.compile(read("schemas", `${name}.json`));
  const schemas: Readonly<Record<string, ValidateFunction>> = {
    manifest: ajv.compile({ ...read("schemas", "manifest.json"), properties }),
    ...Object.fromEntries(
      [
        "reconciliation-query-batch",
        "reconciliation-result-batch",
        "suggest-entities-response",
        "suggest-properties-response",
        "suggest-types-response",
        "data-extension-property-proposal",
        "data-extension-query",
        "data-extension-response",
      ].map((name) => [name, compile(name)]),
    ),
  };
  const expectValid = (name: string, answer: Answer) => {
    const fits = schemas[name]?.(jsonOf(answer));
    expect([answer.status, fits, schemas[name]?.errors]).toEqual([200, true, null]);
  };

  let service: InProcess;
  let key: string;
  beforeAll(async () => {
    service = await serve();
    ({ key } = await service.account("plenty"));
  });
  const get = (path: string) => inject(service.app, { path: `${PATH}${path}`, key });

  it("accept the manifest, with and without a key", async () => {
    for (const query of ["", `?apikey=${key}`])
      expectValid("manifest", await inject(service.app, { path: `${PATH}${query}` }));
  });

  it("accept suggestions and proposed properties", async () => {
    for (const prefix of ["", "fabel", "zuurdesem", "xyloxyqq"])
      expectValid("suggest-entities-response", await get(`/suggest/entity?prefix=${prefix}`));
    expectValid("suggest-properties-response", await get("/suggest/property"));
    expectValid("suggest-types-response", await get("/suggest/type"));
    expectValid("data-extension-property-proposal", await get("/properties?type=company&limit=3"));
  });

  it("accept results: matched, ambiguous, none and invalid", async () => {
    const queries = {
      matched: { query: "Stichting Het Verzonnen Veer", properties: [{ pid: "city", v: "Sagendam" }] },
      ambiguous: { query: "Bakkerij" },
      none: { query: "Xyloxyqq" },
      invalid: { properties: [{ pid: "kvkNumber", v: "1" }] },
    };
    expect(schemas["reconciliation-query-batch"]?.(queries)).toBe(true);
    const answer = await post(service, key, { queries });
    expectValid("reconciliation-result-batch", answer);
    expect(jsonOf(answer)).toMatchObject({ matched: { result: [{ id: FERRY, match: true }] } });
  });

  it("accept the extension with every property of every kind of company", async () => {
    const proposed = jsonOf(await get("/properties")) as { properties: { id: string }[] };
    const extend = {
      ids: [BAKERY, FERRY, SHIELDED, UNKNOWN, ...PLAIN.slice(0, 5)],
      properties: proposed.properties.map(({ id }) => ({ id })),
    };
    expect(schemas["data-extension-query"]?.(extend)).toBe(true);
    expectValid("data-extension-response", await post(service, key, { extend }));
  });

  describe("and its examples", () => {
    const examples = (kind: string, name: string) => {
      const folder = join("examples", name, kind);
      return readdirSync(join(FOLDER, folder)).map((file) => read(folder, file));
    };

    it("of query batches fail only for their types and properties, which this service does not have", async () => {
      for (const queries of examples("valid", "reconciliation-query-batch")) {
        const answer = await post(service, key, { queries });
        if (answer.status === 200) expectValid("reconciliation-result-batch", answer);
        else expect(answer.text).toMatch(/unknown property/);
      }
      for (const queries of examples("invalid", "reconciliation-query-batch")) {
        const answer = await post(service, key, { queries });
        const isRefused = answer.status === 400 || answer.text.includes('"error":{"code":"INVALID_REQUEST"');
        expect([queries, isRefused]).toEqual([queries, true]);
        expect(answer.headers["x-tokens-charged"]).toBe("0");
      }
    });

    it("of data extension fail only for their properties", async () => {
      for (const extend of examples("valid", "data-extension-query"))
        expect((await post(service, key, { extend })).text).toMatch(/unknown property/);
    });
  });
});
