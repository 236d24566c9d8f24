import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { call, outcomes, StoreFixture, TIERS } from "../../../test/kit/stores/fixture.ts";
import { StoreUnavailable } from "../../metering/store.ts";
import { openSqliteState } from "../sqlite/sqliteState.ts";
import type { StateStore } from "../stateStore.ts";
import { Askers } from "./askers.ts";
import { InTurn } from "./inTurn.ts";
import { stateOver } from "./stateOver.ts";

let store: StateStore;
let key: string;
/** The requests of each transaction. */
let transactions: number[];
let askers: Askers;
let doing: InTurn;

beforeEach(async () => {
  const own = await openSqliteState({ path: join(temporaryFolder(), "state.sqlite"), tiers: TIERS });
  onTestFinished(() => own.close());
  transactions = [];
  store = {
    ...own,
    metering: {
      ...own.metering,
      apply(requests) {
        transactions.push(requests.length);
        if (requests.some(({ keyId }) => keyId === "broken")) throw new TypeError("a request is broken");
        return own.metering.apply(requests);
      },
    },
  };
  const fixture = new StoreFixture(async () => own, "2026-05-05T12:00:00.000Z");
  [key = ""] = (await fixture.addAccount(own, "wide")).keyIds;
  askers = new Askers();
  doing = new InTurn(store, askers);
});

function connect(): StateStore {
  const { port1, port2 } = new MessageChannel();
  askers.add(port1, () => doing.wake());
  const state = stateOver(port2);
  onTestFinished(() => state.close());
  return state;
}

const calls = (count: number, keyId = key) => Array.from({ length: count }, () => call(keyId, 0));

it("decides what waits from several threads in one transaction", async () => {
  const states = [connect(), connect(), connect()];
  const asked = states.map((state) => state.metering.apply(calls(2)));
  expect((await Promise.all(asked)).flat()).toHaveLength(6);
  expect(transactions).toEqual([6]);
});

it("answers a thread in one message what is decided in one go", async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port2.close());
  askers.add(port1, () => doing.wake());
  const messages: unknown[] = [];
  const heard = new Promise<void>((resolve) => {
    port2.on("message", (text: string) => {
      messages.push(JSON.parse(text));
      resolve();
    });
  });
  for (const id of [1, 2]) {
    port2.postMessage(JSON.stringify({ kind: "charge", id, requests: calls(id), takesEarly: false }));
  }
  await heard;
  expect(messages).toEqual([
    [
      expect.objectContaining({ kind: "decided", id: 1 }),
      expect.objectContaining({ kind: "decided", id: 2 }),
    ],
  ]);
});

it("tells who asked that an answer cannot be written, and answers the others", async () => {
  const state = connect();
  // What JSON cannot hold.
  Object.assign(store, { probe: async () => 1n });
  const [probed, decided] = [state.probe(), state.metering.apply(calls(1))];
  await expect(probed).rejects.toThrow("BigInt");
  expect(await decided).toHaveLength(1);
});

it("lets a thread that asks without end hold up nobody", async () => {
  const [greedy, modest] = [connect(), connect()];
  const answered: string[] = [];
  const asked = Array.from({ length: 40 }, () =>
    greedy.metering.apply(calls(100)).then(() => answered.push("greedy")),
  );
  await modest.metering.apply(calls(1)).then(() => answered.push("modest"));
  // One transaction at most is ahead, and holds no more than its share.
  expect(answered.length).toBeLessThanOrEqual(23);
  await Promise.all(asked);
  expect(Math.max(...transactions)).toBeLessThan(1_024 + 100);
});

it("does one call of each thread in turn, and what one thread asks in its order", async () => {
  const [one, other] = [connect(), connect()];
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  await Promise.all([
    one.probe().then(note("one 1")),
    one.probe().then(note("one 2")),
    one.metering.apply(calls(1)).then(note("one 3")),
    one.probe().then(note("one 4")),
    other.probe().then(note("other 1")),
    other.probe().then(note("other 2")),
  ]);
  expect(order.filter((name) => name.startsWith("one"))).toEqual(["one 1", "one 2", "one 3", "one 4"]);
  expect(order.indexOf("other 2")).toBeLessThan(order.indexOf("one 4"));
});

it("has a request that the program fails with fail alone", async () => {
  const [wrong, right] = [connect(), connect()];
  const failed = wrong.metering.apply(calls(1, "broken"));
  const granted = outcomes(right.metering.apply(calls(2)));
  await expect(failed).rejects.toThrow("a request is broken");
  await expect(failed).rejects.not.toBeInstanceOf(StoreUnavailable);
  expect(await granted).toEqual(["granted 0", "granted 0"]);
});

it("forgets a thread whose port has closed, and serves on", async () => {
  const { port1, port2 } = new MessageChannel();
  askers.add(port1, () => doing.wake());
  const gone = new Promise((resolve) => port1.on("close", resolve));
  const state = connect();
  port2.postMessage(JSON.stringify({ kind: "charge", id: 1, requests: calls(3), takesEarly: false }));
  port2.close();
  await gone;
  expect(await outcomes(state.metering.apply(calls(1)))).toEqual(["granted 0"]);
  askers.take();
  expect(askers.requests).toBe(0);
});

it("does what waits before it is closed, and nothing that comes later", async () => {
  const state = connect();
  const asked = state.metering.apply(calls(2));
  const finished = doing.finish();
  const late = state.probe();
  await finished;
  expect(await asked).toHaveLength(2);
  askers.close();
  await expect(late).rejects.toBeInstanceOf(StoreUnavailable);
});
