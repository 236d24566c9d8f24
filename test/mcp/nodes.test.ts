/** Tools on PostgreSQL with two worker processes: each of them handles any message, at the same price. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { beforeAll, expect, it } from "vitest";
import { jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, PLENTY, type World } from "../kit/world.ts";
import { connected, type ProtocolRevision } from "./hosts.ts";

const server = await sharedPostgres();
let world: World;
let service: Service;
beforeAll(async () => {
  await awayFromMonthEnd();
  world = await makeWorld({
    tiers: { twelve: { ...PLENTY, monthlyTokens: 12 } },
    environment: { WORKERS: "2", DATABASE_URL: await server.database("mcp") },
  });
  service = await startService(world);
});

it.each(variants<ProtocolRevision>(["2025", "2026"], { ordinary: 1 }))(
  "every tool costs what its endpoint costs, in protocol revision %s",
  async (speaks) => {
    const { key } = await world.account("plenty");
    const client = await connected(service.address, key, speaks);
    const calls: [string, Record<string, unknown>, number][] = [
      ["lookup_company", { kvkNumber: BAKERY, enrich: true }, 5],
      ["list_branches", { kvkNumber: BAKERY }, 5],
      ["search_companies", { q: "fabelkorst" }, 1],
      ["validate_vat_number", { vatNumber: "DE12345678" }, 1],
      ["show_usage", {}, 0],
    ];
    for (const [name, input, price] of calls) {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
      expect([result.isError, result._meta?.["opzoek/tokensCharged"]], name).toEqual([undefined, price]);
    }
    expect(jsonOf(await ask(service, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 12 } });
  },
);

it("exactly twelve tools of price 1 are delivered with twelve tokens left, over several concurrent connections", async () => {
  const { key } = await world.account("twelve");
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "lookup_company", arguments: { kvkNumber: BAKERY } },
  };
  const request = { method: "POST", path: "/mcp", key, body: message };
  const answers = await Promise.all(Array.from({ length: 30 }, () => ask(service, request)));
  const failed = answers.filter(({ text }) => text.includes("QUOTA_EXCEEDED"));
  expect([answers.length - failed.length, failed.length]).toEqual([12, 18]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(jsonOf(await ask(service, { path: "/v1/usage", key }))).toMatchObject({ tokens: { used: 12 } });
});
