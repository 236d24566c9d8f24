/** Two services on one PostgreSQL keep together what one promises: exact, durable, at once. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type Asked, codeOf, jsonOf, numberIn } from "../support/answer.ts";
import { ask, load } from "../support/client.ts";
import { BAKERY } from "../support/companies.ts";
import { startPostgres } from "../support/postgres.ts";
import { type Service, startService } from "../support/service.ts";
import { awayFromMonthEnd } from "../support/until.ts";
import { makeWorld, PLENTY, type World } from "../support/world.ts";

const CALLS = 2_000;
const CONNECTIONS = 32;
const KILLS = 5;
const LEFT = [0, 1, 777];
const PATH = `/v1/lookup/${BAKERY}`;

let world: World;
let nodes: readonly Service[];
beforeAll(async () => {
  await awayFromMonthEnd();
  const server = await startPostgres();
  const tiers = LEFT.map((k) => [`has-${k}`, { ...PLENTY, monthlyTokens: k }] as const);
  world = await makeWorld({
    tiers: Object.fromEntries(tiers),
    environment: { DATABASE_URL: await server.database("nodes") },
  });
  // Both find a new database.
  nodes = await Promise.all([startService(world), startService(world)]);
});

async function onAllNodes(calls: (node: number) => Iterable<Asked>): Promise<readonly Answer[]> {
  const loads = nodes.map((node, index) => load(node, calls(index), { connections: CONNECTIONS }));
  const all = await Promise.all(loads);
  expect(all.flatMap(({ unanswered }) => unanswered)).toEqual([]);
  return all.flatMap(({ answers }) => answers);
}

async function usedBy(key: string): Promise<unknown> {
  const [node] = nodes;
  if (node === undefined) throw new Error("no node runs");
  return jsonOf(await ask(node, { path: "/v1/usage", key }));
}

describe.each(LEFT)("with %i tokens left", (k) => {
  it("two nodes deliver exactly so many calls of price 1", async () => {
    const { keys } = await world.account(`has-${k}`, 2);
    const answers = await onAllNodes((node) =>
      Array<Asked>(CALLS / 2).fill({ path: PATH, key: keys[node]?.key }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(k);
    expect(answers.filter((answer) => codeOf(answer) === "QUOTA_EXCEEDED")).toHaveLength(CALLS - k);
    const first = keys[0]?.key ?? "";
    expect(await usedBy(first)).toMatchObject({ tokens: { used: k, remaining: 0 } });
  });

  it("two nodes never deliver more when prices are mixed", async () => {
    const { key } = await world.account(`has-${k}`);
    const paths = [PATH, `${PATH}?enrich=true`];
    const answers = await onAllNodes(() =>
      Array.from({ length: CALLS / 4 }, (_, index) => ({ path: paths[index % 2] ?? PATH, key })),
    );
    const charged = answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
    expect(charged).toBeLessThanOrEqual(k);
    expect(await usedBy(key)).toMatchObject({ tokens: { used: charged } });
  });
});

it("a key that is revoked by a command beside them is refused by both nodes", async () => {
  const { keys } = await world.account("plenty");
  const [made] = keys;
  const look = () => Promise.all(nodes.map((node) => ask(node, { path: PATH, key: made?.key })));
  expect((await look()).map(({ status }) => status)).toEqual([200, 200]);
  await world.withAccounts((accounts) => accounts.revokeKey(made?.id ?? ""));
  expect((await look()).map(({ status }) => status)).toEqual([401, 401]);
});

it(`after ${KILLS} times kill -9 of a node under load every charge that a caller saw is there`, async () => {
  const { key } = await world.account("plenty");
  let seen = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = await startService(world);
    function* calls(): Generator<Asked> {
      for (;;) yield { path: PATH, key };
    }
    const killAt = 20 + 60 * kill;
    const { answers } = await load(victim, calls(), {
      connections: CONNECTIONS,
      onAnswer: (_, count) => {
        if (count === killAt) victim.program.child.kill("SIGKILL");
        return true;
      },
    });
    seen += answers.reduce((sum, answer) => sum + numberIn(answer, "x-tokens-charged"), 0);
  }
  const { tokens } = (await usedBy(key)) as { tokens: { used: number } };
  expect(tokens.used).toBeGreaterThanOrEqual(seen);
  expect(tokens.used).toBeLessThanOrEqual(seen + KILLS * CONNECTIONS);
});
