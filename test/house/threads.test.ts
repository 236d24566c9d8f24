/** Four threads ask one house: what one thread did alone is done once, and what must be known everywhere is. */
import { describe, expect, it } from "vitest";
import { paidCalls, startKvk } from "../kit/kvk.ts";
import { forty } from "../kit/kvkSimulator.ts";
import { until } from "../kit/until.ts";
import { REGISTERED, requestsFor, startVies } from "../kit/vies.ts";
import { numberOf } from "../kit/viesResults.ts";
import { makeWorld } from "../kit/world.ts";
import { openHouseOnThreads } from "./threads.ts";

const NOON = Date.UTC(2026, 2, 15, 12, 0, 10);
const PER_STATE = 3;

const [vies, kvk] = await Promise.all([startVies({ companyOf: () => REGISTERED }), startKvk()]);
const world = await makeWorld({
  companies: [],
  environment: {
    VIES_URL: vies.url,
    VIES_PER_STATE: String(PER_STATE),
    VIES_DEADLINE_MS: "30000",
    KVK_API_URL: kvk.url,
    KVK_API_KEY: kvk.apiKey,
    KVK_SEARCHES_PER_MINUTE: "6",
  },
});
const account = await world.account("plenty");
const { house, state, threads } = await openHouseOnThreads(world, 4);
const [one, two, three, four] = threads as [
  (typeof threads)[number],
  (typeof threads)[number],
  (typeof threads)[number],
  (typeof threads)[number],
];
const companies = forty(kvk);

describe("VIES, asked from four threads", () => {
  it("hears once of a number that a hundred callers want, and every thread holds its answer", async () => {
    const number = numberOf("PL", 1);
    const told = await Promise.all(threads.map((thread) => thread.do("verdicts", Array(25).fill(number))));
    for (const verdict of told.flat()) expect(verdict).toMatchObject({ status: "validated", valid: true });
    expect(told.flat()).toHaveLength(100);
    expect(requestsFor(vies, number.vatNumber)).toBe(1);
    for (const thread of threads) {
      expect(await thread.do("fromMemory", number)).toMatchObject({ status: "validated", valid: true });
    }
  });

  it("has never more calls of a state under way than the setting allows for all of them", async () => {
    vies.setFault("PL", { kind: "latency", ms: 20 });
    const told = await Promise.all(
      threads.map((thread, nth) =>
        thread.do(
          "verdicts",
          Array.from({ length: 6 }, (_, index) => numberOf("PL", 10 * (nth + 1) + index)),
        ),
      ),
    );
    vies.setFault("PL", undefined);
    expect(told.flat().filter(({ status }) => status === "validated")).toHaveLength(24);
    expect(vies.counts.states.PL).toMatchObject({ requests: 25, mostInFlight: PER_STATE });
  });

  it("is left alone by all when one of them saw it fail", async () => {
    vies.setFault("BE", { kind: "code", code: "MS_UNAVAILABLE" });
    const fail = () => one.do("verdicts", [numberOf("BE", 1), numberOf("BE", 2)]);
    await fail();
    for (const thread of threads) {
      await until("the thread is told", async () => {
        const shown = await thread.do("shown");
        if (shown.some(({ what, isOpen }) => what === "BE" && isOpen)) return true;
        // On a slow machine its time may be over by now: the next call that fails has it left alone for longer.
        await fail();
        return false;
      });
    }
    const before = vies.counts.states.BE?.requests ?? 0;
    expect(before).toBeGreaterThanOrEqual(5);
    const told = await Promise.all(
      [two, three, four].map((thread, nth) =>
        thread.do(
          "verdicts",
          Array.from({ length: 10 }, (_, index) => numberOf("BE", 10 * (nth + 1) + index)),
        ),
      ),
    );
    expect(new Set(told.flat().map(({ status }) => status))).toEqual(new Set(["unvalidated"]));
    // On a slow machine one of them may be the probe of a breaker that is half open, with its retries: far fewer than the thirty that were asked about.
    expect((vies.counts.states.BE?.requests ?? 0) - before).toBeLessThan(10);
    vies.setFault("BE", undefined);
  });
});

describe("KVK, asked from four threads", () => {
  it("is paid once for a company that a hundred callers want, and every thread holds it", async () => {
    const [{ kvkNumber, name } = { kvkNumber: undefined, name: undefined }] = companies;
    if (kvkNumber === undefined) throw new Error("the simulator has no company");
    const before = paidCalls(kvk);
    const told = await Promise.all(
      threads.map((thread) => thread.do("companies", kvkNumber, account.id, 25)),
    );
    expect(told.flat()).toEqual(Array(100).fill("hit"));
    expect(paidCalls(kvk) - before).toBe(1);
    for (const thread of threads) expect(await thread.do("heldName", kvkNumber)).toBe(name);
  });

  it("is not paid again for a company of which another process paid, when its branches are wanted", async () => {
    const paid = companies.find(({ branches }) => (branches?.length ?? 0) > 1);
    if (paid === undefined) throw new Error("the simulator has no company with branches");
    const { branches: _branches, ...facts } = paid;
    await state.live.keepCompany(paid.kvkNumber, JSON.stringify(facts), Date.now());
    const before = kvk.counts.products.basisprofiel.requests;
    expect(await two.do("branches", paid.kvkNumber, account.id)).toBe("hit");
    expect(kvk.counts.products.basisprofiel.requests).toBe(before);
    expect(kvk.counts.products.vestigingen.requests).toBeGreaterThan(0);
  });

  it("is searched for an account as often as its share allows, by whichever thread", async () => {
    const told = await Promise.all(
      threads.flatMap((thread, nth) =>
        Array.from({ length: 4 }, (_, index) => thread.do("search", `fabel ${nth} ${index}`, account.id)),
      ),
    );
    expect(told.filter((kind) => kind === "hit")).toHaveLength(6);
  });
});

describe("what four threads share", () => {
  it("counts the calls of a client exactly", async () => {
    const told = await Promise.all(
      threads.map((thread) => thread.do("count", "192.0.2.1", 2_000, 3_000, NOON)),
    );
    expect(told.reduce((sum, count) => sum + count)).toBe(3_000);
  });

  it("obeys the list of what must not be told", async () => {
    await state.suppressed.forget({ kvkNumber: "60000001", vatNumbers: [], forgottenAtMs: NOON });
    await until("each thread obeys it", async () =>
      (await Promise.all(threads.map((thread) => thread.do("suppresses", "60000001")))).every(Boolean),
    );
  });

  it("forgets a thread that died: its turns go on, and what it asked is answered to the others", async () => {
    vies.setFault("BG", { kind: "hang" });
    const number = numberOf("BG", 1);
    expect([await four.do("takeTurn"), await four.do("takeTurn")]).toEqual([true, true]);
    const lost = four.do("verdicts", [number]).catch(() => "lost");
    await until("it is asked", () => vies.counts.states.BG?.inFlight === 1);
    const told = one.do("verdicts", [number]);
    const hashed = two.do("hash", "a password");
    await four.kill();
    expect(await lost).toBe("lost");
    await until("it is forgotten", () => house.desk.guests === 3);
    vies.setFault("BG", undefined);
    expect(await told).toMatchObject([{ status: "validated" }]);
    expect(await hashed).toBe(true);
    expect(requestsFor(vies, number.vatNumber)).toBe(1);
  });

  it("leaves nobody waiting when the service drains: who waits for an upstream is told what is held", async () => {
    vies.setFault("PL", { kind: "hang" });
    const waiting = [one, two, three].map((thread, nth) =>
      thread.do("verdicts", [numberOf("PL", 100 + nth)]),
    );
    await until("all are asked", () => vies.counts.states.PL?.inFlight === PER_STATE);
    await house.closeUpstreams();
    for (const told of await Promise.all(waiting)) expect(told).toMatchObject([{ status: "unvalidated" }]);
  });
});
