/** Every route × every kind of caller × every way to end a connection, while the upstreams are slow. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openCommandState, withRows } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { monthStartMs } from "../../src/lib/periods.ts";
import { ask } from "../kit/client.ts";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { startKvk } from "../kit/kvk.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { startVies } from "../kit/vies.ts";
import { makeWorld, type World } from "../kit/world.ts";
import { CALLERS, makeCallers } from "./callers.ts";
import { ENDINGS } from "./endings.ts";
import { everyRoute } from "./routes.ts";

/** Long enough that nothing times out: the test releases hanging calls. */
const FETCH_TIMEOUTS = {
  VIES_DEADLINE_MS: "30000",
  KVK_DEADLINE_MS: "30000",
  KVK_BATCH_DEADLINE_MS: "30000",
};
const ANSWER_LATE_BY_MS = 3;
const ERROR_LEVEL = 50;
const WAITED_TOO_LONG = "too many calls wait for the database";

interface Situation {
  readonly world: World;
  readonly service: Service;
  /** Makes the upstreams hang or slow. */
  readonly slow: () => void;
  /** Releases hanging calls. */
  readonly release: () => void;
}

async function overSlowUpstreams(): Promise<Situation> {
  const [kvk, vies] = await Promise.all([startKvk({ perSecond: 1_000_000 }), startVies()]);
  const environment = {
    ...FETCH_TIMEOUTS,
    SIGNUP: "open",
    VIES_URL: vies.url,
    KVK_API_URL: kvk.url,
    KVK_API_KEY: kvk.apiKey,
    REGISTRY_FRESH_FOR: "3600",
    LOG_LEVEL: "debug",
  };
  const world = await makeWorld({ environment });
  return {
    world,
    service: await startService(world),
    slow: () => {
      kvk.setFault("*", { kind: "hang" });
      vies.setFault("*", { kind: "hang" });
    },
    release: () => {
      kvk.clearFaults();
      vies.clearFaults();
    },
  };
}

async function overASlowStore(): Promise<Situation> {
  const postgres = await sharedPostgres();
  const proxy = await startDatabaseProxy(postgres.port);
  const url = await postgres.database("strangers");
  const vies = await startVies();
  const environment = {
    SIGNUP: "open",
    VIES_URL: vies.url,
    DATABASE_URL: proxy.through(url),
    LOG_LEVEL: "debug",
  };
  const world = await makeWorld({ environment });
  return {
    world,
    service: await startService(world),
    slow: () => proxy.delayAnswers(ANSWER_LATE_BY_MS),
    release: () => proxy.delayAnswers(0),
  };
}

it.each(
  variants(
    [
      ["KVK and VIES hang", overSlowUpstreams],
      ["the store is slow", overASlowStore],
    ] as const,
    { ordinary: 1 },
  ),
)(
  "while %s, no caller's connection ends the process, stalls it or makes its data wrong",
  async (_name, make) => {
    const routes = everyRoute();
    await awayFromMonthEnd();
    const { world, service, slow, release } = await make();
    const { pid } = service.program.child;
    const callers = await makeCallers(world, routes.length);
    const allResponses: string[] = [];
    for (const [place, { name, shows, call }] of routes.entries()) {
      slow();
      const attempts = CALLERS.flatMap((caller) => {
        const proof = shows === "key" ? callers.withKey(caller) : callers.withSession(caller, place);
        return ENDINGS.map((ending) => ({
          waits: ending.waitsForAnswer,
          answer: ending.run(service.port, { ...call, headers: { ...call.headers, ...proof } }),
        }));
      });
      await Promise.all(attempts.filter(({ waits }) => !waits).map(({ answer }) => answer));
      release();
      const responses = await Promise.all(attempts.map(({ answer }) => answer));
      const unanswered = responses.filter(
        (text, nth) => attempts[nth]?.waits === true && !text.startsWith("HTTP/1.1 "),
      );
      expect(unanswered, `${name}: no response after a half-close`).toEqual([]);
      allResponses.push(...responses);
      expect(service.program.child.exitCode, `after ${name}: ${service.program.err()}`).toBeNull();
    }

    expect((await ask(service, { path: "/v1/health" })).status).toBe(200);
    const search = await ask(service, { path: "/v1/search?q=fabelkorst", key: callers.good.key });
    expect(search.status).toBe(200);
    allResponses.push(`x-tokens-charged: ${search.headers["x-tokens-charged"]}`);
    await until("no connection is open", () => openConnections(service.port) === 0);
    expect(service.program.child.pid).toBe(pid);
    const log = service.log();
    // On a slow machine a call may exceed the time limit for a store connection, which is logged.
    const errors = log.filter(
      ({ level, reason }) => Number(level) >= ERROR_LEVEL && reason !== WAITED_TOO_LONG,
    );
    expect(errors).toEqual([]);
    expect(
      log.filter(({ msg }) => msg === "a client disconnected before the response").length,
    ).toBeGreaterThan(0);
    expect(await service.end("SIGTERM")).toBe(0);
    await expectExactLedger(world, callers.good.id, allResponses);
  },
  300_000,
);

/** Established connections to a port of this machine, without the callers' own ends. */
function openConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, own, , state]) => own?.endsWith(local) === true && state === established).length;
}

/** The account's usage equals the ledger, nothing is reserved, and every charge reported to a caller is included. */
async function expectExactLedger(
  world: World,
  accountId: string,
  responses: readonly string[],
): Promise<void> {
  const settings = readSettings(world.environment);
  const reserved = await withRows(settings, async (rows) => {
    const left: unknown[] = [];
    for await (const some of rows.rowsOf("reservations")) {
      left.push(...some.filter((row) => row.given_back === 0));
    }
    return left;
  });
  expect(reserved).toEqual([]);
  const state = await openCommandState(settings);
  try {
    const spent = await state.ledger.spent(accountId);
    expect(spent).toBeDefined();
    if (spent === undefined) return;
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const lines = await state.ledger.lines(
      accountId,
      day(monthStartMs(spent.month)),
      day(monthStartMs(spent.month + 1) - 1),
    );
    const tokens = lines.reduce((sum, line) => sum + line.tokens, 0);
    const requests = lines.reduce((sum, line) => sum + line.requests, 0);
    expect(spent.used).toBe(tokens);
    const charges = responses.flatMap((text) =>
      [...text.matchAll(/^x-tokens-charged: ([0-9]+)/gim)].map(chargeIn),
    );
    expect(charges.length).toBeGreaterThan(0);
    expect(tokens).toBeGreaterThanOrEqual(charges.reduce((sum, charge) => sum + charge, 0));
    expect(requests).toBeGreaterThanOrEqual(charges.length);
  } finally {
    await state.close();
  }
}

function chargeIn(match: RegExpMatchArray): number {
  return Number(match[1]);
}
