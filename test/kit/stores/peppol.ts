import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KvkNumber } from "../../../src/contract/numbers.ts";
import { NOTHING_SUPPRESSED } from "../../../src/lookup/suppression/suppressed.ts";
import { Observer } from "../../../src/monitors/observer.ts";
import type { StoredPeppol } from "../../../src/peppol/queries.ts";
import { PeppolRechecks } from "../../../src/peppol/recheck.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";
import { deliver, eventsOf, monitor, newCompanies, newOwner } from "./monitorFixture.ts";

const NOW = "2026-05-05T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const DAY_MS = 86_400_000;
const TYPE = "company.peppol_changed";
const TURN = { name: "peppol", claim: 1, cursor: "" };

function answer(
  kvkNumber: string,
  checkedAtMs: number,
  status: StoredPeppol["status"] = "reachable",
): StoredPeppol {
  return { status, asked: [`0106:${kvkNumber}`], checkedAtMs };
}

/** Answers of the Peppol network: storage, weekly checks, and events. */
export function peppolAnswers(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;
  beforeAll(async () => {
    fixture = new StoreFixture(open, NOW);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  const one = () => newCompanies(1)[0] as KvkNumber;
  const found = async (kvkNumber: KvkNumber) => (await store.peppol.findPeppol([kvkNumber]))[0];

  it("are stored unchanged, and an older one replaces nothing", async () => {
    const [number, other] = newCompanies(2) as [KvkNumber, KvkNumber];
    const whole: StoredPeppol = {
      ...answer(number, NOW_MS),
      ...{ participantId: `0106:${number}`, accessPoint: "smp.fabel.example" },
      receives: ["invoice", "busdox-docid-qns::fabel''%"],
    };
    await store.peppol.storePeppol(number, whole);
    await store.peppol.storePeppol(number, answer(number, NOW_MS - 1, "not_registered"));
    expect(await store.peppol.findPeppol([other, number])).toEqual([null, whole]);
    await store.peppol.storePeppol(number, answer(number, NOW_MS + 1, "not_registered"));
    expect(await found(number)).toEqual(answer(number, NOW_MS + 1, "not_registered"));
    expect(await store.peppol.findPeppol([])).toEqual([]);
  });

  it("are deleted with a suppressed company, and not stored again", async () => {
    const number = one();
    await store.peppol.storePeppol(number, answer(number, NOW_MS));
    await store.suppressed.forget({ kvkNumber: number, vatNumbers: [], forgottenAtMs: NOW_MS });
    expect(await found(number)).toBeNull();
    await store.peppol.storePeppol(number, answer(number, NOW_MS + 1));
    expect(await found(number)).toBeNull();
  });

  it("are checked each week for monitors that name the event, once for all accounts", async () => {
    // More than a turn asks about have no answer.
    const missing = newCompanies(45);
    const [old, young, usual] = newCompanies(3) as [KvkNumber, KvkNumber, KvkNumber];
    for (const owner of [await newOwner(fixture, store), await newOwner(fixture, store)]) {
      await monitor(store, owner, [...missing, old, young], { events: ["company.moved", TYPE] });
      await monitor(store, owner, [usual], {});
    }
    await store.peppol.storePeppol(old, answer(old, NOW_MS - 8 * DAY_MS));
    await store.peppol.storePeppol(young, answer(young, NOW_MS - 6 * DAY_MS));
    const asked: string[] = [];
    const rechecks = new PeppolRechecks({
      store: store.peppol,
      verdicts: {
        fromNetwork: async (kvkNumber) => {
          asked.push(kvkNumber);
          if (missing.includes(kvkNumber)) return "no-answer";
          await store.peppol.storePeppol(kvkNumber, answer(kvkNumber, NOW_MS));
          const { checkedAtMs: _, ...shown } = answer(kvkNumber, NOW_MS);
          return { ...shown, checkedAt: NOW };
        },
      },
      now: () => NOW_MS,
    });
    /** All turns until every company had its chance. */
    const round = async () => {
      let cursor: string | undefined = "";
      do ({ cursor } = await rechecks.run({ ...TURN, cursor }, new AbortController().signal));
      while (cursor);
    };
    await round();
    const own = [...missing, old, young, usual] as readonly string[];
    expect(asked.filter((number) => own.includes(number))).toEqual([...missing, old]);
    const again = asked.length;
    await round();
    expect(asked.length).toBe(again);
  });

  it("are deleted after 30 days, whether or not the network is asked", async () => {
    const [kept, expired] = newCompanies(2) as [KvkNumber, KvkNumber];
    await store.peppol.storePeppol(kept, answer(kept, NOW_MS - 30 * DAY_MS));
    await store.peppol.storePeppol(expired, answer(expired, NOW_MS - 30 * DAY_MS - 1));
    // The first call deletes nothing.
    await store.lapsed.deleteLapsed();
    while (await store.lapsed.deleteLapsed());
    expect(await store.peppol.findPeppol([kept, expired])).toMatchObject([{}, null]);
  });

  it("become an event for monitors that name it, not for the others, and only when the status changes", async () => {
    const number = one();
    const [naming, usual] = [await newOwner(fixture, store), await newOwner(fixture, store)];
    await monitor(store, naming, [number], { events: [TYPE] });
    await monitor(store, usual, [number], {});
    const observer = new Observer({
      ...{ store: store.monitors, registry: { current: undefined }, live: undefined, peppol: store.peppol },
      suppressed: NOTHING_SUPPRESSED,
      now: () => fixture.nowMs,
    });
    const seen = async (status: StoredPeppol["status"], atMs: number) => {
      await store.peppol.storePeppol(number, answer(number, atMs, status));
      const answered = await store.monitors.answeredMonitored(atMs, 10);
      expect(answered.map(({ kvkNumber }) => kvkNumber)).toContain(number);
      return (await observer.observe([number])).changes;
    };
    const changes = [];
    for (const [index, status] of (
      ["not_registered", "not_registered", "reachable", "reachable"] as const
    ).entries()) {
      changes.push(await seen(status, NOW_MS + index));
    }
    expect(changes).toEqual([0, 0, 1, 0]);
    await deliver(store, naming);
    await deliver(store, usual);
    expect(await eventsOf(store, usual)).toEqual([]);
    expect(await eventsOf(store, naming)).toMatchObject([
      { type: TYPE, changes: { peppol: { previous: "not_registered", current: "reachable" } } },
    ]);
  });
}
