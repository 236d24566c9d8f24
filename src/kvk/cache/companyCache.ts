import { withVersions } from "../../company/activities.ts";
import type { CompanyFacts, FactsBranch, SourcedFacts } from "../../company/facts.ts";
import { isLikelyPlace } from "../../company/places.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import { StoredCache } from "../../lib/storedCache.ts";
import { isJsonObject, known } from "../../lib/values.ts";
import type { LiveQueries } from "../queries/live.ts";
import type { StoredCompany } from "../stored.ts";

/** The stored answer of a live source about one company. */
export interface CachedCompany {
  /** Absent when the source does not know the company. */
  readonly facts?: CompanyFacts;
  /** When the source answered, Unix milliseconds. */
  readonly answeredAtMs: number;
  /** The same, ISO 8601 UTC. */
  readonly answeredAt: string;
  /** Absent when they were not requested. */
  readonly branches?: readonly FactsBranch[];
  readonly branchesAtMs?: number;
}

const MAX_IN_MEMORY = 20_000;

type Store = Pick<LiveQueries, "findCompanies" | "storeCompany" | "storeBranches">;

/** The answers of a live source by KVK number, in memory over the store. */
export class CompanyCache extends StoredCache<CachedCompany> {
  readonly #store: Store;

  constructor(store: Store) {
    super({
      maxInMemory: MAX_IN_MEMORY,
      read: async (kvkNumbers) => {
        const stored = await store.findCompanies(kvkNumbers);
        return stored.map((one) => one && cachedCompany(one));
      },
      isNewer,
    });
    this.#store = store;
  }

  /** Stores an answer, undefined when the company is not known. Durable when the promise is fulfilled. */
  async storeCompany(
    kvkNumber: KvkNumber,
    answer: CompanyFacts | undefined,
    answeredAtMs: number,
  ): Promise<CachedCompany> {
    const facts = answer && withoutBranches(answer);
    const company = await this.keep(
      kvkNumber,
      () =>
        this.#store.storeCompany(kvkNumber, facts === undefined ? null : JSON.stringify(facts), answeredAtMs),
      (before) => ({
        ...known("facts", facts),
        answeredAtMs,
        answeredAt: new Date(answeredAtMs).toISOString(),
        ...(facts !== undefined && known("branches", before?.branches)),
        ...(facts !== undefined && known("branchesAtMs", before?.branchesAtMs)),
      }),
    );
    return answer?.branches === undefined
      ? company
      : this.storeBranches(company, answer, answer.branches, answeredAtMs);
  }

  /** Stores a company's branches, and its facts as updated by them. */
  storeBranches(
    company: CachedCompany,
    answer: CompanyFacts,
    branches: readonly FactsBranch[],
    branchesAtMs: number,
  ): Promise<CachedCompany> {
    const facts = withoutBranches(answer);
    const written = { facts: JSON.stringify(facts), branches: JSON.stringify(branches), branchesAtMs };
    return this.keep(
      answer.kvkNumber,
      () => this.#store.storeBranches(answer.kvkNumber, company.answeredAtMs, written),
      () => ({ ...company, facts, branches, branchesAtMs }),
    );
  }
}

function isNewer(one: CachedCompany, other: CachedCompany): boolean {
  if (one.answeredAtMs !== other.answeredAtMs) return one.answeredAtMs > other.answeredAtMs;
  return (one.branchesAtMs ?? 0) > (other.branchesAtMs ?? 0);
}

function withoutBranches({ branches: _branches, ...facts }: CompanyFacts): CompanyFacts {
  return facts;
}

/** A stored answer as facts of an origin; undefined when the source does not know the company. */
export function sourcedFrom(
  { facts, branches, answeredAt, answeredAtMs }: CachedCompany,
  origin: string,
): SourcedFacts | undefined {
  if (facts === undefined) return undefined;
  const whole = { ...facts, ...known("branches", branches) };
  return { origin, asOf: answeredAt, facts: withVersions(whole, { origin, asOfMs: answeredAtMs }) };
}

/** Parses a stored answer, which this program wrote. */
export function cachedCompany({ facts, answeredAtMs, branches, branchesAtMs }: StoredCompany): CachedCompany {
  return {
    ...(facts !== null && { facts: JSON.parse(facts, withoutDoubtfulCity) as CompanyFacts }),
    answeredAtMs,
    answeredAt: new Date(answeredAtMs).toISOString(),
    ...(branches !== null && {
      branches: JSON.parse(branches, withoutDoubtfulCity) as readonly FactsBranch[],
    }),
    ...(branchesAtMs !== null && { branchesAtMs }),
  };
}

/** Leaves the city out of a shielded address that an earlier version stored, unless it is surely a place. */
function withoutDoubtfulCity(_key: string, value: unknown): unknown {
  if (!isJsonObject(value) || value.isShielded !== true) return value;
  const { city, ...others } = value;
  return typeof city === "string" && isLikelyPlace(city) ? value : others;
}

/** A date in the future was stored while the clock was wrong, so its distance from now counts as the age. */
export function isYoung(atMs: number, forMs: number, nowMs: number): boolean {
  return forMs > 0 && Math.abs(nowMs - atMs) <= forMs;
}
