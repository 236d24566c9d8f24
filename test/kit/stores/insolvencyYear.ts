import { afterAll, expect, it } from "vitest";
import { CourtLoading } from "../../../src/insolvency/loading.ts";
import { CourtReplica } from "../../../src/insolvency/replica.ts";
import type { CourtCase } from "../../../src/insolvency/types.ts";
import { courtCase, kvkNumberOf, ModelCourt } from "../modelCourt.ts";
import { amount } from "../thorough.ts";
import { type OpenStore, StoreFixture } from "./fixture.ts";

const NOW = "2026-01-05T02:30:00.000Z";
const DAY_MS = 86_400_000;
const DAYS = 365;
const SEEDS = amount({ ordinary: 1, thorough: 10 });
/** More than its removals in a day are a tenth of. */
const COMPANIES = 60;

/** Mulberry32. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A day in the court: some cases are declared, changed, ended or removed. */
function live(court: ModelCourt, random: (below: number) => number, next: () => number): void {
  for (let count = random(4); count > 0; count--) {
    court.nowMs += 1_000;
    const { cases, day } = court;
    const found = cases[random(Math.max(1, cases.length))];
    const declared = (of: Partial<CourtCase> = {}): void => {
      const isLegalPerson = random(3) > 0;
      const kvkNumbers = random(6) === 0 ? [] : [kvkNumberOf(random(COMPANIES))];
      court.put(courtCase(next(), { isLegalPerson, kvkNumbers, since: day, ...of }));
    };
    const change = random(12);
    if (found === undefined || change < 4) {
      if (random(8) === 0) court.putPrivate(`R.16/26/${next()} mne`, `16.mne.26.${next()}.R.2100.1.26`);
      else declared();
    } else if (change === 4) court.put({ ...found, endedOn: day });
    else if (change === 5) {
      // A conversion, or a move: one case ends, another begins.
      court.put({ ...found, endedOn: day });
      const { isLegalPerson, kvkNumbers, caseNumber: previousCaseNumber } = found;
      declared({ isLegalPerson, kvkNumbers, previousCaseNumber });
    } else if (change === 6) court.put({ ...found, names: [`Fabel Nieuw ${random(9)} B.V.`], curators: [] });
    else if (change === 7) court.put({ ...found, kvkNumbers: [kvkNumberOf(random(COMPANIES))] });
    else if (change === 8) court.put({ ...found, addresses: [] });
    else if (change === 9) court.put({ ...found, visibleUntil: day });
    else if (change === 10) court.putPrivate(found.id, found.publication);
    else {
      court.remove(found.id);
      // Some are published again.
      court.nowMs += 1_000;
      if (random(3) === 0) court.put(found);
    }
  }
}

/** Whether six months have passed between two days. */
function isSixMonths(from: string, to: string): boolean {
  const [startYear = 0, startMonth = 0, startDay = 0] = from.split("-").map(Number);
  const [year = 0, month = 0, day = 0] = to.split("-").map(Number);
  const months = (year - startYear) * 12 + month - startMonth;
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return months > 6 || (months === 6 && day >= Math.min(startDay, daysInMonth));
}

/** The cases that must be stored after a run: all, except those that may not be kept. */
function expected(court: ModelCourt, before: ReadonlyMap<string, CourtCase>): ReadonlyMap<string, CourtCase> {
  const kept = court.cases.flatMap((found) => {
    const { endedOn } = found;
    if (endedOn === undefined) return [found];
    if (found.isLegalPerson) return isSixMonths(endedOn, court.day) ? [] : [found];
    const wasOpen = before.get(found.id)?.endedOn === undefined;
    if (!before.has(found.id) || !wasOpen || found.kvkNumbers.length === 0) return [];
    const { visibleUntil, previousCaseNumber, ...reduced } = found;
    return [{ ...reduced, names: [], addresses: [], curators: [] }];
  });
  return new Map(kept.map((found) => [found.id, found]));
}

/** A year of the court's register, with outages and processes that are killed. */
export function insolvencyYear(open: OpenStore): void {
  const fixtures: StoreFixture[] = [];
  afterAll(async () => {
    for (const fixture of fixtures) await fixture.close();
  });

  it("equals the court after every run of a year of random changes, outages and kills, and until then is not current", async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomOf(seed);
      const fixture = new StoreFixture(open, NOW);
      fixtures.push(fixture);
      const { court: store } = await fixture.connect();
      const court = new ModelCourt(NOW);
      let last = 0;
      const next = () => ++last;
      for (let day = 0; day < 20; day++) live(court, random, next);
      const inMemory = async () => {
        const replica = new CourtReplica({
          store,
          suppressed: { has: () => false },
          now: () => court.nowMs,
          onError: (error) => {
            throw error;
          },
        });
        await replica.read();
        return replica;
      };
      let [current, notCurrent] = [0, 0];
      let model: ReadonlyMap<string, CourtCase> = new Map();
      let completed = 0;
      let listDay = "";
      const newLoading = () => new CourtLoading({ court, store, paceMs: 0, now: () => court.nowMs });
      let loading = newLoading();
      for (let day = 0; day < DAYS; day++) {
        court.nowMs = Date.parse(NOW) + day * DAY_MS;
        fixture.nowMs = court.nowMs;
        live(court, random, next);
        if (random(30) === 0) court.historyFromMs = court.nowMs - DAY_MS / 2;
        court.isDown = random(15) === 0;
        let callsLeft = random(3) === 0 ? random(8) : Number.POSITIVE_INFINITY;
        for (let isNext = true; ; ) {
          const killing = new AbortController();
          court.onCall = () => {
            if (--callsLeft === 0) killing.abort();
          };
          const { kind } = await loading.step({
            ...{ mayBegin: true, mayList: true, isNext, forMs: 60_000 },
            signal: killing.signal,
          });
          if (kind !== "failed") isNext = false;
          // A killed process is followed by another one.
          if (killing.signal.aborted) loading = newLoading();
          if (kind === "done") {
            model = expected(court, model);
            listDay = court.day;
            completed++;
          }
          const replica = await inMemory();
          if (replica.currency?.isCurrent !== true) notCurrent++;
          else {
            current++;
            const stored = await store.courtCases("", 10_000);
            const message = `seed ${seed}, day ${day}`;
            expect(new Map(stored.map(({ found }) => [found.id, found])), message).toEqual(model);
            const open = [...model.values()].filter(
              ({ endedOn, since, visibleUntil = "9" }) =>
                endedOn === undefined && since !== undefined && visibleUntil >= listDay,
            );
            expect(new Set(open.flatMap(({ kvkNumbers }) => kvkNumbers)), message).toEqual(replica.insolvent);
          }
          if (kind === "done" || (kind === "failed" && !killing.signal.aborted)) break;
        }
        court.isDown = false;
      }
      expect(completed).toBeGreaterThan(250);
      expect(current).toBeGreaterThan(250);
      expect(notCurrent).toBeGreaterThan(50);
      expect(model.size).toBeGreaterThan(COMPANIES);
    }
  });
}
