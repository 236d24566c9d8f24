import type { CompanyFacts, SourcedFacts } from "../../company/facts.ts";
import type { KvkNumber } from "../../contract/numbers.ts";
import type { Branch } from "../../contract/resources.ts";
import { SingleFlightCache } from "../../lib/singleFlightCache.ts";
import { known } from "../../lib/values.ts";
import type { LiveStore, StoredCompany } from "../store.ts";

/** What is held of a company that a live source was asked for. */
export interface CachedCompany {
  /** Absent: the source knows no such company. */
  readonly facts?: CompanyFacts;
  /** When the source said so, Unix milliseconds. */
  readonly toldAtMs: number;
  /** The same, ISO 8601 UTC. */
  readonly toldAt: string;
  /** Absent: they were not asked for. */
  readonly branches?: readonly Branch[];
  readonly branchesAtMs?: number;
}

/** What is told again and again should cost no question to the store. */
const MAX_IN_MEMORY = 20_000;

type Store = Pick<LiveStore, "findCompanies" | "keepCompany" | "keepBranches">;

/** What a live source told of companies, by KVK number. */
export class CompanyCache<Result> extends SingleFlightCache<CachedCompany, Result> {
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

  /** Keeps a company as it was just told, durable when the promise is fulfilled; undefined: there is none. */
  async keepCompany(
    kvkNumber: KvkNumber,
    told: CompanyFacts | undefined,
    toldAtMs: number,
  ): Promise<CachedCompany> {
    const facts = told && withoutBranches(told);
    const company = await this.keep(
      kvkNumber,
      () => this.#store.keepCompany(kvkNumber, facts === undefined ? null : JSON.stringify(facts), toldAtMs),
      (before) => ({
        ...known("facts", facts),
        toldAtMs,
        toldAt: new Date(toldAtMs).toISOString(),
        ...(facts !== undefined && known("branches", before?.branches)),
        ...(facts !== undefined && known("branchesAtMs", before?.branchesAtMs)),
      }),
    );
    return told?.branches === undefined ? company : this.keepBranches(company, told, told.branches, toldAtMs);
  }

  /** Keeps a company's branches, and its facts as they are with them. */
  keepBranches(
    company: CachedCompany,
    told: CompanyFacts,
    branches: readonly Branch[],
    branchesAtMs: number,
  ): Promise<CachedCompany> {
    const facts = withoutBranches(told);
    const written = { facts: JSON.stringify(facts), branches: JSON.stringify(branches), branchesAtMs };
    return this.keep(
      told.kvkNumber,
      () => this.#store.keepBranches(told.kvkNumber, company.toldAtMs, written),
      () => ({ ...company, facts, branches, branchesAtMs }),
    );
  }
}

function isNewer(one: CachedCompany, other: CachedCompany): boolean {
  if (one.toldAtMs !== other.toldAtMs) return one.toldAtMs > other.toldAtMs;
  return (one.branchesAtMs ?? 0) > (other.branchesAtMs ?? 0);
}

function withoutBranches({ branches: _branches, ...facts }: CompanyFacts): CompanyFacts {
  return facts;
}

/** A stored answer as facts of an origin; undefined when the source does not know the company. */
export function sourcedFrom(
  { facts, branches, toldAt }: CachedCompany,
  origin: string,
): SourcedFacts | undefined {
  return facts && { origin, asOf: toldAt, facts: { ...facts, ...known("branches", branches) } };
}

/** What this program wrote itself, read again. */
export function cachedCompany({ facts, toldAtMs, branches, branchesAtMs }: StoredCompany): CachedCompany {
  return {
    ...(facts !== null && { facts: JSON.parse(facts) as CompanyFacts }),
    toldAtMs,
    toldAt: new Date(toldAtMs).toISOString(),
    ...(branches !== null && { branches: JSON.parse(branches) as readonly Branch[] }),
    ...(branchesAtMs !== null && { branchesAtMs }),
  };
}
