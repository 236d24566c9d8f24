/** Free accounts that fill the capacity of lists leave room for others, on both stores and over two nodes. */
import { beforeAll, describe, expect, it } from "vitest";
import { MIN_NUMBERS_OF_ACCOUNT } from "../../src/contract/jobs.ts";
import { listen } from "../../src/http/server.ts";
import { change, list, send } from "../jobs/lists.ts";
import { type Answer, codeOf, jsonOf, messageOf } from "../kit/answer.ts";
import { composeInProcess, type InProcess, NOON } from "../kit/inProcess.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { makeWorld } from "../kit/world.ts";

const STORES = [
  ["embedded", 1, async () => ({})],
  ["postgres", 2, async () => ({ DATABASE_URL: await (await sharedPostgres()).newDatabase("pools") })],
] as const;
/** A list at the maximum of a free account. */
const FULL = numbered(MIN_NUMBERS_OF_ACCOUNT);
const FREE_ACCOUNTS = 10;
/** The number of free accounts that fit. */
const FIT = 3;
const BOUNDS = { maxNumbersOfFree: FIT * FULL.length, maxNumbersOfAll: (FIT + 1) * FULL.length };
const DAY_MS = 86_400_000;

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(60_000_000 + index));
}

describe.each(variants(STORES, { ordinary: 1 }))("lists on the %s store", (_name, nodeCount, environment) => {
  const nodes: { readonly port: number }[] = [];
  const insides: InProcess[] = [];
  beforeAll(async () => {
    const world = await makeWorld({ environment: await environment() });
    for (let nth = 0; nth < nodeCount; nth++) {
      const inside = await composeInProcess(world, { listOptions: { bounds: BOUNDS } });
      insides.push(inside);
      nodes.push({ port: Number(new URL(await listen(inside.app, "127.0.0.1", 0)).port) });
    }
  });
  const account = async (tierName: string) => {
    const [inside] = insides;
    if (inside === undefined) throw new Error("there is no node");
    return inside.account(tierName);
  };
  const node = (nth: number) => nodes[nth % nodes.length] ?? { port: 0 };
  const paused = async (key: string, taken: Answer) => {
    const { id } = jsonOf(taken) as { id: string };
    expect((await change(node(0), key, id, "pause")).status).toBe(200);
    return list(node(0), key, id);
  };

  it("of an account hold as many numbers as its plan allows, however many arrive at once", async () => {
    const { key } = await account("free");
    const tooLarge = await send(node(0), key, numbered(FULL.length + 1));
    expect([tooLarge.status, codeOf(tooLarge), messageOf(tooLarge)]).toEqual([
      403,
      "FORBIDDEN",
      expect.stringMatching(/at most 1000 numbers.*send fewer/),
    ]);
    const half = numbered(0.6 * FULL.length);
    const both = await Promise.all([0, 1].map((nth) => send(node(nth), key, half)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([202, 403]);
    const [taken] = both.filter(({ status }) => status === 202);
    if (taken === undefined) throw new Error("none was taken");
    const { id, createdAt = "", expiresAt = "" } = await paused(key, taken);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(3 * DAY_MS);
    await change(node(0), key, id, "cancel");
  });

  it("of free accounts that fill their share leave room for a customer's", async () => {
    // Places freed by a cancelled list are counted at most once a second, by the state's clock.
    for (const inside of insides) inside.setClock(NOON + 1_000);
    const keys: string[] = [];
    while (keys.length < FREE_ACCOUNTS) keys.push((await account("free")).key);
    const answers: Answer[] = [];
    // As many at once as the service receives concurrently.
    for (let first = 0; first < keys.length; first += 4) {
      const some = keys.slice(first, first + 4).map((key, nth) => send(node(nth), key, FULL));
      answers.push(...(await Promise.all(some)));
    }
    const taken = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status !== 202);
    expect([taken.length, ...new Set(refused.map(codeOf))]).toEqual([FIT, "SERVICE_UNAVAILABLE"]);
    expect(refused.map(messageOf)).toEqual(Array(refused.length).fill(expect.stringContaining("free plans")));
    // So that they leave the processor to the customer; one that has ended keeps its numbers too.
    for (const [nth, answer] of answers.entries()) {
      if (answer.status !== 202) continue;
      const { id } = jsonOf(answer) as { id: string };
      await change(node(0), keys[nth] ?? "", id, "pause");
    }
    const { key: customer } = await account("pro");
    const one = await send(node(0), customer, numbered(1));
    expect(one.status).toBe(202);
    const { createdAt = "", expiresAt = "" } = jsonOf(one) as { createdAt?: string; expiresAt?: string };
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(35 * DAY_MS);
    // The customer gets exactly the rest.
    const rest = FULL.length - 1;
    const all = await Promise.all([0, 1].map((nth) => send(node(nth), customer, numbered(rest))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([202, 503]);
  });
});
