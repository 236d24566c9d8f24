/** Entity tags of one node or thread are valid on every other one. */
import { expect, it } from "vitest";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { NODES, startNodes, WORKERS } from "./nodes.ts";

it("a response sent by any thread of any node is 304 everywhere", async () => {
  const nodes = await startNodes();
  const { key } = await nodes.world.account("plenty");
  const path = `/v1/lookup/${BAKERY}`;
  const tags = new Set<string>();
  for (const node of [...nodes.all, await nodes.start()]) {
    // Each call has its own connection, which any thread may accept.
    for (let call = 0; call < 4 * WORKERS; call++) {
      const headers = { connection: "close" };
      tags.add((await ask(node, { path, key, headers })).headers["etag"] ?? "none");
      const again = await ask(node, {
        path,
        key,
        headers: { ...headers, "if-none-match": [...tags][0] ?? "" },
      });
      expect(again.status).toBe(304);
    }
  }
  expect(nodes.all).toHaveLength(NODES);
  expect([...tags]).toEqual([expect.stringMatching(/^"[A-Za-z0-9_-]{43}"$/)]);
});
