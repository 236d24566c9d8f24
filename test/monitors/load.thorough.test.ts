/**
 * 100,000 monitored companies and an import that changes 1 % of them: the events come within a minute, and lookups take
 * at most 20 ms longer meanwhile. The median is compared, as a busy machine delays single lookups by more than that;
 * all figures are printed.
 */
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { openCommandState } from "../../src/app/compose/state.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { progressIn } from "../../src/monitors/scans.ts";
import { ask } from "../kit/client.ts";
import { prepareState } from "../kit/preparedState.ts";
import { type Service, startService } from "../kit/service.ts";
import { sharedPostgres } from "../kit/sharedPostgres.ts";
import { until } from "../kit/until.ts";
import { makeWorld } from "../kit/world.ts";
import { eventsAfter, monitorAll, numberedCompanies, ownerOf, version } from "./monitored.ts";

const COMPANIES = numberedCompanies(100_000);
/** The companies that the import changes. */
const CHANGED = COMPANIES.filter((_, nth) => nth % 100 === 0);
const ASK_EVERY_MS = 20;
const QUIET_MS = 30_000;
const WITHIN_MS = 60_000;
const MAX_LONGER_MS = 20;

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Looks up a company every 20 ms until it is stopped. @returns how long the lookups took, in milliseconds */
async function lookingUp(service: Service, key: string, isOver: () => boolean): Promise<Times> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const beganMs = performance.now();
  for (let nth = 0; !isOver(); nth++) {
    const path = `/v1/lookup/${COMPANIES[(nth * 7_919) % COMPANIES.length]}`;
    const askedMs = performance.now();
    running.push(
      ask(service, { path, key }).then(({ status }) => {
        expect(status).toBe(200);
        times.push(performance.now() - askedMs);
      }),
    );
    await wait(Math.max(0, beganMs + (nth + 1) * ASK_EVERY_MS - performance.now()));
  }
  await Promise.all(running);
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

it.each(["embedded", "PostgreSQL"])(
  "delivers 1,000 changes among 100,000 monitors within a minute (%s)",
  async (kind) => {
    const environment =
      kind === "embedded"
        ? {}
        : { DATABASE_URL: await (await sharedPostgres()).newDatabase("many monitors") };
    const world = await makeWorld({ environment, companies: [...version(0, COMPANIES)] });
    const account = await world.account("plenty");
    const owner = ownerOf(account);
    const settings = readSettings(world.environment);
    if (kind === "embedded") await prepareState(settings.DATA_DIR);
    const state = await openCommandState(settings);
    try {
      await monitorAll(state, world, owner, COMPANIES);
      const service = await startService(world);
      const key = account.key;
      // The first comparison, with the snapshot that the monitors were created with, is over.
      await until("the companies were compared", async () => {
        const turn = await state.turns.takeTurn("monitors", 1, 0);
        if (typeof turn === "number") return false;
        return (await state.turns.endTurn(turn, 0)) && progressIn(turn.cursor).serialMs > 0;
      });
      const quietUntilMs = performance.now() + QUIET_MS;
      const quiet = await lookingUp(service, key, () => performance.now() > quietUntilMs);

      let isOver = false;
      const busy = lookingUp(service, key, () => isOver);
      await world.import([...version(1, CHANGED)]);
      const importedMs = performance.now();
      await until("all changes are events", async () => {
        const { unread } = await state.monitors.monitorAccount(owner);
        return unread === CHANGED.length;
      });
      const tookMs = performance.now() - importedMs;
      await until("the comparison is over", () =>
        service.log().some(({ msg }) => msg === "monitored companies were compared with the registry"),
      );
      isOver = true;
      const during = await busy;
      const scan = service
        .log()
        .find(({ msg }) => msg === "monitored companies were compared with the registry");
      console.info(JSON.stringify({ kind, eventsAfterMs: Math.round(tookMs), scan, quiet, during }));
      const events = await eventsAfter(state, owner);
      expect(events.map(({ kvkNumber }) => kvkNumber)).toEqual(CHANGED);
      expect(tookMs).toBeLessThan(WITHIN_MS);
      expect(during.p50 - quiet.p50).toBeLessThan(MAX_LONGER_MS);
    } finally {
      await state.close();
    }
  },
);
