import type { FastifyInstance } from "fastify";
import { Accounts } from "../../src/accounts/accounts.ts";
import { Passwords } from "../../src/accounts/passwords.ts";
import type { ListOptions } from "../../src/app/compose/parts.ts";
import { composeService } from "../../src/app/compose/service.ts";
import { openState } from "../../src/app/compose/state.ts";
import { type Log, openLog } from "../../src/app/log/log.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { BodyTimes } from "../../src/http/limits.ts";
import type { UnreadTimeouts } from "../../src/http/parts.ts";
import { registryDirectory } from "../../src/registry/paths.ts";
import { openRegistry } from "../../src/registry/registry.ts";
import type { Registry } from "../../src/registry/types.ts";
import { afterFile } from "./afterFile.ts";
import { prepareState } from "./preparedState.ts";
import { makeAccount, type TestAccount, type World } from "./world.ts";

/** The app in this process, on a clock that a test sets. */
export interface InProcess {
  readonly app: FastifyInstance;
  readonly state: StateStore;
  readonly accounts: Accounts;
  account(tierName: string, keyCount?: number): Promise<TestAccount>;
  setClock(nowMs: number): void;
  close(): Promise<void>;
}

export interface InProcessOptions {
  /** The clock's initial time, Unix milliseconds; it moves only by {@link InProcess.setClock}. */
  readonly nowMs?: number;
  /** Receives the service's log; discarded when omitted. */
  readonly log?: Log;
  /** Hashes passwords at production cost, about 50 ms each; otherwise at negligible cost. */
  readonly usesRealHashing?: boolean;
  /** The interval of the allowance check; production's when omitted. */
  readonly allowanceCheckIntervalMs?: number;
  /** Times and DNS servers of lists; production's when omitted. */
  readonly listOptions?: ListOptions;
  /** When connections with unread responses are cut; production's when omitted. */
  readonly unreadTimes?: UnreadTimeouts;
  /** How slowly bodies may arrive; production's when omitted. */
  readonly bodyTimes?: BodyTimes;
  /** A built account page that replaces the real one. */
  readonly pageFolder?: string;
  /** Returns replacements for parts, such as a state or a registry that fails. */
  readonly replace?: (parts: { state: StateStore; registry: Registry }) => Partial<{
    state: StateStore;
    registry: Registry;
  }>;
}

/** In the past, so that nothing timed by the real clock ends within a test. */
export const NOON = Date.UTC(2026, 2, 15, 12, 0, 10);

const CHEAP = { memory: 64, passes: 1, parallelism: 1 };

let emails = 0;

/** Composes the service over a world without listening; closed after the file's tests. */
export async function composeInProcess(world: World, options: InProcessOptions = {}): Promise<InProcess> {
  const settings = readSettings(world.environment);
  if (settings.DATABASE_URL === undefined) await prepareState(settings.DATA_DIR);
  const clock = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const cell = new Float64Array(clock);
  cell[0] = options.nowMs ?? NOON;
  const state = await openState(settings, { clock });
  const registry = await openRegistry(registryDirectory(settings.DATA_DIR));
  const parts = { state, registry, ...options.replace?.({ state, registry }) };
  const { app, meter } = await composeService(settings, {
    ...parts,
    log: options.log ?? openLog({ LOG_LEVEL: "silent" }),
    now: () => cell[0] ?? 0,
    ...(options.usesRealHashing !== true && { passwords: new Passwords({ cost: CHEAP }) }),
    ...(options.pageFolder !== undefined && { pageFolder: options.pageFolder }),
    ...(options.listOptions !== undefined && { listOptions: options.listOptions }),
    unreadTimes: options.unreadTimes,
    bodyTimes: options.bodyTimes,
    ...(options.allowanceCheckIntervalMs !== undefined && {
      allowanceCheckIntervalMs: options.allowanceCheckIntervalMs,
    }),
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await app.close();
    await meter.close();
    await state.close();
    registry.close();
  };
  afterFile(close);
  const accounts = new Accounts(state, settings.TIERS_FILE, { now: () => cell[0] ?? 0 });
  return {
    app,
    state,
    accounts,
    account: (tierName, keyCount) =>
      makeAccount(accounts, `inside-${++emails}@fabel.example`, tierName, keyCount),
    setClock(nowMs) {
      cell[0] = nowMs;
    },
    close,
  };
}
