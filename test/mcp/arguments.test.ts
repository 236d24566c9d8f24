/** Tools are listed with schemas that hosts accept, and read arguments as models write them. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { beforeAll, expect, it } from "vitest";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";
import { NOBODY } from "../match/calls.ts";
import { connected } from "./hosts.ts";

let inside: InProcess;
let address: string;
beforeAll(async () => {
  inside = await composeInProcess(await makeWorld());
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
});

async function called(name: string, input: Record<string, unknown>) {
  const { key } = await inside.account("plenty");
  const client = await connected(address, key, "2026");
  const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
  const [first] = result.content;
  if (first?.type !== "text") throw new Error("a tool gave no text");
  return { result, body: JSON.parse(first.text) };
}

/** The fields of a value at any depth, each with its path. */
function* fieldsOf(value: unknown, path = ""): Generator<readonly [path: string, value: unknown]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (name === "examples" || name === "default") continue;
    yield [`${path}.${name}`, field];
    yield* fieldsOf(field, `${path}.${name}`);
  }
}

it("every tool has schemas without references, alternatives and several types, which many hosts refuse", async () => {
  const { key } = await inside.account("plenty");
  const { tools } = await (await connected(address, key, "2026")).listTools();
  for (const { name, inputSchema, outputSchema } of tools) {
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"]);
    for (const [path, value] of fieldsOf({ inputSchema, outputSchema })) {
      expect(path, name).not.toMatch(
        /[.](?:[$]|x-|(?:definitions|anyOf|oneOf|allOf|not|if|format|propertyNames|patternProperties)(?:[.]|$))/,
      );
      if (path.endsWith(".type") && !path.endsWith("properties.type"))
        expect(typeof value, path).toBe("string");
    }
  }
});

it.each<readonly [string, Record<string, unknown>, object]>([
  ["match_companies", { queries: '[{"name":"Bakkerij de Fabelkorst"}]' }, { tokensUsed: 1 }],
  ["match_companies", { queries: ['{"name":"Bakkerij de Fabelkorst","city":null}'] }, { tokensUsed: 1 }],
  [
    "match_companies",
    { queries: [{ ...NOBODY, kvkNumber: "" }], limit: "", isActive: "" },
    { tokensUsed: 1 },
  ],
  ["search_companies", { q: "fabelkorst", city: "", legalForm: "", isActive: null, page: "" }, { page: 1 }],
  ["lookup_company", { kvkNumber: BAKERY, enrich: "", maxAge: null, vatMaxAge: " " }, { kvkNumber: BAKERY }],
  ["match_companies", { queries: [{ kvkNumber: Number(BAKERY) }] }, { results: [{ decision: "matched" }] }],
  ["add_monitors", { kvkNumbers: [BAKERY], events: " [] ", metadata: "null" }, { failed: [] }],
  [
    "add_monitors",
    { kvkNumbers: [BAKERY], metadata: { debtor: 1042, isLate: true } },
    { results: [{ metadata: { debtor: "1042", isLate: "true" } }] },
  ],
  ["list_changes", { after: "", type: "", kvkNumber: "" }, { events: [] }],
  ["validate_vat_number", { vatNumber: "NL000000000B01", requester: "" }, { status: "malformed" }],
  ["list_monitors", { after: null, limit: "" }, { monitors: [] }],
  ["add_monitors", { kvkNumbers: `["${BAKERY}"]`, events: [] }, { failed: [] }],
  ["add_monitors", { kvkNumbers: ` [${BAKERY}] `, events: '["company.moved"]' }, { failed: [] }],
  [
    "add_monitors",
    { kvkNumbers: [BAKERY], metadata: '{"debtor":"1042","note":null}' },
    { results: [{ metadata: { debtor: "1042" } }] },
  ],
])("%s takes %j", async (name, input, expected) => {
  const { result, body } = await called(name, input);
  expect(result.isError, JSON.stringify(body)).not.toBe(true);
  expect(body).toMatchObject(expected);
});

it.each<readonly [string, Record<string, unknown>, string]>([
  ["match_companies", { queries: "Bakkerij de Fabelkorst" }, "queries must be an array"],
  ["match_companies", { queries: '{"name":"Fabelkorst"}' }, "queries must be an array"],
  ["add_monitors", { kvkNumbers: BAKERY }, "kvkNumbers must be an array"],
  ["add_monitors", { kvkNumbers: '["50000001"' }, "kvkNumbers must be an array"],
  ["add_monitors", { kvkNumbers: [BAKERY], metadata: '["x"]' }, "metadata must be an object"],
  ["add_monitors", { kvkNumbers: [BAKERY], webhook: "" }, "webhook must not be empty"],
  ["add_monitors", { kvkNumbers: null }, "kvkNumbers must be an array"],
  ["lookup_company", { kvkNumber: "" }, "kvkNumber must be"],
  ["search_companies", { q: "", city: null }, "is required"],
])("%s refuses %j with its rule", async (name, input, rule) => {
  const { result, body } = await called(name, input);
  expect(result.isError).toBe(true);
  expect(JSON.stringify(body)).toContain(rule);
});
