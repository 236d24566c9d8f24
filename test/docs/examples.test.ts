/** Every example of the API document is a call that works on the demo, as its docs page offers. */
import { beforeAll, describe, expect, it } from "vitest";
import { demoKey } from "../../src/demo/accounts.ts";
import { textOf } from "../architecture/repository.ts";
import { type Answer, jsonOf, type TestRequest } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { startDemo } from "../kit/demo.ts";
import type { Service } from "../kit/service.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly example?: unknown;
  /** By name, for a parameter with several. */
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const document = JSON.parse(textOf("openapi.json")) as Document;

type Example = readonly [name: string, value: unknown];

/** Every selection of examples that a page can send: the required ones alone, with each optional one, and with all. */
function choices(required: readonly Example[], others: readonly Example[]): Example[][] {
  const firsts = new Map(others.map(([name]) => [name, others.find(([other]) => other === name)?.[1]]));
  return [[...required], ...others.map((other) => [...required, other]), [...required, ...firsts]];
}

function examplesOf({ name, example, examples = { only: { value: example } } }: Parameter): Example[] {
  return Object.values(examples).map(({ value }) => [name, value]);
}

function callsOf(path: string, method: string, { parameters = [], requestBody }: Operation): TestRequest[] {
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema !== undefined) {
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(([name, { examples = [] }]) => ({ name, examples }));
    const of = (isRequired: boolean): Example[] =>
      fields
        .filter(({ name }) => required.includes(name) === isRequired)
        .flatMap(({ name, examples }) => examples.map((value): Example => [name, value]));
    return choices(of(true), of(false)).map((chosen) => ({
      method: method.toUpperCase(),
      path,
      body: Object.fromEntries(chosen),
    }));
  }
  const [upload] = Object.entries(requestBody?.content ?? {});
  const sent = upload && { body: upload[1].example, headers: { "content-type": upload[0] } };
  const inPath = new Map(parameters.filter((one) => one.in === "path").flatMap(examplesOf));
  const filled = path.replace(/\{([A-Za-z]+)\}/g, (_, name: string) =>
    encodeURIComponent(String(inPath.get(name))),
  );
  const inQuery = parameters.filter((one) => one.in === "query");
  const ofQuery = (isRequired: boolean) =>
    inQuery.filter(({ required = false }) => required === isRequired).flatMap(examplesOf);
  return choices(ofQuery(true), ofQuery(false)).map((chosen) => {
    const query = new URLSearchParams(
      chosen.map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return { method: method.toUpperCase(), path: query === "" ? filled : `${filled}?${query}`, ...sent };
  });
}

/** A search without a criterion, or for a page of nothing, is refused: no single criterion is marked as required. */
const NARROWED_BY_NOTHING = /^\/v1\/search(\?(page(Size)?=\d+|(fuzzy|insolvent)=[a-z]+|sbiVersion=\d+))?$/;

/** It adds to an enriched company only. */
const WITHOUT_ENRICH = /^\/v1\/lookup\/\d+\?include=/;

/** Its example belongs to no account. */
const FOREIGN_CURSOR = /^\/v1\/changes\?(.*&)?after=/;

/** Calls about one list, monitor or event need an existing one. */
const ofNoList = ([path]: readonly [string, unknown]) => !/\{(job|monitor|event)Id\}/.test(path);

const calls = Object.entries(document.paths)
  .filter(ofNoList)
  .flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => callsOf(path, method, operation)),
  );

/** Every text in a value that matches the pattern. */
function textsIn(value: unknown, form: RegExp): string[] {
  if (typeof value === "string") return form.test(value) ? [value] : [];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap((part) => textsIn(part, form))
    : [];
}

describe("the examples of openapi.json, over the demo", () => {
  let demo: Service;
  const key = demoKey("plenty");
  const get = (path: string): Promise<Answer> => ask(demo, { path, key });
  beforeAll(async () => {
    demo = await startDemo();
  });

  it("exist for every parameter", () => {
    expect(calls.length).toBeGreaterThan(30);
    for (const { path, body } of calls) {
      expect(`${path} ${JSON.stringify(body ?? {})}`).not.toMatch(/undefined|null/);
    }
  });

  it("find something, each alone and all together", async () => {
    // A list that names a webhook needs a secret to sign with.
    await ask(demo, { method: "POST", path: "/v1/webhook-secret", key });
    for (const call of calls) {
      const described = `${call.method} ${call.path} ${JSON.stringify(call.body ?? "")}`;
      const answer = await ask(demo, { ...call, key });
      if ([NARROWED_BY_NOTHING, WITHOUT_ENRICH, FOREIGN_CURSOR].some((one) => one.test(call.path))) {
        expect([described, answer.status]).toEqual([described, 400]);
        continue;
      }
      expect([described, answer.status, answer.text.slice(0, 200)]).toEqual([
        described,
        call.path.startsWith("/v1/jobs") && call.method === "POST" && !call.path.includes("dryRun")
          ? 202
          : 200,
        expect.anything(),
      ]);
      const found = jsonOf(answer);
      if (typeof found === "object" && found !== null) {
        if ("results" in found) expect(found.results, described).not.toEqual([]);
        if ("failed" in found) expect(found.failed, described).toEqual([]);
        if ("valid" in found) expect(found.valid, described).toBe(true);
      }
    }
  });

  it("name companies, branches and VAT numbers that exist, everywhere", async () => {
    const examples: unknown[] = [];
    JSON.stringify(document, (name, value: unknown) => {
      if (name === "example" || name === "examples") examples.push(value);
      return value;
    });
    const numbers = new Set(textsIn(examples, /^[0-9]{8}$/));
    expect([...numbers].some((number) => number.startsWith("0"))).toBe(true);
    const branches = new Set<string>();
    for (const number of numbers) {
      const company = await get(`/v1/lookup/${number}`);
      expect([number, company.status]).toEqual([number, 200]);
      const listed = await get(`/v1/lookup/${number}/branches`);
      for (const branch of textsIn(jsonOf(listed), /^[0-9]{12}$/)) branches.add(branch);
    }
    for (const branch of textsIn(examples, /^[0-9]{12}$/)) expect(branches).toContain(branch);
    const vatNumbers = new Set(textsIn(examples, /^[A-Z]{2}[0-9A-Z]{8,12}$/));
    expect(vatNumbers.size).toBeGreaterThan(0);
    for (const number of vatNumbers) {
      expect(jsonOf(await get(`/v1/validate/vat/${number}`))).toMatchObject({ valid: true });
    }
  });

  it("describe that company as the service returns it", async () => {
    const { schemas } = document.components;
    const shown = (name: string) =>
      Object.entries(schemas[name]?.properties ?? {}).flatMap(([field, { examples }]) =>
        examples === undefined ? [] : [[field, examples] as const],
      );
    const [, numbers = []] = shown("Company").find(([field]) => field === "kvkNumber") ?? [];
    const company = jsonOf(await get(`/v1/lookup/${numbers[0]}?enrich=true`));
    const { branches } = jsonOf(await get(`/v1/lookup/${numbers[0]}/branches`)) as { branches: unknown[] };
    const { vat, address } = company as Record<string, unknown>;
    const vatNumber = (vat as { number: string }).number;
    for (const [name, answered] of [
      ["Company", company],
      ["Address", address],
      ["Vat", vat],
      ["Branch", branches[0]],
      ["VatValidation", jsonOf(await get(`/v1/validate/vat/${vatNumber}`))],
    ] as const) {
      const fields = answered as Record<string, unknown>;
      const isOfItsTime = (field: string) => ["validatedAt", "ageSeconds"].includes(field);
      const known = shown(name).filter(([field]) => fields[field] !== undefined && !isOfItsTime(field));
      expect(known.length).toBeGreaterThan(3);
      for (const [field, examples] of known)
        expect([name, field, examples]).toEqual([name, field, expect.arrayContaining([fields[field]])]);
    }
  });

  it("find the company whose number begins with a zero in every way", async () => {
    const number = "09876543";
    const { name } = jsonOf(await get(`/v1/lookup/${number}`)) as { name: string };
    expect(jsonOf(await get(`/v1/lookup/${number}/branches`))).toMatchObject({ kvkNumber: number, name });
    for (const path of [
      `/v1/autocomplete?q=${encodeURIComponent(name)}`,
      "/v1/autocomplete?q=0987654",
      `/v1/search?q=${encodeURIComponent(name)}`,
      `/v1/search?q=${number}`,
      "/v1/search?city=Zaandam&legalForm=VOF&sbiCode=16",
    ]) {
      expect(jsonOf(await get(path)), path).toMatchObject({
        results: expect.arrayContaining([expect.objectContaining({ kvkNumber: number, name })]),
      });
    }
    expect((await get(`/v1/lookup/${number.slice(1)}`)).status).toBe(400);
  });
});
