/** Hosts of a language model: clients of the official library. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** The protocol revision that a host negotiates: 2025 has a handshake, 2026 has none. */
export type ProtocolRevision = "2025" | "2026";

export function host(speaks: ProtocolRevision): Client {
  const mode = speaks === "2025" ? "legacy" : { pin: "2026-07-28" };
  return new Client({ name: "test-host", version: "1" }, { versionNegotiation: { mode } });
}

/** A host connected to `/mcp` with a key; closed after the test. */
export async function connected(address: string, key: string, speaks: ProtocolRevision): Promise<Client> {
  const client = host(speaks);
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", address), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}
