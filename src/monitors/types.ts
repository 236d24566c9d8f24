import type { CompanyFacts } from "../company/facts.ts";
import type { Changes, ChangeType } from "../contract/eventTypes.ts";
import type { InsolvencyType } from "../contract/insolvency.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { PeppolStatus } from "../contract/peppol.ts";
import type { Address } from "../contract/resources.ts";

/**
 * The facts of one origin about one company that monitors compare. An absent field is unknown. A shielded address has
 * only its shown parts.
 */
export interface WatchedFields extends Partial<Omit<CompanyFacts, "kvkNumber" | "address" | "branches">> {
  readonly address?: Address;
  /** At most the first few hundred. */
  readonly branches?: readonly {
    readonly branchNumber: string;
    readonly name?: string;
    readonly city?: string;
  }[];
  readonly insolvency?: InsolvencyType;
  /** The case of the court's register that `insolvency` speaks of: an open one, or the last that has ended. */
  readonly insolvencyCase?: WatchedCase;
  /** Whether it is on Peppol. */
  readonly peppol?: PeppolStatus;
  /** Earlier names of all kinds, the latest last. */
  readonly formerNames?: readonly string[];
  /**
   * The date of the data in which the origin first had these values. `all` holds for every field without a later date
   * of its own.
   */
  readonly since?: Readonly<Record<string, number>>;
}

/** A case as events show it: without names of people. Dates are YYYY-MM-DD. */
export interface WatchedCase {
  readonly since?: string;
  readonly endedOn?: string;
  readonly court: string;
  readonly caseNumber: string;
}

/** How recent facts are. Facts are newer if neither value is smaller and one is larger. Unix milliseconds. */
export interface Recency {
  /** The date of the data. */
  readonly asOfMs: number;
  /** When their snapshot was built; 0 for answers of a live source. */
  readonly serialMs: number;
}

/** The facts of one origin about a monitored company, as last compared. */
export interface Baseline extends Recency {
  readonly kvkNumber: KvkNumber;
  /** `kvk-api`, `kvk-open-data`, `court-register`, `gleif`, `import:<name>` or `demo` */
  readonly origin: string;
  /** The version of {@link WatchedFields}: facts of another version are replaced, not compared. */
  readonly format: number;
  readonly fields: WatchedFields;
}

/** A difference between two baselines of one company. */
export interface ObservedChange {
  readonly type: ChangeType;
  readonly changes: Changes;
}

/** A baseline to store, with the changes since the one that it replaces. */
export interface Observation {
  /**
   * The recency of the replaced baseline; undefined if there is none. The observation counts only if it is still
   * stored.
   */
  readonly replaces: Recency | undefined;
  readonly baseline: Baseline;
  readonly changes: readonly ObservedChange[];
  /**
   * The address is shielded since: its hidden parts are also removed from stored events, pending changes and messages.
   */
  readonly hidesAddress?: true;
}
