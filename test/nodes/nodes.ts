import type { Answer, TestRequest } from "../kit/answer.ts";
import { jsonOf } from "../kit/answer.ts";
import { ask, load } from "../kit/client.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { amount } from "../kit/thorough.ts";
import { awayFromMonthEnd } from "../kit/until.ts";
import { makeWorld, type World, type WorldOptions } from "../kit/world.ts";

export const NODES = 2;
/** Processes per node. Workers that share a port are tested in every run by test/running/workers.test.ts. */
export const WORKERS = amount({ ordinary: 1, thorough: 2 });
/** Load connections to each node. */
export const CONNECTIONS = 32;

export interface Nodes {
  readonly world: World;
  readonly all: readonly Service[];
  /** Starts another node with a single process. */
  start(): Promise<Service>;
  /** Calls each node over separate connections until `calls` ends. @throws {Error} if a call got no response */
  load(
    calls: (node: number) => Iterable<TestRequest>,
    options?: {
      onAnswer?: (answer: Answer, request: TestRequest) => void;
      connections?: number;
      pauseMs?: number;
    },
  ): Promise<readonly Answer[]>;
  used(key: string): Promise<number>;
}

/** Nodes that start concurrently on a new database. */
export async function startNodes(
  tiers: NonNullable<WorldOptions["tiers"]> = {},
  environment: NonNullable<WorldOptions["environment"]> = {},
): Promise<Nodes> {
  const server = await sharedPostgres();
  const DATABASE_URL = await server.newDatabase("nodes");
  const world = await makeWorld({
    tiers,
    environment: { ...environment, DATABASE_URL, WORKERS: String(WORKERS) },
  });
  await awayFromMonthEnd();
  const all = await Promise.all(Array.from({ length: NODES }, () => startService(world)));
  return {
    world,
    all,
    start: () => startService({ environment: { ...world.environment, WORKERS: "1" } }),
    async load(calls, { onAnswer = () => {}, connections = CONNECTIONS, pauseMs = 0 } = {}) {
      const loads = all.map((node, index) =>
        load(node, calls(index), {
          connections,
          pauseMs,
          onAnswer: (answer, _, request) => {
            onAnswer(answer, request);
            return true;
          },
        }),
      );
      const loaded = await Promise.all(loads);
      const unanswered = loaded.flatMap((one) => one.unanswered);
      if (unanswered.length > 0) throw new Error(`${unanswered.length} calls were not answered`);
      return loaded.flatMap(({ answers }) => answers);
    },
    async used(key) {
      const [node] = all;
      if (node === undefined) throw new Error("no node runs");
      const usage = jsonOf(await ask(node, { path: "/v1/usage", key }));
      return (usage as { tokens: { used: number } }).tokens.used;
    },
  };
}
