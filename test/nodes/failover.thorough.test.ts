/**
 * A primary dies under load and the most advanced standby is promoted: every acknowledged charge is there once, and the
 * service continues.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { afterFile } from "../kit/afterFile.ts";
import { numberIn } from "../kit/answer.ts";
import { ask } from "../kit/client.ts";
import { BAKERY } from "../kit/companies.ts";
import { startDatabaseProxy } from "../kit/databaseProxy.ts";
import { databasesOn, launchPostgres } from "../kit/postgres.ts";
import { startService } from "../kit/service.ts";
import { expectSoundState } from "../kit/soundState.ts";
import { alterSystem, killServer, operate, startStandby } from "../kit/standby.ts";
import { variants } from "../kit/thorough.ts";
import { awayFromMonthEnd, until } from "../kit/until.ts";
import { usedTokens } from "../kit/usage.ts";
import { makeWorld } from "../kit/world.ts";

const FAILOVERS = 4;
const STANDBYS = ["b", "c"];
const CALLERS = 16;
const BEFORE = 200;
const BACK_WITHIN_MS = 5_000;
/** The delay before a refused call is sent again. */
const TRY_AGAIN_MS = 20;

async function receivedBytes(url: string): Promise<number> {
  const { bytes } = await operate<{ bytes: string }>(
    url,
    "select pg_last_wal_receive_lsn() - '0/0'::pg_lsn as bytes",
  );
  return Number(bytes);
}

const ENDS = variants(Array.from({ length: FAILOVERS }, () => ["killed", "silent"] as const).flat(), {
  ordinary: 1,
});

it.each(ENDS)("charges survive the failover of a primary that is %s", async (end) => {
  const primary = await launchPostgres([]);
  afterFile(() => primary.remove());
  const url = await databasesOn(primary.port).newDatabase("opzoek");
  const standbys: string[] = [];
  for (const name of STANDBYS) {
    standbys.push(databasesOn(await startStandby(primary, name)).address("opzoek"));
  }
  // The standbys are copies from before: they require no standby themselves when promoted.
  await alterSystem(url, "synchronous_standby_names", `ANY 1 (${STANDBYS.join(", ")})`);

  const proxy = await startDatabaseProxy(primary.port);
  const hosts = [proxy.through(url), ...standbys].map((one) => new URL(one).host);
  const DATABASE_URL = `${url.replace(new URL(url).host, hosts.join(","))}?target_session_attrs=read-write`;
  const world = await makeWorld({ environment: { DATABASE_URL } });
  const { keys } = await world.account("plenty", 2);
  await awayFromMonthEnd();
  const service = await startService(world);

  let acknowledged = 0;
  let refused = 0;
  let charged = 0;
  let isOver = false;
  let promotedMs = Number.POSITIVE_INFINITY;
  let firstAfterMs: number | undefined;
  /** Calls in sequence, each repeated with the same `Idempotency-Key` until it succeeds. */
  async function call(key: string): Promise<void> {
    while (!isOver) {
      const headers = { "idempotency-key": randomUUID() };
      for (;;) {
        const sentMs = performance.now();
        const answer = await ask(service, { path: `/v1/lookup/${BAKERY}`, key, headers });
        if (answer.status === 200) {
          acknowledged++;
          charged += numberIn(answer, "x-tokens-charged");
          if (sentMs > promotedMs) firstAfterMs ??= performance.now();
          break;
        }
        expect(answer.status).toBe(503);
        refused++;
        await pause(TRY_AGAIN_MS);
      }
    }
  }
  const called = Promise.all(
    Array.from({ length: CALLERS }, (_, index) => call(keys[index % keys.length]?.key ?? "")),
  );
  await until("calls are charged", () => acknowledged > BEFORE);
  if (end === "killed") killServer(primary);
  // Like a machine that lost power: its connections stay open.
  else proxy.fallSilent();
  await until("calls are refused", () => refused > 0);
  // Each acknowledged charge is on at least one of them: the one that received more.
  const received = await Promise.all(standbys.map(receivedBytes));
  const ahead = standbys[received.indexOf(Math.max(...received))] ?? "";
  await operate(ahead, "select pg_promote()");
  promotedMs = performance.now();
  const backMs = (await until("calls are charged again", () => firstAfterMs)) - promotedMs;
  const before = acknowledged;
  await until("many calls are charged", () => acknowledged > before + BEFORE);
  isOver = true;
  await called;

  expect(backMs).toBeLessThan(BACK_WITHIN_MS);
  const used = await usedTokens(service, keys[0]?.key ?? "");
  // A response lost with the primary is sent again free of charge.
  expect(used).toBe(acknowledged);
  expect(charged).toBeLessThanOrEqual(used);
  await expectSoundState(world);
});
