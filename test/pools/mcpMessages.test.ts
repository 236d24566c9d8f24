/** Slow messages of one key leave places for other accounts. */
import { expect, it } from "vitest";
import { POOLS } from "../../src/contract/pools.ts";
import { type Answer, inject } from "../kit/answer.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";

const { perAccount } = POOLS.mcpMessages;
const BEYOND = 4;

it("an account has its share over all its keys, and another account is answered", async () => {
  let isHolding = false;
  let heldCount = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { app, account } = await composeInProcess(await makeWorld({ companies: [] }), {
    replace: ({ state }) => ({
      state: {
        ...state,
        metering: {
          ...state.metering,
          async apply(requests) {
            if (isHolding) {
              heldCount += 1;
              await released;
            }
            return state.metering.apply(requests);
          },
        },
      },
    }),
  });
  const [many, another] = [await account("plenty", 2), await account("plenty")];
  const post = (key: string): Promise<Answer> =>
    inject(app, { method: "POST", path: "/mcp", key, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
  for (const { key } of [...many.keys, another]) expect((await post(key)).status).toBe(200);
  isHolding = true;
  const waiting = Array.from({ length: perAccount + BEYOND }, (_, nth) =>
    post(many.keys[nth % 2]?.key ?? ""),
  );
  waiting.push(post(another.key));
  await until("they wait for the state", () => heldCount > 0);
  // These need no state: once they are answered, everything sent before has arrived.
  for (let nth = 0; nth < 3; nth++) await inject(app, { path: "/livez" });
  release();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(perAccount + 1);
  expect(statuses.filter((status) => status === 503)).toHaveLength(BEYOND);
  expect(statuses.at(-1)).toBe(200);
});
