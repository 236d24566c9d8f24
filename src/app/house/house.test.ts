import { MessageChannel } from "node:worker_threads";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/kit/until.ts";
import { numberOf } from "../../../test/kit/viesResults.ts";
import { TurnQueue } from "../../lib/turns.ts";
import { LeftOutCounts } from "../../metering/leftOutCalls.ts";
import { MeterOverloaded } from "../../metering/meter.ts";
import { StoreUnavailable } from "../../metering/store.ts";
import type { FlightResult } from "../../vat/verdicts/flights.ts";
import { TIMED_OUT } from "../../vat/vies/codes.ts";
import { Desk } from "./desk.ts";
import { type House, NOBODY_ELSE, newLimits } from "./house.ts";
import { HouseClosed, houseOver } from "./houseOver.ts";

const PL = numberOf("PL", 0);
const BROUGHT: FlightResult = { result: TIMED_OUT, held: undefined };

/** A house whose flights end when a test says so, with a desk. */
function openHouse() {
  const flights: { readonly deadlineMs: number; readonly end: PromiseWithResolvers<FlightResult> }[] = [];
  const away = new Set<string>();
  const kept: ((vatNumber: string, answers: { last: never }) => void)[] = [];
  const leftOut = new LeftOutCounts();
  let nudges = 0;
  let onSuppressed = () => {};
  let numbers = { kvkNumbers: new Set(["60000001"]), vatNumbers: new Set<string>(), mark: "1" };
  const house: House = {
    vies: {
      flights: {
        permits: (state) => !away.has(state),
        fly(_number, deadlineMs) {
          const end = Promise.withResolvers<FlightResult>();
          flights.push({ deadlineMs, end });
          return end.promise;
        },
        onKept: (listener) => kept.push(listener as (typeof kept)[number]),
      },
      health: async () => "degraded",
      shown: () => [...away].map((what) => ({ what, isOpen: true })),
      day: async () => {
        throw new StoreUnavailable("it is away");
      },
    },
    live: undefined,
    mails: {
      nudge() {
        nudges += 1;
      },
    },
    suppressed: { size: 0, has: () => false, hasVatNumber: () => false, mark: "" },
    limits: newLimits(),
    hashing: new TurnQueue({ atOnce: 1, places: { places: 11 }, mostWaitMs: 60_000 }),
    keys: NOBODY_ELSE,
    leftOut,
  };
  const suppressed = {
    get numbers() {
      return numbers;
    },
    onChange(listener: () => void) {
      onSuppressed = listener;
    },
  };
  const desk = new Desk({ house, suppressed, leftOut });
  onTestFinished(() => desk.close());
  return {
    desk,
    flights,
    away,
    hashing: house.hashing as TurnQueue,
    suppress(kvkNumber: string) {
      numbers = { ...numbers, kvkNumbers: new Set([kvkNumber]), mark: "2" };
      onSuppressed();
    },
    nudges: () => nudges,
    async guest() {
      const { port1, port2 } = new MessageChannel();
      const coming = houseOver(port2, { KVK_DEADLINE_MS: 1_000 });
      desk.serve(port1);
      const guest = await coming;
      onTestFinished(() => guest.close());
      return { ...guest, port: port1 };
    },
  };
}

describe("the house over a port", () => {
  it("waits for who keeps it, and says when that will never be", async () => {
    const { port1, port2 } = new MessageChannel();
    const coming = houseOver(port2, { KVK_DEADLINE_MS: 1_000 });
    port1.close();
    await expect(coming).rejects.toBeInstanceOf(HouseClosed);
  });

  it("gives answers and errors by their class", async () => {
    const { guest, flights } = openHouse();
    const { vies } = await guest();
    const [fine, away, full, broken] = [1, 2, 3, 4].map((ms) =>
      vies.flights.fly(PL, ms * 60_000, undefined, undefined),
    );
    await until("all are asked", () => flights.length === 4);
    expect(flights.map(({ deadlineMs }) => deadlineMs)).toEqual([60_000, 120_000, 180_000, 240_000]);
    flights[0]?.end.resolve(BROUGHT);
    flights[1]?.end.reject(new StoreUnavailable("it is away"));
    flights[2]?.end.reject(new MeterOverloaded("too many"));
    flights[3]?.end.reject(new TypeError("broken"));
    expect(await fine).toEqual(BROUGHT);
    await expect(away).rejects.toEqual(new StoreUnavailable("it is away"));
    await expect(away).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(full).rejects.toBeInstanceOf(MeterOverloaded);
    await expect(broken).rejects.toThrow("broken");
    await expect(vies.day()).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await vies.health()).toBe("degraded");
  });

  it("tells every thread what is left alone before the answer that came of it, and when that is over", async () => {
    const { guest, flights, away } = openHouse();
    const [one, other] = [await guest(), await guest()];
    const asked = one.vies.flights.fly(PL, 60_000, undefined, undefined);
    await until("it is asked", () => flights.length === 1);
    away.add("PL");
    flights[0]?.end.resolve(BROUGHT);
    await asked;
    expect(one.vies.flights.permits("PL")).toBe(false);
    await other.vies.health();
    expect(other.vies.flights.permits("PL")).toBe(false);
    expect(other.vies.flights.permits("DE")).toBe(true);
    expect(other.vies.shown()).toEqual([{ what: "PL", isOpen: true }]);
    away.clear();
    await until("both hear that it is over", () =>
      [one, other].every(({ vies }) => vies.flights.permits("PL")),
    );
  });

  it("tells nobody's answer to whoever waits when either side is closed", async () => {
    const { guest, desk, flights } = openHouse();
    const [one, other] = [await guest(), await guest()];
    const asked = [one, other].map(({ vies }) => vies.flights.fly(PL, 60_000, undefined, undefined));
    const turn = one.hashing.take();
    await until("both have asked", () => flights.length === 2);
    one.close();
    expect(await asked[0]).toBeUndefined();
    await (await turn)?.end();
    await until("it is forgotten", () => desk.guests === 1);
    flights[0]?.end.resolve(BROUGHT);
    desk.close();
    expect(await asked[1]).toBeUndefined();
    expect(await other.vies.flights.fly(PL, 60_000, undefined, undefined)).toBeUndefined();
    expect(await other.hashing.take()).toBeUndefined();
    expect(await other.leftOut.of("acc_1")).toBe(0);
    expect(await other.vies.health()).toBe("down");
    await expect(other.vies.day()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it("gives turns one after the other, and those of who hung up or died to the next", async () => {
    const { guest, hashing } = openHouse();
    const [one, other] = [await guest(), await guest()];
    const first = await one.hashing.take();
    const gone = new AbortController();
    const waiting = one.hashing.take({ gone: gone.signal });
    const next = other.hashing.take();
    await until("both wait", () => hashing.waiting === 2);
    gone.abort();
    expect(await waiting).toBeUndefined();
    await until("one waits", () => hashing.waiting === 1);
    first?.end();
    const held = await next;
    expect(held).toBeDefined();
    const last = one.hashing.take();
    await until("it waits", () => hashing.waiting === 1);
    other.close();
    (await last)?.end();
    expect(await one.hashing.take({ gone: AbortSignal.abort() })).toBeUndefined();
    expect(await hashing.take()).toBeDefined();
  });

  it("tells the others of keys, sums what was left out, nudges who sends mails and obeys the list at once", async () => {
    const { guest, nudges, suppress } = openHouse();
    const [one, other, third] = [await guest(), await guest(), await guest()];
    const told: string[] = [];
    for (const [name, { keys }] of Object.entries({ one, other, third })) {
      keys.listen({
        onEnded: (keyIds) => told.push(`${name} ended ${keyIds.join()}`),
        onChanged: (keyId) => told.push(`${name} changed ${keyId}`),
      });
    }
    one.keys.ended(["key_1", "key_2"]);
    one.keys.changed("key_3");
    await until("both others have heard it", () => told.length === 4);
    expect(told.sort()).toEqual([
      "other changed key_3",
      "other ended key_1,key_2",
      "third changed key_3",
      "third ended key_1,key_2",
    ]);
    for (const { leftOut } of [one, one, other]) leftOut.add("acc_1");
    expect(await other.leftOut.of("acc_1")).toBeGreaterThan(0);
    await until("all are counted", async () => (await third.leftOut.of("acc_1")) === 3);
    expect(await third.leftOut.of("acc_2")).toBe(0);
    other.mails?.nudge();
    await until("the mail is seen", () => nudges() === 1);
    expect([one.suppressed.has("60000001"), one.suppressed.size]).toEqual([true, 1]);
    suppress("60000002");
    await Promise.all([one, other].map(({ vies }) => vies.health()));
    expect([one, other].map(({ suppressed }) => [suppressed.has("60000002"), suppressed.mark])).toEqual(
      Array(2).fill([true, "2"]),
    );
  });

  it("gives up what is never answered, a while after its deadline", async () => {
    const { guest } = openHouse();
    const { vies } = await guest();
    expect(await vies.flights.fly(PL, -4_990, undefined, undefined)).toBeUndefined();
  });
});
