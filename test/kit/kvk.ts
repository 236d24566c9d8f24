/** The service with its own simulated KVK. */
import { type KvkSimulator, type KvkSimulatorOptions, startKvkSimulator } from "../../src/demo/kvk/server.ts";
import type { ViesSimulatorOptions } from "../../src/demo/vies/server.ts";
import { afterFile } from "./afterFile.ts";
import { type Answer, jsonOf, type TestRequest } from "./answer.ts";
import { ask } from "./client.ts";
import { freePort } from "./freePort.ts";
import { type Served, serveHere } from "./serveHere.ts";
import { type Service, startService } from "./service.ts";
import { startVies } from "./vies.ts";
import { makeWorld, type TestAccount, type World, type WorldOptions } from "./world.ts";

/**
 * Starts a simulator on a port that stays free after it stops; it is stopped after the file's tests. Its rate limit is
 * off: on a busy machine, evenly spaced calls may arrive at once.
 */
export async function startKvk(options: KvkSimulatorOptions = {}): Promise<KvkSimulator> {
  const kvk = await startKvkSimulator({ perSecond: 1_000_000, port: await freePort(), ...options });
  afterFile(() => kvk.stop());
  return kvk;
}

export interface OverKvk {
  readonly kvk: KvkSimulator;
  readonly world: World;
  readonly service: Service;
  /** An account of the tier `plenty`. */
  readonly account: TestAccount;
  get(path: string, key?: string): Promise<Answer>;
  batch(kvkNumbers: readonly string[], more?: object, key?: string): Promise<Answer>;
}

/** The same with a service of this process. */
export type OverKvkHere = Omit<OverKvk, "service"> & { readonly service: Served };

interface OverKvkOptions extends WorldOptions {
  readonly kvk?: KvkSimulatorOptions;
  readonly vies?: ViesSimulatorOptions;
}

/** Starts the program over a simulator, without a snapshot unless companies are given. */
export async function serveOverKvk(options: OverKvkOptions = {}): Promise<OverKvk> {
  const { kvk, world, account } = await prepare(options);
  return { kvk, world, account, ...callsTo(await startService(world), account) };
}

/** The same for tests that only call it, see {@link serveHere}. */
export async function serveOverKvkHere(options: OverKvkOptions = {}): Promise<OverKvkHere> {
  const { kvk, world, account } = await prepare(options);
  return { kvk, world, account, ...callsTo(await serveHere(world), account) };
}

async function prepare(options: OverKvkOptions) {
  const [kvk, vies] = await Promise.all([startKvk(options.kvk), startVies(options.vies)]);
  const world = await makeWorld({
    companies: [],
    ...options,
    environment: {
      VIES_URL: vies.url,
      KVK_API_URL: kvk.url,
      KVK_API_KEY: kvk.apiKey,
      ...options.environment,
    },
  });
  return { kvk, world, account: await world.account("plenty") };
}

/** Calls to a service with the key of an account, unless another is given. */
export function callsTo<S extends Served>(
  service: S,
  account: TestAccount,
): Pick<OverKvk, "get" | "batch"> & { readonly service: S } {
  const call = (asked: Omit<TestRequest, "key">, key: string) => ask(service, { ...asked, key });
  return {
    service,
    get: (path, key = account.key) => call({ path }, key),
    batch: (kvkNumbers, more = {}, key = account.key) =>
      call({ method: "POST", path: "/v1/lookup/batch", body: { kvkNumbers, ...more } }, key),
  };
}

/** The paid calls received so far. */
export function paidCalls({ counts: { products } }: KvkSimulator): number {
  return products.basisprofiel.requests + products.vestigingen.requests + products.vestigingsprofiel.requests;
}

export interface BatchBody {
  readonly results: readonly { readonly kvkNumber: string; readonly name: string }[];
  readonly failed: readonly {
    readonly kvkNumber: string;
    readonly error: { readonly code: string; readonly message: string };
  }[];
  readonly tokensUsed: number;
}

export function batchIn(answer: Answer): BatchBody {
  if (answer.status !== 200) throw new Error(`not a batch: ${answer.status} ${answer.text}`);
  return jsonOf(answer) as BatchBody;
}

/** Numbers unknown to KVK: no company has one near them. */
export function unknownNumbers(count: number, from = 70_000_000): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(from + index));
}
