/** Hosts as a language model has them: clients of the official library. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** How a host finds out which revision of the protocol is spoken: the one of 2025 shakes hands, the one of 2026 does not. */
export type Speaks = "2025" | "2026";

export function host(speaks: Speaks): Client {
  const mode = speaks === "2025" ? "legacy" : { pin: "2026-07-28" };
  return new Client({ name: "test-host", version: "1" }, { versionNegotiation: { mode } });
}

/** A host that is connected to `/mcp` with a key; ended with the test. */
export async function connected(address: string, key: string, speaks: Speaks): Promise<Client> {
  const client = host(speaks);
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", address), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
