/** A caller that hangs up is charged once for its call, and no other caller is affected. */
import { connect } from "node:net";
import { expect, it } from "vitest";
import { type Answer, jsonOf } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { requestBytes } from "../kit/rawSocket.ts";
import { startService } from "../kit/service.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const HANG_UPS = 50;

interface Usage {
  readonly tokens: { readonly used: number };
  readonly operations: readonly { readonly operation: string; readonly requests: number }[];
}

it("a caller that hangs up is charged for a call that reached the service", async () => {
  const world = await makeWorld();
  const { key } = await world.account("plenty");
  await awayFromMonthEnd();
  const service = await startService(world);
  const usage = async (): Promise<Usage> => {
    const answer: Answer = await ask(service, { path: "/v1/usage", key });
    return jsonOf(answer) as Usage;
  };
  for (let time = 0; time < HANG_UPS; time++) {
    const bytes = requestBytes(`GET /v1/lookup/${BAKERY}?enrich=true`, { authorization: `Bearer ${key}` });
    await new Promise<void>((resolve) => {
      const socket = connect({ port: service.port, host: "127.0.0.1" });
      socket.on("error", () => {});
      socket.on("close", () => resolve());
      // A graceful close delivers the request; the response has no reader.
      socket.end(bytes, () => socket.destroy());
    });
  }
  const { tokens, operations } = await until("every call is in the ledger", async () => {
    const found = await usage();
    return found.tokens.used >= 5 * HANG_UPS ? found : undefined;
  });
  expect(tokens.used).toBe(5 * HANG_UPS);
  expect(operations.find(({ operation }) => operation === "lookup.enriched")?.requests).toBe(HANG_UPS);
  expect((await ask(service, { path: `/v1/lookup/${BAKERY}`, key })).status).toBe(200);
});
