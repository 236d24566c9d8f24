/** The thread that speaks the protocol may end at any moment: what a tool was charged is told all the same, and charged once. */
import type { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { inject, jsonOf, numberIn } from "../kit/answer.ts";
import { BAKERY } from "../kit/companies.ts";
import { composeInProcess, type InProcess } from "../kit/inProcess.ts";
import { makeWorld } from "../kit/world.ts";

let inside: InProcess;
/** The threads of the protocol that were started, the newest last. */
const threads: Worker[] = [];
/** When the store has decided a batch of requests, so many times a thread ends. */
let endsAfterCharge = 0;

async function endThread(): Promise<void> {
  await threads.at(-1)?.terminate();
}

beforeAll(async () => {
  const world = await makeWorld();
  inside = await composeInProcess(world, {
    replace: ({ state }) => ({
      state: {
        ...state,
        metering: {
          findKeys: (hashes) => state.metering.findKeys(hashes),
          async apply(requests) {
            const decisions = await state.metering.apply(requests);
            if (endsAfterCharge > 0) {
              endsAfterCharge -= 1;
              await endThread();
            }
            return decisions;
          },
        },
      },
    }),
  });
  const note = (worker: Worker) => threads.push(worker);
  process.on("worker", note);
  afterFile(() => process.off("worker", note));
});

const LOOKUP = {
  jsonrpc: "2.0",
  id: "a",
  method: "tools/call",
  params: { name: "lookup_company", arguments: { kvkNumber: BAKERY, enrich: true } },
};

const post = (key: string, body: object) => inject(inside.app, { method: "POST", path: "/mcp", key, body });

describe("a tool call whose thread ends", () => {
  it("between its charge and its answer is told what was paid for, once, on another thread", async () => {
    const { key, id } = await inside.account("plenty");
    const before = threads.length;
    endsAfterCharge = 1;
    const answer = await post(key, LOOKUP);
    expect([answer.status, numberIn(answer, "x-tokens-charged")]).toEqual([200, 5]);
    expect(jsonOf(answer)).toMatchObject({
      id: "a",
      result: { structuredContent: { kvkNumber: BAKERY }, _meta: { "opzoek/tokensCharged": 5 } },
    });
    expect(threads.length - before).toBe(2);
    expect((await inside.state.ledger.spent(id))?.used).toBe(5);
    const [line] = await inside.state.ledger.lines(id, "2026-03-15", "2026-03-15");
    expect(line).toMatchObject({ operation: "lookup.enriched", requests: 1, tokens: 5 });
  });

  it("is answered with all others that the thread was at", async () => {
    const { key, id } = await inside.account("plenty");
    await post(key, LOOKUP);
    const before = threads.length;
    endsAfterCharge = 1;
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, LOOKUP)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(threads.length - before).toBe(1);
    expect((await inside.state.ledger.spent(id))?.used).toBe(21 * 5);
  });
});
