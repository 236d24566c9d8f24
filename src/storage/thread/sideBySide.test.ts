import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { call, StoreFixture, TIERS } from "../../../test/kit/stores/fixture.ts";
import { until } from "../../../test/kit/until.ts";
import type { Decision, TellEarly } from "../../metering/store.ts";
import { StoreUnavailable } from "../../metering/store.ts";
import { openSqliteState } from "../sqlite/sqliteState.ts";
import type { StateStore } from "../stateStore.ts";
import { Askers } from "./askers.ts";
import { SideBySide } from "./sideBySide.ts";
import { stateOver } from "./stateOver.ts";

/** A batch at the store, which ends when the test says so. */
interface Batch {
  readonly requests: number;
  readonly tellEarly: TellEarly | undefined;
  readonly decisions: readonly Decision[];
  end(error?: Error): void;
}

let batches: Batch[];
let key: string;
let probes: (() => void)[];
let askers: Askers;
let doing: SideBySide;

beforeEach(async () => {
  const own = await openSqliteState({ path: join(temporaryFolder(), "state.sqlite"), tiers: TIERS });
  onTestFinished(() => own.close());
  batches = [];
  probes = [];
  const store: StateStore = {
    ...own,
    probe: () => new Promise((resolve) => probes.push(resolve)),
    metering: {
      ...own.metering,
      async apply(requests, tellEarly) {
        const decisions = await own.metering.apply(requests);
        return new Promise((resolve, reject) => {
          const end = (error?: Error) => (error === undefined ? resolve(decisions) : reject(error));
          batches.push({ requests: requests.length, tellEarly, decisions, end });
        });
      },
    },
  };
  const fixture = new StoreFixture(async () => own, "2026-05-05T12:00:00.000Z");
  [key = ""] = (await fixture.addAccount(own, "wide")).keyIds;
  askers = new Askers();
  doing = new SideBySide(store, askers, { batchesAtOnce: 2, worthABatch: 4 });
});

function connect(): StateStore {
  const { port1, port2 } = new MessageChannel();
  askers.add(port1, () => doing.wake());
  onTestFinished(() => {
    port2.close();
  });
  return stateOver(port2);
}

const calls = (count: number) => Array.from({ length: count }, () => call(key, 0));
const batch = (index: number) => until(`batch ${index}`, () => batches[index]);

it("gathers what several threads ask while batches are at the store, as many as are worth one", async () => {
  const [one, other] = [connect(), connect()];
  const first = one.metering.apply(calls(1), () => {});
  await batch(0);
  const second = [one.metering.apply(calls(2), () => {}), other.metering.apply(calls(2), () => {})];
  expect((await batch(1)).requests).toBe(4);
  const third = [one.metering.apply(calls(9), () => {}), other.metering.apply(calls(9), () => {})];
  for (const { end } of batches) end();
  await Promise.all([first, ...second]);
  expect((await batch(2)).requests).toBe(18);
  batches[2]?.end();
  expect((await Promise.all(third)).map(({ length }) => length)).toEqual([9, 9]);
});

it("tells early what is decided early, each thread of its own, and of the rest what came of it", async () => {
  const [one, other] = [connect(), connect()];
  const early: (readonly (Decision | undefined)[])[] = [];
  const asked = one.metering.apply(calls(1), () => {});
  const { end } = await batch(0);
  const whole = one.metering.apply([call(key, 1), call(key, 1)], () => {});
  const part = other.metering.apply(calls(3), (told) => early.push(told));
  const { tellEarly, decisions, end: endLater } = await batch(1);
  expect(decisions).toHaveLength(5);
  const open = decisions.findIndex((decision) => decision.outcome === "granted" && decision.charged === 0);
  tellEarly?.(decisions.map((decision, index) => (index === open ? undefined : decision)));
  await until("the early ones are told", () => early.length === 1);
  expect(early[0]?.map((decision) => decision?.outcome)).toEqual([undefined, "granted", "granted"]);
  // All of the other's is decided, so that it is told for good.
  expect(await whole).toHaveLength(2);
  endLater(new StoreUnavailable("the test says so"));
  await expect(part).rejects.toThrow("the test says so");
  end();
  await asked;
});

it("decides all or nothing for a thread that takes nothing early", async () => {
  const state = connect();
  const asked = state.metering.apply(calls(2));
  const { tellEarly, end } = await batch(0);
  expect(tellEarly).toBeUndefined();
  end();
  expect(await asked).toHaveLength(2);
});

it("begins so many calls, one of each thread in turn, and the next as one ends", async () => {
  // Time stands still: nobody is refused for having waited too long.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const [greedy, modest] = [connect(), connect()];
  const asked = Array.from({ length: 40 }, () => greedy.probe());
  await until("calls are at the store", () => probes.length > 0);
  const modestly = modest.probe();
  let isAnswered = false;
  void modestly.then(() => {
    isAnswered = true;
  });
  let ended = 0;
  await until("the modest one is answered", () => {
    const end = isAnswered ? undefined : probes.shift();
    if (end !== undefined) ended += 1;
    end?.();
    return isAnswered;
  });
  // It waited for the sixteen that were begun and for its turn beside one other, not for forty.
  expect(ended).toBeLessThan(30);
  const end = setInterval(() => {
    for (const one of probes.splice(0)) one();
  }, 10);
  await Promise.allSettled(asked);
  clearInterval(end);
});

it("refuses a call that has waited for two seconds behind others", async () => {
  const state = connect();
  const asked = Array.from({ length: 17 }, () => state.probe());
  await expect(asked.at(-1)).rejects.toThrow("too many calls wait for the database");
  for (const end of probes.splice(0)) end();
  await Promise.all(asked.slice(0, -1));
});
