import { withVersions } from "../company/activities.ts";
import { asOfToday } from "../company/ending.ts";
import type { SourcedFacts } from "../company/facts.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import { PEPPOL_ORIGIN } from "../contract/peppol.ts";
import type { CourtCases } from "../insolvency/types.ts";
import { cachedCompany, sourcedFrom } from "../kvk/cache/companyCache.ts";
import { KVK_API_ORIGIN, OPEN_DATA_ORIGIN } from "../kvk/liveSource.ts";
import type { StoredOpenData } from "../kvk/openData/queries.ts";
import type { LiveQueries } from "../kvk/queries/live.ts";
import { inSteps, type Steps } from "../lib/steps.ts";
import type { SuppressedCompanies } from "../lookup/suppression/suppressed.ts";
import type { PeppolQueries, StoredPeppol } from "../peppol/queries.ts";
import type { Snapshot } from "../registry/types.ts";
import { compareCompany, type SeenFacts } from "./compare.ts";
import { seenInCourt } from "./courtFacts.ts";
import type { MonitorQueries } from "./queries.ts";
import type { MonitoredCompany } from "./stored.ts";
import type { Baseline, Observation } from "./types.ts";
import { watchedFields } from "./watchedFields.ts";

/** Companies compared in one step, which takes at most 2 ms. */
const IN_A_STEP = 10;
/** Each attempt fails only because another process stored newer facts. */
const MAX_ATTEMPTS = 10;

export interface ObserverParts {
  readonly store: Pick<MonitorQueries, "monitoredAmong" | "recordObservations" | "insolvencies">;
  readonly registry: { readonly current: Pick<Snapshot, "info" | "originsOf"> | undefined };
  /** The stored answers of the live source; undefined without one. */
  readonly live: Pick<LiveQueries, "findCompanies"> | undefined;
  /** The stored answers of the Peppol network; undefined without it. */
  readonly peppol?: Pick<PeppolQueries, "findPeppol"> | undefined;
  /** The court's register; undefined without it. */
  readonly court?: CourtCases | undefined;
  readonly suppressed: SuppressedCompanies;
  /** Unix milliseconds */
  readonly now: () => number;
}

export interface Observed {
  readonly companies: number;
  readonly changes: number;
}

/**
 * Compares monitored companies with their baselines, and stores the changes. Any number of processes may do so at once.
 */
export class Observer {
  readonly #parts: ObserverParts;

  constructor(parts: ObserverParts) {
    this.#parts = parts;
  }

  /** When the current snapshot was built, Unix milliseconds; 0 without one. */
  get serialMs(): number {
    return serialOf(this.#parts.registry.current);
  }

  /** Compares those companies that are monitored. */
  async observe(kvkNumbers: readonly KvkNumber[]): Promise<Observed> {
    return this.compare(await this.#parts.store.monitoredAmong(kvkNumbers));
  }

  /**
   * Compares companies with their baselines until the stored baselines are as new as the facts seen.
   * @throws {StoreUnavailable} (the promise); stored results remain stored.
   */
  async compare(monitored: readonly MonitoredCompany[]): Promise<Observed> {
    const { store } = this.#parts;
    let companies = monitored;
    let changes = 0;
    for (let attempt = 0; companies.length > 0; attempt++) {
      if (attempt === MAX_ATTEMPTS) throw new Error("observations of monitored companies cannot be stored");
      const observations = await this.#observations(companies);
      if (observations.length === 0) break;
      await store.recordObservations(observations);
      changes += observations.reduce((sum, one) => sum + one.changes.length, 0);
      companies = await this.#staleAfterWrite(companies, observations);
    }
    return { companies: monitored.length, changes };
  }

  /** The baselines of companies from the facts known now; none for an unknown company. */
  async baselinesOf(kvkNumbers: readonly KvkNumber[]): Promise<readonly Baseline[]> {
    const monitored = await this.#parts.store.monitoredAmong(kvkNumbers);
    const stored = new Map(monitored.map((company) => [company.kvkNumber, company]));
    const companies = kvkNumbers.map((kvkNumber) => stored.get(kvkNumber) ?? { kvkNumber, baselines: [] });
    const latest = new Map<string, Baseline>();
    const add = (baseline: Baseline) => latest.set(`${baseline.kvkNumber} ${baseline.origin}`, baseline);
    for (const { baselines } of companies) for (const baseline of baselines) add(baseline);
    for (const { baseline } of await this.#observations(companies)) add(baseline);
    return [...latest.values()];
  }

  async #observations(monitored: readonly MonitoredCompany[]): Promise<Observation[]> {
    const { store, live, peppol, court, suppressed, now } = this.#parts;
    const companies = monitored.filter(({ kvkNumber }) => !suppressed.has(kvkNumber));
    const kvkNumbers = companies.map(({ kvkNumber }) => kvkNumber);
    const [answers, records, registrations] = await Promise.all([
      live?.findCompanies(kvkNumbers) ?? [],
      store.insolvencies(kvkNumbers),
      peppol?.findPeppol(kvkNumbers) ?? [],
    ]);
    const today = new Date(now()).toISOString().slice(0, 10);
    const seenAt = (index: number, { kvkNumber, baselines }: MonitoredCompany): SeenFacts[] => {
      const [answer, record] = [answers[index], records[index]];
      const answered = answer && sourcedFrom(cachedCompany(answer), KVK_API_ORIGIN);
      const answeredAtMs = Math.max(answer?.answeredAtMs ?? 0, answer?.branchesAtMs ?? 0);
      const others = [
        ...seenInSnapshot(this.#parts.registry.current, kvkNumber, today),
        ...(answered ? [{ ...seenFacts(answered, today), asOfMs: answeredAtMs }] : []),
        ...(record ? seenInOpenData(record) : []),
      ];
      const registration = registrations[index];
      const onPeppol = registration ? [seenOnPeppol(registration)] : [];
      return [...others, ...onPeppol, ...seenInCourt(court, kvkNumber, baselines, others)];
    };
    return inSteps(
      (function* (): Steps<Observation[]> {
        const observations: Observation[] = [];
        for (const [index, company] of companies.entries()) {
          if (index > 0 && index % IN_A_STEP === 0) yield;
          const { kvkNumber, baselines } = company;
          observations.push(...compareCompany(kvkNumber, baselines, seenAt(index, company)));
        }
        return observations;
      })(),
    );
  }

  /**
   * Returns the companies whose stored baselines differ from those written here, because another process was faster.
   */
  async #staleAfterWrite(
    companies: readonly MonitoredCompany[],
    observations: readonly Observation[],
  ): Promise<readonly MonitoredCompany[]> {
    const observed = new Set(observations.map(({ baseline }) => baseline.kvkNumber));
    const before = companies.filter(({ kvkNumber }) => observed.has(kvkNumber));
    const expected = new Map<string, Baseline>();
    const baselines = before.flatMap((company) => company.baselines);
    for (const one of [...baselines, ...observations.map(({ baseline }) => baseline)]) {
      expected.set(`${one.kvkNumber} ${one.origin}`, one);
    }
    const stored = await this.#parts.store.monitoredAmong([...observed]);
    return stored.filter((company) =>
      company.baselines.some((baseline) => {
        const own = expected.get(`${baseline.kvkNumber} ${baseline.origin}`);
        return own?.asOfMs !== baseline.asOfMs || own.serialMs !== baseline.serialMs;
      }),
    );
  }
}

function serialOf(snapshot: Pick<Snapshot, "info"> | undefined): number {
  return snapshot === undefined ? 0 : Date.parse(snapshot.info.createdAt);
}

function seenInSnapshot(
  snapshot: ObserverParts["registry"]["current"],
  kvkNumber: KvkNumber,
  today: string,
): SeenFacts[] {
  const sourced = snapshot?.originsOf(kvkNumber) ?? [];
  const serialMs = serialOf(snapshot);
  return sourced.map((one) => ({ ...seenFacts(one, today), serialMs }));
}

/** The facts as they are today. */
function seenFacts({ origin, asOf, facts, isFund }: SourcedFacts, today: string): SeenFacts {
  const current = asOfToday(facts, today);
  const endedOn = facts.isActive && !current.isActive ? facts.deregistrationDate : undefined;
  return {
    ...{ origin, asOfMs: Date.parse(asOf) },
    ...(endedOn !== undefined && { endedAtMs: Date.parse(endedOn) }),
    // The number may belong to the company that manages the fund.
    fields: isFund === true ? {} : watchedFields(current),
  };
}

function seenOnPeppol({ status, checkedAtMs }: StoredPeppol): SeenFacts {
  return { origin: PEPPOL_ORIGIN, asOfMs: checkedAtMs, fields: { peppol: status } };
}

function seenInOpenData({ startDate: _, observedAtMs, ...fields }: StoredOpenData): SeenFacts[] {
  if (Object.keys(fields).length === 0) return [];
  const dated = { origin: OPEN_DATA_ORIGIN, asOfMs: observedAtMs };
  return [{ ...dated, fields: withVersions(fields, dated) }];
}
