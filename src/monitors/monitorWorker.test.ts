import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { type KvkNumber, kvkNumberOf } from "../contract/numbers.ts";
import type { Currency } from "../insolvency/types.ts";
import { StoreUnavailable } from "../lib/storeErrors.ts";
import type { DeliveryParts } from "./delivery.ts";
import { MonitorWorker, type ScanFigures } from "./monitorWorker.ts";
import { type MonitorProgress, progressIn } from "./scans.ts";
import type { DueAccount } from "./stored.ts";

const SERIAL_MS = 1_000;
const NOW_MS = 20_000 * 86_400_000;
const COMPANIES = Array.from({ length: 500 }, (_, nth) => kvkNumberOf(60_000_000 + nth));

/** The state and the observer of one process, in memory. */
class Stage {
  progress: MonitorProgress = progressIn("");
  isClaimed = false;
  serialMs = SERIAL_MS;
  due: DueAccount[] = [];
  charge: DeliveryParts["meter"]["decideUnawaited"] = async () => ({ outcome: "granted", left: 0 });
  /** Called with the first number of each compared part. */
  onCompare: (first: string) => void | Promise<void> = () => {};
  readonly compared: string[] = [];
  readonly observed: string[] = [];
  readonly court: { currency: Currency | undefined } = { currency: undefined };
  /** Companies whose cases of the court have changed. */
  changedInCourt: readonly { readonly kvkNumber: KvkNumber; readonly atMs: number }[] = [];
  readonly saved: { scanAfter: string; isEnd: boolean }[] = [];
  readonly postponed: string[] = [];
  readonly scans: ScanFigures[] = [];
  readonly errors: unknown[] = [];
  readonly sweeps: number[] = [];
  claims = 0;
  readonly worker: MonitorWorker;

  constructor() {
    const stage = this;
    this.worker = new MonitorWorker({
      store: {
        hasMonitorData: async () => true,
        monitoredCompanies: async (after, limit) =>
          COMPANIES.filter((kvkNumber) => kvkNumber > after)
            .slice(0, limit)
            .map((kvkNumber) => ({ kvkNumber, baselines: [] })),
        answeredMonitored: async () => [],
        changedInCourt: async (sinceMs) => this.changedInCourt.filter(({ atMs }) => atMs >= sinceMs),
        alignMonitors: async () => {},
        dueAccounts: async () => this.due.splice(0),
        postponeAccount: async ({ accountId }) => {
          this.postponed.push(accountId);
        },
        sweepMonitors: async (keepMs) => this.sweeps.push(keepMs) < 3,
      },
      turns: {
        takeTurn: async (name) => {
          this.claims += 1;
          return this.isClaimed ? 1_000 : { name, claim: 1, cursor: JSON.stringify(this.progress) };
        },
        saveTurn: async ({ cursor }) => this.#save(cursor, false),
        endTurn: async ({ cursor }) => this.#save(cursor, true),
      },
      observer: {
        get serialMs() {
          return stage.serialMs;
        },
        observe: async (kvkNumbers) => {
          this.observed.push(...kvkNumbers);
          return { companies: kvkNumbers.length, changes: 0 };
        },
        compare: async (companies) => {
          const first = companies[0]?.kvkNumber ?? "";
          await this.onCompare(first);
          this.compared.push(first);
          return { companies: companies.length, changes: 1 };
        },
      },
      court: this.court,
      meter: { decideUnawaited: (request) => this.charge(request) },
      tiers: {},
      keepMs: 90,
      now: () => NOW_MS,
      onCompared: (scan) => this.scans.push(scan),
      onError: (error) => this.errors.push(error),
      pollEveryMs: 1,
    });
  }

  #save(cursor: string, isEnd: boolean): boolean {
    const progress = progressIn(cursor);
    this.saved.push({ scanAfter: progress.scanAfter, isEnd });
    if (!this.isClaimed) this.progress = progress;
    return !this.isClaimed;
  }
}

const firsts = [0, 200, 400].map((nth) => String(COMPANIES[nth]));
const account = (accountId: string): DueAccount => ({ accountId, keyId: accountId, pendingIds: ["evt_1"] });

it("compares all monitored companies in parts, saves its progress and ends the turn", async () => {
  const stage = new Stage();
  expect(await stage.worker.runTurn(0)).toBe(true);
  expect(stage.compared).toEqual(firsts);
  expect(stage.scans).toMatchObject([{ companies: 500, changes: 3 }]);
  expect(stage.saved.map(({ isEnd }) => isEnd)).toEqual([false, true]);
  expect(stage.progress).toMatchObject({ serialMs: SERIAL_MS, comparedAtMs: NOW_MS, scanSerialMs: 0 });
});

it("continues the comparison of a process that was killed", async () => {
  const stage = new Stage();
  stage.progress = { ...stage.progress, scanSerialMs: SERIAL_MS, scanAfter: String(COMPANIES[199]) };
  await stage.worker.runTurn(0);
  expect(stage.compared).toEqual(firsts.slice(1));
});

it("begins again when another snapshot is opened", async () => {
  const stage = new Stage();
  stage.onCompare = (first) => {
    if (first === firsts[1]) stage.serialMs = SERIAL_MS + 1;
  };
  await stage.worker.runTurn(0);
  expect(stage.compared).toEqual([firsts[0], firsts[1], ...firsts]);
  expect(stage.progress.serialMs).toBe(SERIAL_MS + 1);
});

it("saves its progress every moment, and stops when another process has taken the turn", async () => {
  const stage = new Stage();
  vi.spyOn(performance, "now").mockImplementation(() => stage.compared.length * 300);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  stage.onCompare = () => {
    stage.isClaimed = true;
  };
  await stage.worker.runTurn(0);
  expect(stage.compared).toEqual(firsts.slice(0, 2));
  expect(stage.saved.map(({ scanAfter }) => scanAfter)).toEqual([COMPANIES[399]]);
  expect(await stage.worker.runTurn(0)).toBe(false);
});

it("ends after the current part when it is closed, and ends the turn", async () => {
  const stage = new Stage();
  let closed: Promise<void> | undefined;
  stage.onCompare = () => {
    closed ??= stage.worker.close();
  };
  await stage.worker.runTurn(0);
  await closed;
  expect(stage.compared).toEqual(firsts.slice(0, 1));
  expect(stage.saved.at(-1)).toEqual({ scanAfter: COMPANIES[199], isEnd: true });
});

it("deletes old data until nothing is left", async () => {
  const stage = new Stage();
  await stage.worker.runTurn(0);
  expect(stage.sweeps).toEqual([90, 90, 90]);
});

it("lets the changes of an account wait that has no tokens, or that cannot be charged, and delivers those of others", async () => {
  const stage = new Stage();
  stage.due = ["poor", "broken", "suspended", "paying"].map(account);
  const charged: string[] = [];
  stage.charge = async ({ keyId }) => {
    charged.push(keyId);
    if (keyId === "broken") throw new Error("a broken row");
    return keyId === "suspended"
      ? { outcome: "suspended" }
      : { outcome: "granted", left: Number(keyId === "poor") };
  };
  await stage.worker.runTurn(0);
  expect(charged).toEqual(["poor", "broken", "suspended", "paying"]);
  expect(stage.postponed).toEqual(["poor", "broken", "suspended"]);
  expect(stage.errors).toHaveLength(1);
});

/** Advances the clock until the condition holds. An idle turn waits by the real clock. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await vi.advanceTimersByTimeAsync(1_000);
    await wait(1);
  }
}

it("reports an outage once, and works again afterwards", async () => {
  vi.useFakeTimers();
  try {
    const stage = new Stage();
    let isDown = true;
    stage.onCompare = () => {
      if (isDown) throw new StoreUnavailable("it is down");
    };
    stage.worker.nudge();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stage.errors).toHaveLength(1);
    expect(stage.claims).toBeGreaterThan(5);
    expect(stage.claims).toBeLessThan(20);
    isDown = false;
    await until(() => stage.scans.length === 1 && stage.saved.at(-1)?.isEnd === true);
    stage.onCompare = () => {
      throw new StoreUnavailable("it is down again");
    };
    stage.serialMs += 1;
    await until(() => stage.errors.length === 2);
    const closed = stage.worker.close();
    await vi.advanceTimersByTimeAsync(10_000);
    await closed;
  } finally {
    vi.useRealTimers();
  }
});

it("compares companies whose cases have changed once the court's list is stored as a whole", async () => {
  const stage = new Stage();
  const [first, second] = COMPANIES as [KvkNumber, KvkNumber];
  stage.changedInCourt = [{ kvkNumber: first, atMs: NOW_MS - 20_000 }];
  await stage.worker.runTurn(0);
  expect(stage.observed).toEqual([]);
  stage.court.currency = { isCurrent: true, observedAtMs: NOW_MS - 60_000 };
  await stage.worker.runTurn(0);
  expect(stage.observed).toEqual([first]);
  await stage.worker.runTurn(0);
  expect(stage.observed).toEqual([first]);
  stage.changedInCourt = [
    { kvkNumber: first, atMs: NOW_MS - 20_000 },
    { kvkNumber: second, atMs: NOW_MS },
  ];
  stage.court.currency = { isCurrent: true, observedAtMs: NOW_MS - 1 };
  await stage.worker.runTurn(0);
  expect(stage.observed).toContain(second);
  expect(stage.progress).toMatchObject({ courtListMs: NOW_MS - 1, courtUntilMs: NOW_MS });
});
