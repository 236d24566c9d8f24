/** Tools over HTTP cost and fail like their endpoints, and are listed accordingly. */
import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, FROM_GLEIF, UNKNOWN } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";
import { connected, type ProtocolRevision } from "./hosts.ts";

let inside: InProcess;
let address: string;
beforeAll(async () => {
  const world = await makeWorld({
    tiers: {
      poor: { monthlyTokens: 3, ratePerMinute: 1_000 },
      slow: { monthlyTokens: 1_000, ratePerMinute: 4 },
    },
  });
  inside = await composeInProcess(world);
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
});

async function called(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
  const [first] = result.content;
  if (first?.type !== "text") throw new Error("a tool gave no text");
  return { result, body: JSON.parse(first.text), meta: result._meta };
}

function endpoint(key: string, path: string) {
  return inject(inside.app, { key, path });
}

async function usedBy(key: string): Promise<Record<string, { requests: number; tokens: number }>> {
  const usage = jsonOf(await endpoint(key, "/v1/usage")) as {
    operations: { operation: string; requests: number; tokens: number }[];
  };
  return Object.fromEntries(
    usage.operations.map(({ operation, requests, tokens }) => [operation, { requests, tokens }]),
  );
}

describe.each<ProtocolRevision>(["2025", "2026"])("for a host with protocol revision %s", (speaks) => {
  it("every tool is listed with its price and the schemas of its endpoint", async () => {
    const { key } = await inside.account("plenty");
    const client = await connected(address, key, speaks);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "lookup_company",
      "search_companies",
      "match_companies",
      "list_branches",
      "validate_vat_number",
      "check_peppol",
      "add_monitors",
      "list_monitors",
      "list_changes",
      "show_usage",
    ]);
    for (const { name, annotations, description } of tools) {
      expect(annotations?.readOnlyHint).toBe(name !== "add_monitors");
      expect(description).toMatch(/token/);
    }
    const [lookup] = tools;
    expect(lookup?.inputSchema).toMatchObject({
      required: ["kvkNumber"],
      properties: { kvkNumber: { pattern: "^[0-9]{8}$" }, enrich: { type: "boolean", default: false } },
    });
    expect(lookup?.outputSchema).toMatchObject({ properties: { address: { type: "object" } } });
    expect(tools.find(({ name }) => name === "match_companies")?.inputSchema).toMatchObject({
      required: ["queries"],
      properties: { queries: { items: { properties: { name: { maxLength: 700 } } }, maxItems: 100 } },
    });
  });

  it("a tool returns its endpoint's data, valid by its own output schema, at the same price", async () => {
    const { key } = await inside.account("plenty");
    const client = await connected(address, key, speaks);
    // After this the library's client validates structured results against the output schema.
    await client.listTools();
    const calls: [string, Record<string, unknown>, string, number][] = [
      ["lookup_company", { kvkNumber: BAKERY }, `/v1/lookup/${BAKERY}`, 1],
      ["lookup_company", { kvkNumber: BAKERY, enrich: true }, `/v1/lookup/${BAKERY}?enrich=true`, 5],
      ["list_branches", { kvkNumber: BAKERY }, `/v1/lookup/${BAKERY}/branches`, 5],
      ["search_companies", { q: "fabelkorst", isActive: true }, "/v1/search?q=fabelkorst&isActive=true", 1],
      ["validate_vat_number", { vatNumber: "DE12345678" }, "/v1/validate/vat/DE12345678", 1],
    ];
    for (const [name, input, path, price] of calls) {
      const { result, body, meta } = await called(client, name, input);
      expect(body, name).toEqual(jsonOf(await endpoint(key, path)));
      expect(result.structuredContent).toEqual(body);
      expect(meta).toMatchObject({ "opzoek/tokensCharged": price });
    }
    const { body } = await called(client, "show_usage");
    expect(body).toMatchObject({ tokens: { used: 26 } });
    expect(await usedBy(key)).toMatchObject({ branches: { requests: 2, tokens: 10 } });
  });

  it("names are matched as by the endpoint; null fields count as omitted, and a query with an error is free", async () => {
    const { key } = await inside.account("plenty");
    const client = await connected(address, key, speaks);
    await client.listTools();
    const queries = [
      { name: "Bakkerij de Fabelkorst", city: "Verzinstad" },
      { kvkNumber: UNKNOWN },
      { city: "x" },
    ];
    const sent = queries.map((query) => ({ name: null, ...query, website: null }));
    const { result, body, meta } = await called(client, "match_companies", {
      queries: sent,
      limit: "2",
      isActive: null,
    });
    const request = { method: "POST", path: "/v1/match", key, body: { queries, limit: 2 } };
    expect(body).toEqual(jsonOf(await inject(inside.app, request)));
    expect(result.structuredContent).toEqual(body);
    expect(body.results).toMatchObject([
      { candidates: [{ kvkNumber: BAKERY }] },
      { decision: "none" },
      { error: { code: "INVALID_REQUEST" } },
    ]);
    expect(meta).toMatchObject({ "opzoek/tokensCharged": 2 });
    expect(await usedBy(key)).toMatchObject({ match: { requests: 2, tokens: 4 } });
  });

  it("companies are monitored and their changes listed free of charge, with a test key for fictional ones", async () => {
    const { id } = await inside.account("plenty");
    const { key } = await inside.accounts.createKey(id, "test", "test");
    const client = await connected(address, key, speaks);
    await client.listTools();
    const added = await called(client, "add_monitors", { kvkNumbers: ["99990302", UNKNOWN], events: null });
    expect(added.body).toMatchObject({
      results: [{ kvkNumber: "99990302", status: "active" }],
      failed: [{ kvkNumber: UNKNOWN, error: { code: "NOT_FOUND" } }],
    });
    expect(added.result.structuredContent).toEqual(added.body);
    const listed = await called(client, "list_monitors");
    expect(listed.body).toMatchObject({ monitors: added.body.results });
    const first = await called(client, "list_changes");
    expect(first.body.events).toMatchObject([{ type: "company.moved", kvkNumber: "99990302" }]);
    const next = await called(client, "list_changes", { after: first.body.next, type: "company.renamed" });
    expect(next.body.events).toEqual([]);
    for (const { meta } of [added, listed, first, next]) {
      expect(meta).toMatchObject({ "opzoek/tokensCharged": 0 });
    }
  });

  it("an error is returned to the model with its code, and costs nothing", async () => {
    const { key } = await inside.account("plenty");
    const client = await connected(address, key, speaks);
    const failing: [string, Record<string, unknown>, string][] = [
      ["lookup_company", { kvkNumber: UNKNOWN }, "NOT_FOUND"],
      ["lookup_company", { kvkNumber: "1234567" }, "INVALID_KVK_NUMBER"],
      ["lookup_company", { kvkNumber: 1_234_567 }, "INVALID_KVK_NUMBER"],
      ["lookup_company", { kvkNumber: BAKERY, colour: "red" }, "INVALID_REQUEST"],
      ["lookup_company", {}, "INVALID_REQUEST"],
      ["match_companies", { queries: "Bakkerij" }, "INVALID_REQUEST"],
      ["match_companies", { queries: ["Bakkerij"] }, "INVALID_REQUEST"],
      ["list_branches", { kvkNumber: FROM_GLEIF }, "NOT_HELD"],
      ["validate_vat_number", { vatNumber: "GB123456789" }, "INVALID_VAT_NUMBER"],
      // VIES is down: an outage is never reported as "not valid".
      ["validate_vat_number", { vatNumber: "NL123456782B01" }, "UPSTREAM_ERROR"],
    ];
    for (const [name, input, code] of failing) {
      const { result, body, meta } = await called(client, name, input);
      expect([result.isError, body.error.code]).toEqual([true, code]);
      expect(body.error.message).toEqual(expect.any(String));
      expect(meta).toMatchObject({ "opzoek/tokensCharged": 0 });
      if (code === "INVALID_KVK_NUMBER")
        expect(body.error.message).toContain("a leading zero may have been lost");
    }
    expect((await called(client, "show_usage")).body.tokens.used).toBe(0);
  });

  it("an unknown tool is a protocol error that lists the known ones", async () => {
    const { key } = await inside.account("plenty");
    const client = await connected(address, key, speaks);
    await expect(client.callTool({ name: "delete_company", arguments: {} })).rejects.toThrow(
      /lookup_company/,
    );
  });
});

describe("limits", () => {
  it("an allowance that does not cover a tool's price is an error with the time to retry", async () => {
    const { key } = await inside.account("poor");
    const client = await connected(address, key, "2025");
    const { result, body } = await called(client, "lookup_company", { kvkNumber: BAKERY, enrich: true });
    expect(result.isError).toBe(true);
    expect(body.error).toMatchObject({
      code: "QUOTA_EXCEEDED",
      message: expect.stringContaining("3 are left"),
      retryAfterSeconds: 86_400,
    });
  });

  it("every message takes a slot of the key's rate, and a tool over the rate gets a retry delay", async () => {
    const { key } = await inside.account("slow");
    // The handshake takes two messages.
    const client = await connected(address, key, "2025");
    await client.listTools();
    await called(client, "lookup_company", { kvkNumber: BAKERY });
    const { result, body } = await called(client, "lookup_company", { kvkNumber: BAKERY });
    expect(result.isError).toBe(true);
    expect(body.error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", retryAfterSeconds: expect.any(Number) });
    await expect(client.listTools()).rejects.toThrow(/429|RATE_LIMIT_EXCEEDED/);
  });

  it("exactly k tools of price 1 are delivered with k tokens left, however many are called concurrently", async () => {
    const { key } = await inside.account("poor");
    const client = await connected(address, key, "2025");
    const all = await Promise.all(
      Array.from({ length: 20 }, () => called(client, "lookup_company", { kvkNumber: BAKERY })),
    );
    expect(all.filter(({ result }) => result.isError !== true)).toHaveLength(3);
    expect(all.filter(({ body }) => body.error?.code === "QUOTA_EXCEEDED")).toHaveLength(17);
    expect(await usedBy(key)).toMatchObject({ lookup: { tokens: 3 } });
  });
});

describe("a revoked key", () => {
  it("is refused as on every endpoint, also for a connected host", async () => {
    const { id, key, keys } = await inside.account("plenty");
    const client = await connected(address, key, "2025");
    await inside.accounts.revokeKey(keys[0]?.id ?? id);
    await expect(called(client, "show_usage")).rejects.toThrow(/401|unauthorized/i);
  });
});
