/** The files and calls of `docs/mcp.md` work as written, with another address and key. */

import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { textOf } from "../architecture/repository.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { MAIN } from "../kit/opzoek.ts";
import { makeWorld } from "../kit/world.ts";
import { host } from "./hosts.ts";

const section = textOf("docs/mcp.md");
let address: string;
let key: string;
beforeAll(async () => {
  const inside = await composeInProcess(await makeWorld());
  address = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  ({ key } = await inside.account("plenty"));
});

/** The blocks of a language under the heading, with the reader's placeholders replaced. */
function blocks(language: string): string[] {
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text = ""]) =>
      text
        .replaceAll("https://opzoek.example", address)
        .replaceAll("opz_live_…", key)
        .replaceAll("51234567", BAKERY),
  );
}

interface HostFile {
  readonly mcpServers: {
    readonly opzoek:
      | { readonly url: string; readonly headers: Record<string, string> }
      | { readonly command: string; readonly args: string[]; readonly env: Record<string, string> };
  };
}

it("both host configurations lead to the tools that the page names", async () => {
  const files = blocks("json").map((text): HostFile => JSON.parse(text));
  expect(files).toHaveLength(2);
  for (const { mcpServers } of files) {
    const { opzoek } = mcpServers;
    const client = host("2025");
    onTestFinished(() => client.close());
    if ("url" in opzoek) {
      const { url, headers } = opzoek;
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    } else {
      expect(opzoek.command).toBe("opzoek");
      const env = { ...opzoek.env, PATH: process.env.PATH ?? "" };
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [MAIN, ...opzoek.args], env }),
      );
    }
    const { tools } = await client.listTools();
    for (const { name } of tools) expect(section).toContain(`\`${name}\``);
  }
});

it("the manual call is answered", async () => {
  const [curl = ""] = blocks("sh");
  const body = /-d '([^']+)'/.exec(curl)?.[1] ?? "";
  const headers = Object.fromEntries(
    [...curl.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [
      name,
      value.replace("$OPZOEK_KEY", key),
    ]),
  );
  const response = await fetch(/curl (\S+)/.exec(curl)?.[1] ?? "", { method: "POST", headers, body });
  expect(await response.json()).toMatchObject({ result: { structuredContent: { kvkNumber: BAKERY } } });
});
