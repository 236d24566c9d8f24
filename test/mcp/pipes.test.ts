/** `opzoek mcp`: the same tools over a program's pipes, called over HTTP with the key in its environment. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { inject, jsonOf } from "../kit/answer.ts";
import { BAKERY, UNKNOWN } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { MAIN, opzoek } from "../kit/opzoek.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld } from "../kit/world.ts";
import { connected, host, type ProtocolRevision } from "./hosts.ts";

let inside: InProcess;
let address: string;
beforeAll(async () => {
  inside = await composeInProcess(await makeWorld());
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
});

async function piped(key: string, speaks: ProtocolRevision) {
  const client = host(speaks);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp"],
      env: { OPZOEK_URL: address, OPZOEK_KEY: key, PATH: process.env.PATH ?? "" },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

describe.each<ProtocolRevision>(variants<ProtocolRevision>(["2026", "2025"], { ordinary: 1 }))(
  "for a host that speaks the protocol of %s",
  (speaks) => {
    it("the tools are those of the service, at the same price", async () => {
      const { key } = await inside.account("plenty");
      const [client, direct] = [await piped(key, speaks), await connected(address, key, speaks)];
      expect((await client.listTools()).tools).toEqual((await direct.listTools()).tools);
      const asked: [string, Record<string, unknown>][] = [
        ["lookup_company", { kvkNumber: BAKERY, enrich: true, maxAge: null }],
        ["search_companies", { q: "fabelkorst" }],
        ["list_branches", { kvkNumber: BAKERY }],
        ["validate_vat_number", { vatNumber: "DE12345678" }],
        ["match_companies", { queries: [{ name: "Fabelkorst", city: null, kvkNumber: BAKERY }], limit: 1 }],
        ["match_companies", { queries: `[{ "kvkNumber": ${BAKERY} }]`, limit: "1", isActive: null }],
        ["add_monitors", { kvkNumbers: [BAKERY, "123"], metadata: { debtor: "1" }, webhook: null }],
        ["list_monitors", { limit: 5 }],
        ["list_changes", { kvkNumber: BAKERY }],
      ];
      for (const [name, given] of asked) {
        const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
        const same = (await direct.callTool({ name, arguments: given })) as CallToolResult;
        expect([result.isError, result.structuredContent], name).toEqual([undefined, same.structuredContent]);
        expect(result._meta?.["opzoek/tokensCharged"]).toBe(same._meta?.["opzoek/tokensCharged"]);
      }
      const usage = jsonOf(await inject(inside.app, { key, path: "/v1/usage" }));
      expect(usage).toMatchObject({ tokens: { used: 28 } });
      const failing: [string, Record<string, unknown>, RegExp][] = [
        [
          "lookup_company",
          { kvkNumber: BAKERY, colour: "red" },
          /unknown argument .*colour.*known: kvkNumber, enrich/,
        ],
        ["lookup_company", { kvkNumber: "123" }, /INVALID_KVK_NUMBER/],
        ["lookup_company", { kvkNumber: ".." }, /INVALID_KVK_NUMBER/],
        ["lookup_company", {}, /INVALID_REQUEST/],
        ["match_companies", { queries: "Fabelkorst" }, /INVALID_REQUEST/],
        ["match_companies", { queries: Array.from({ length: 101 }, () => ({ name: "x" })) }, /100/],
        ["validate_vat_number", { vatNumber: "../../usage" }, /INVALID_VAT_NUMBER/],
        ["list_changes", { type: "company.painted" }, /INVALID_REQUEST/],
      ];
      for (const [name, given, message] of failing) {
        const refused = (await client.callTool({ name, arguments: given })) as CallToolResult;
        const refusedThere = (await direct.callTool({ name, arguments: given })) as CallToolResult;
        expect([refused.isError, refused.content], name).toEqual([true, refusedThere.content]);
        expect(JSON.stringify(refused.content)).toMatch(message);
      }
      const unknown = (await client.callTool({
        name: "lookup_company",
        arguments: { kvkNumber: UNKNOWN },
      })) as CallToolResult;
      expect(unknown).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("NOT_FOUND") }],
      });
    });
  },
);

it("opzoek mcp without a service says what to set, and reports an invalid key to the model", async () => {
  expect(await opzoek(["mcp"], {})).toMatchObject({ code: 2, err: expect.stringContaining("OPZOEK_URL") });
  const client = await piped("opz_live_nonsense", "2025");
  const result = (await client.callTool({ name: "show_usage", arguments: {} })) as CallToolResult;
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("UNAUTHORIZED") }],
  });
  expect(JSON.stringify(result)).not.toContain("opz_live");
});
