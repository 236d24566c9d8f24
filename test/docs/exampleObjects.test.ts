/** The field examples, combined as tools do that show a whole object, must not contradict each other. */
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/lib/values.ts";
import { textOf } from "../architecture/repository.ts";

const document = JSON.parse(textOf("openapi.json")) as JsonObject;

/** The part of the document at this path. */
function part(...path: readonly string[]): JsonObject {
  const found = path.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), document);
  return isJsonObject(found) ? found : {};
}

/** An example of a schema, composed of the examples of its parts. */
function composed(schema: unknown): unknown {
  if (!isJsonObject(schema)) return undefined;
  const { $ref, examples, properties, items } = schema;
  if (typeof $ref === "string") return composed(part(...$ref.replace("#/", "").split("/")));
  if (Array.isArray(examples)) return examples[0];
  if (items !== undefined) return [composed(items)];
  if (!isJsonObject(properties)) return undefined;
  const fields = Object.entries(properties).map(([name, field]) => [name, composed(field)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const content = (holder: JsonObject) => {
  const media = isJsonObject(holder["content"]) ? holder["content"]["application/json"] : undefined;
  return isJsonObject(media) ? composed(media["schema"]) : undefined;
};

/** The complete examples: of named schemas, and of each request and response body. */
const wholes: (readonly [name: string, value: unknown])[] = [
  ...Object.entries(part("components", "schemas")).map(([name, schema]) => [name, composed(schema)] as const),
  ...Object.entries(part("paths")).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).flatMap((method) => {
      const operation = ["paths", path, method];
      const responses = Object.entries(part(...operation, "responses")).filter(([status]) => status < "300");
      return [
        [`${method} ${path}`, content(part(...operation, "requestBody"))] as const,
        ...responses.map(
          ([status, response]) => [`${method} ${path} ${status}`, content(Object(response))] as const,
        ),
      ];
    }),
  ),
];

/** Every object within a value. */
function objectsIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const objects = wholes.flatMap(([name, whole]) => objectsIn(whole).map((object) => ({ name, object })));
const whole = (name: string) => Object(wholes.find(([other]) => other === name)?.[1]);
const NOW = whole("get /v1/health 200").timestamp;
const HIDDEN = ["street", "houseNumber", "postalCode"];
const ENDED = ["completed", "cancelled", "expired"];

/** A rule about objects that have a field, wherever they occur. */
const RULES: readonly (readonly [rule: string, field: string, holds: (object: JsonObject) => boolean])[] = [
  [
    "a company is active until its date of deregistration",
    "deregistrationDate",
    (company) => company["isActive"] === String(company["deregistrationDate"]) > NOW,
  ],
  [
    "a shielded address hides the rest",
    "isShielded",
    (address) => HIDDEN.every((name) => !(name in address)),
  ],
  [
    "a stale verdict alone has an age",
    "checksumValid",
    (vat) => (vat["status"] === "stale") === "ageSeconds" in vat,
  ],
  [
    "a malformed number is not valid",
    "checksumValid",
    (vat) => vat["valid"] === (vat["status"] === "validated" || vat["status"] === "stale"),
  ],
  [
    "a derived VAT number is the RSIN's, and its status is the source's",
    "vat",
    ({ vat, rsin, source }) =>
      Object(vat).number === `NL${rsin}B01` &&
      Object(vat).origin === "rsin" &&
      Object(source).vies === Object(vat).status,
  ],
  [
    "a VAT number is of the country of the address",
    "vat",
    ({ vat, address }) => Object(vat).number.startsWith(Object(address).country),
  ],
  [
    "a main branch is that of the company",
    "branchNumber",
    ({ branchNumber, isMain }) => isMain === (branchNumber === whole("Company").mainBranchNumber),
  ],
  [
    "employees add up",
    "fullTime",
    ({ total, fullTime, partTime }) => Number(total) === Number(fullTime) + Number(partTime),
  ],
  [
    "what KVK finds has no postal code",
    "origin",
    ({ origin, postalCode }) => origin !== "kvk-api" || postalCode === undefined,
  ],
  ["an inexact total is the maximum", "totalIsExact", ({ total }) => total === 10_000],
  [
    "a list that has not ended has no end",
    "counts",
    (job) => ENDED.includes(String(job["status"])) === "endedAt" in job,
  ],
  ["a list with a reason is paused", "counts", (job) => (job["status"] === "paused") === "reason" in job],
  [
    "a list is sent, begun and expires in order",
    "expiresAt",
    ({ createdAt, startedAt, expiresAt }) =>
      createdAt === undefined ||
      (String(createdAt) < String(startedAt) && String(startedAt) < String(expiresAt)),
  ],
  [
    "numbers of a list add up",
    "counts",
    ({ counts, tokens }) => {
      const { sent, duplicates, numbers, done, found, failed } = Object(counts);
      const { estimated, charged } = Object(tokens);
      return (
        sent - duplicates === numbers && found + failed === done && charged === found && estimated === numbers
      );
    },
  ],
  [
    "a batch costs what it delivers",
    "tokensUsed",
    ({ results, failed, tokensUsed }) => {
      if (failed === undefined) return true;
      const { kvkNumbers, enrich } = whole("post /v1/lookup/batch");
      const delivered = [results, failed].map((rows) =>
        Array.isArray(rows) ? rows.map(({ kvkNumber }) => kvkNumber) : [],
      );
      expect(delivered.flat()).toEqual(kvkNumbers);
      return tokensUsed === (delivered[0] ?? []).length * (enrich ? 5 : 1);
    },
  ],
  [
    "a match costs its queries, and its results have their ids",
    "tokensUsed",
    ({ results, failed, tokensUsed }) => {
      if (failed !== undefined || !Array.isArray(results)) return true;
      const { queries } = whole("post /v1/match");
      const idsOf = (rows: unknown) => (Array.isArray(rows) ? rows.map((row) => Object(row).id) : []);
      expect(idsOf(results)).toEqual(idsOf(queries));
      return tokensUsed === results.length;
    },
  ],
  [
    "tokens that are left and spent are the allowance",
    "remaining",
    ({ limit, used, remaining }) => used === undefined || limit === Number(used) + Number(remaining),
  ],
  ["only autocomplete has sessions", "sessions", ({ operation }) => operation === "autocomplete"],
  [
    "a service that is well gives no reason",
    "services",
    ({ status, reason }) => status !== "ok" || reason === undefined,
  ],
];

describe("the examples of openapi.json", () => {
  it.each(RULES)("are consistent: %s", (_rule, field, holds) => {
    const concerned = objects.filter(({ object }) => field in object);
    expect(concerned.filter(({ object }) => !holds(object))).toEqual([]);
    if (field !== "isShielded") expect(concerned).not.toEqual([]);
  });

  it("are of the same company everywhere", () => {
    const companies = objects.filter(({ object }) => "name" in object && object["kvkNumber"] === "51234567");
    expect(companies.length).toBeGreaterThan(5);
    for (const field of ["kvkNumber", "name", "city", "postalCode", "legalForm"]) {
      const values = companies.flatMap(({ object }) => [object[field], Object(object["address"])[field]]);
      expect(new Set(values.filter((value) => value !== undefined)).size, field).toBe(1);
    }
    expect(whole("VatValidation").vatNumber).toBe(whole("Vat").number);
    expect(whole("post /v1/tokens 200").origin).toBe(whole("post /v1/tokens").origin);
  });
});
