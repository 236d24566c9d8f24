/** The API document and the docs page: consistent, and without external resources. */

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { HINTS } from "../../src/contract/hints.ts";
import { jsonOf, messageOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { expectError } from "../kit/contractAnswer.ts";
import { opzoek, spawnOpzoek } from "../kit/opzoek.ts";
import { type Served, serveHere } from "../kit/serveHere.ts";
import { makeWorld, type World } from "../kit/world.ts";

let world: World;
let service: Served;
beforeAll(async () => {
  world = await makeWorld({ environment: { PUBLIC_URL: "https://opzoek.example/" } });
  service = await serveHere(world);
});

describe("the API document", () => {
  it("in the repository is the one that the program generates", async () => {
    const { out } = await spawnOpzoek(["openapi"], { PATH: process.env.PATH });
    const committed = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8");
    expect(
      committed === out,
      "openapi.json is out of date: run `npm run openapi` and review the difference",
    ).toBe(true);
  });

  it("is served without a key, with the service's address, and is otherwise the same", async () => {
    const served = await ask(service, { path: "/v1/openapi.json" });
    expect(served.headers["content-type"]).toContain("application/json");
    const document = jsonOf(served);
    expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: "https://opzoek.example" }] });
    // Tiers are configured by the operator: the description lists those of this service.
    expect(document).toMatchObject({
      info: { description: expect.stringContaining("- plenty: 1,000,000,000 tokens") },
    });
    const { out } = await opzoek(["openapi"], world.environment);
    const own = { servers: [], info: {} };
    expect({ ...Object(document), ...own }).toEqual({ ...Object(JSON.parse(out)), ...own });
  });

  it("describes every field and parameter, with an example of each text, number or flag", () => {
    const committed: unknown = JSON.parse(
      readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
    );
    expect(undocumented(committed, "")).toEqual([]);
  });

  it("has examples of error messages that the service sends", async () => {
    const { key } = await world.account("plenty");
    const document = jsonOf(await ask(service, { path: "/v1/openapi.json" }));
    const examples = new Set(
      Array.from(
        JSON.stringify(document).matchAll(/"message":\{[^}]*"examples":\[("(?:[^"\\]|\\.)*")\]/g),
        ([, text = '""']) => JSON.parse(text),
      ),
    );
    const notFound = await ask(service, { path: "/v1/lookup/00000001", key });
    const batch = await ask(service, {
      method: "POST",
      path: "/v1/lookup/batch",
      key,
      body: { kvkNumbers: ["123"] },
    });
    const { failed } = jsonOf(batch) as { failed: readonly { error: { message: string } }[] };
    const note = "the KVK number belongs to a company with another name";
    const hint = HINTS.lost_zero;
    expect(examples).toEqual(new Set([messageOf(notFound), failed[0]?.error.message, note, hint]));
  });

  it("describes the request headers as parameters, for generated clients", async () => {
    const document = jsonOf(await ask(service, { path: "/v1/openapi.json" })) as Paths;
    const headers = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) => {
        const names = parameters.filter((one) => one.in === "header" && one.required !== true);
        return names.length === 0 ? [] : [[path, ...names.map(({ name }) => name)]];
      }),
    );
    expect(headers.sort()).toEqual([
      ["/v1/autocomplete", "Idempotency-Key"],
      ["/v1/jobs", "Idempotency-Key"],
      ["/v1/jobs/{jobId}/results", "If-None-Match"],
      ["/v1/lookup/batch", "Idempotency-Key"],
      ["/v1/lookup/{kvkNumber}", "Idempotency-Key", "If-None-Match"],
      ["/v1/lookup/{kvkNumber}/branches", "Idempotency-Key", "If-None-Match"],
      ["/v1/match", "Idempotency-Key"],
      ["/v1/peppol/{kvkNumber}", "Idempotency-Key"],
      ["/v1/search", "Idempotency-Key", "If-None-Match"],
      ["/v1/validate/vat/{vatNumber}", "Idempotency-Key"],
    ]);
  });
});

interface Paths {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            parameters?: readonly {
              readonly in: string;
              readonly name: string;
              readonly required?: boolean;
            }[];
          }
        >
      >
    >
  >;
}

/** Fields of other states than the one that the examples show. */
const OF_ANOTHER_STATE = new Set(["isShielded", "ageSeconds", "reason", "endedAt", "resultsUntil"]);

/** The paths of fields and parameters without a sufficient description. */
function undocumented(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const inside = undocumented(part, `${path}/${name}`);
    if (name !== "properties" && name !== "parameters") return inside;
    const poor = Object.entries(Object(part)).filter(
      ([field, schema]) => !isDocumented(Object(schema), OF_ANOTHER_STATE.has(field)),
    );
    return [...inside, ...poor.map(([field]) => `${path}/${name}/${field}`)];
  });
}

function isDocumented(field: Readonly<Record<string, unknown>>, needsNoExample: boolean): boolean {
  if ("$ref" in field) return true;
  const schema: Readonly<Record<string, unknown>> = { ...Object(field.schema), ...field };
  const isWhole = ["object", "array"].includes(String(schema.type)) || "const" in schema;
  const hasExample = needsNoExample || ["example", "examples"].some((name) => name in schema);
  return typeof schema.description === "string" && (isWhole || hasExample);
}

describe("the docs page", () => {
  it("and everything that it loads come from this service", async () => {
    const moved = await ask(service, { path: "/docs" });
    const page = moved.status === 301 ? await ask(service, { path: moved.headers.location ?? "" }) : moved;
    expect([page.status, page.headers["content-type"]]).toEqual([200, expect.stringContaining("text/html")]);
    expect(page.text).not.toMatch(/https?:\/\//);
    expect(page.text).not.toMatch(/["'(]\/\//);
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
    expect(page.headers["referrer-policy"]).toBe("no-referrer");
    expect(page.headers["content-security-policy"]).not.toMatch(/unsafe|nonce|https?:|\*/);
    const base = new URL(moved.headers.location ?? "/docs/", service.address);
    const named = [...page.text.matchAll(/(?:src|href)=["']([^"']+)["']/g)].map(([, path]) => path ?? "");
    const assets = named.filter((path) => !path.startsWith("data:"));
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of [...assets, "/v1/openapi.json"]) {
      const url = new URL(asset, base);
      expect(url.origin).toBe(service.address);
      const answer = await ask(service, { path: url.pathname + url.search });
      expect([asset, answer.status]).toEqual([asset, 200]);
      expect(answer.headers["x-content-type-options"]).toBe("nosniff");
      expect(answer.text.length).toBeGreaterThan(20);
    }
  });

  it("does not show missing parts", async () => {
    expectError(await ask(service, { path: "/docs/nothing.js" }), "ROUTE_NOT_FOUND");
  });
});
