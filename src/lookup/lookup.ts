import type { BranchesFound, EnrichedFound } from "../company/views.ts";
import type { Coverage } from "../contract/coverage.ts";
import type { InsolvencyResult } from "../contract/insolvency.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { PeppolCheck } from "../contract/peppol.ts";
import type { BasicCompany, BranchList, Company } from "../contract/resources.ts";
import { known } from "../lib/values.ts";
import type { CheckedVatNumber, VatNumber } from "../vat/numbers/parse.ts";
import type { Verdict } from "../vat/verdicts/verdict.ts";
import type { Verdicts } from "../vat/verdicts/verdicts.ts";
import type { Requester } from "../vat/vies/upstream.ts";
import { type Answer, andThen, type LookupResult, type MaybePromise, type NoCourt } from "./answer.ts";
import { BatchLookup, type BatchResult } from "./batch.ts";
import type { Companies } from "./companies.ts";
import { noCourtOf } from "./companyInsolvency.ts";
import { type Additions, withAdditions } from "./companyOpenData.ts";
import { checkPeppol, type PeppolSource, peppolOff, withPeppol } from "./companyPeppol.ts";
import { vatNumberOf, withVerdict } from "./companyVat.ts";
import { allowedVerdict, NOTHING_SUPPRESSED, type Suppressed } from "./suppression/suppressed.ts";
import type { VatQuery } from "./vatQuery.ts";

/** Verdicts, of VIES or of test data. */
export type VerdictSource = Pick<Verdicts, keyof Verdicts>;

export interface LookupParts extends Additions {
  readonly companies: Companies;
  readonly verdicts: VerdictSource;
  /** How long callers wait for a live source. */
  readonly liveWaits: { readonly oneMs: number; readonly batchMs: number };
  readonly suppressed?: Suppressed;
  /** Undefined if Peppol is not asked. */
  readonly peppol?: PeppolSource | undefined;
  /** Called with each verdict that is returned. */
  readonly onVerdict?: (verdict: Verdict) => void;
}

/** Terms of an enriched lookup. */
export interface EnrichedTerms {
  /** Maximum ages of data, milliseconds; undefined leaves them to the operator's settings. */
  readonly maxAgeMs: number | undefined;
  readonly vatMaxAgeMs: number | undefined;
  /** Whether Peppol is asked too. */
  readonly hasPeppol?: boolean;
}

/** The company is known, its branches are not. */
export interface BranchesUnknown {
  readonly kvkNumber: KvkNumber;
  /** The origin of the company. */
  readonly origin: string;
  /** Whether there is a live source, which may return them at another time. */
  readonly hasLiveSource: boolean;
}

/** A verdict on a VAT number. */
export interface VatVerdict {
  /** Normalised. */
  readonly vatNumber: string;
  readonly verdict: Verdict;
  /** Proof of the check in the name of a requester. */
  readonly consultationNumber?: string;
}

/** VIES refuses the requester. */
export interface RequesterRefused {
  readonly requesterRefused: string;
}

/** Lookups over real or test data. */
export type Lookups = Pick<Lookup, keyof Lookup>;

/**
 * One method for each kind of lookup by number. All use the same order: the memory of this process, then the state
 * store, then an upstream. The first returns an answer at once, the second a promise, the third work that begins only
 * when it is paid for.
 */
export class Lookup {
  readonly #parts: LookupParts;
  readonly #suppressed: Suppressed;
  readonly #batches: BatchLookup;

  constructor(parts: LookupParts) {
    this.#parts = parts;
    this.#suppressed = parts.suppressed ?? NOTHING_SUPPRESSED;
    this.#batches = new BatchLookup({ ...parts, deadlineMs: parts.liveWaits.batchMs });
  }

  /** Undefined without a snapshot. */
  get snapshotInfo(): Companies["snapshotInfo"] {
    return this.#parts.companies.snapshotInfo;
  }

  /** The companies of the snapshot; undefined without one, as when only KVK is searched. */
  get coverage(): Coverage | undefined {
    const { companies, origins = [] } = this.snapshotInfo ?? {};
    const sources = origins.map(({ origin: source, ...facts }) => ({ source, ...facts }));
    return companies === undefined ? undefined : { companies, sources };
  }

  basic(kvkNumber: KvkNumber, maxAgeMs: number | undefined): MaybePromise<LookupResult<BasicCompany>> {
    return this.#parts.companies.lookUp("basic", kvkNumber, maxAgeMs, this.#parts.liveWaits.oneMs);
  }

  /**
   * A company with all fields, the verdict on its VAT number, if it has one, KVK's open data and its insolvency.
   * @throws {ApiError} if Peppol is to be asked, and is off
   */
  enriched(
    kvkNumber: KvkNumber,
    { maxAgeMs, vatMaxAgeMs, hasPeppol }: EnrichedTerms,
  ): MaybePromise<LookupResult<Company>> {
    if (hasPeppol === true && !this.hasPeppol) throw peppolOff();
    const company = this.#parts.companies.lookUp(
      "enriched",
      kvkNumber,
      maxAgeMs,
      this.#parts.liveWaits.oneMs,
    );
    const checked = andThen(company, (found) => this.#withVerdict(found, vatMaxAgeMs));
    const completed = andThen(checked, (found) => withAdditions(this.#parts, found));
    if (hasPeppol !== true) return completed;
    return andThen(completed, (found) => withPeppol(found, this.peppol(kvkNumber)));
  }

  /** Whether Peppol is asked here. */
  get hasPeppol(): boolean {
    return this.#parts.peppol !== undefined;
  }

  /** Whether a company is on Peppol. @throws {ApiError} if Peppol is not asked here */
  peppol(kvkNumber: KvkNumber): MaybePromise<LookupResult<PeppolCheck>> {
    const { peppol } = this.#parts;
    if (peppol === undefined) throw peppolOff();
    return checkPeppol(peppol, this.#suppressed, kvkNumber);
  }

  branches(
    kvkNumber: KvkNumber,
    maxAgeMs: number | undefined,
  ): MaybePromise<LookupResult<BranchList | BranchesUnknown>> {
    const company = this.#parts.companies.lookUp(
      "branches",
      kvkNumber,
      maxAgeMs,
      this.#parts.liveWaits.oneMs,
    );
    return andThen(company, (found) => ({ kind: "found", found: this.#branchList(found) }));
  }

  /** Basic companies by numbers as they were sent, each once, in the order of the request. */
  basicBatch(sent: readonly string[]): MaybePromise<BatchResult<BasicCompany>> {
    return this.#batches.lookUp("basic", sent);
  }

  /** The same as {@link enriched} companies. */
  enrichedBatch(sent: readonly string[]): MaybePromise<BatchResult<Company>> {
    return this.#batches.enriched(sent);
  }

  /** The insolvency of companies, by numbers as they were sent. See {@link noCourt}. */
  insolvencies(sent: readonly string[]): MaybePromise<BatchResult<InsolvencyResult>> {
    return this.#batches.insolvencies(sent);
  }

  /** Why the court's register cannot answer; undefined if it can. */
  get noCourt(): NoCourt | undefined {
    return noCourtOf(this.#parts.insolvency);
  }

  /**
   * The verdict on a VAT number. With a requester VIES is always called.
   * @param maxAgeMs maximum age of a stored answer; 0 calls VIES
   */
  verdict(
    { number, requester }: VatQuery,
    maxAgeMs: number | undefined,
  ): MaybePromise<LookupResult<VatVerdict | RequesterRefused>> {
    if (requester !== undefined) return this.#consult(number, requester);
    return andThen(this.#findVerdict(number, maxAgeMs), (verdict) => this.#verdictOn(number, verdict));
  }

  #withVerdict(found: EnrichedFound, maxAgeMs: number | undefined): MaybePromise<LookupResult<Company>> {
    const { company } = found;
    const derived = vatNumberOf(found);
    if (derived === undefined) return { kind: "found", found: company };
    return andThen(this.#findVerdict(derived.number, maxAgeMs), (verdict) => {
      this.#parts.onVerdict?.(verdict);
      return { kind: "found", found: withVerdict(company, derived, verdict) };
    });
  }

  /** A verdict from memory, else from the store, else from VIES. */
  #findVerdict(number: CheckedVatNumber, maxAgeMs: number | undefined): MaybePromise<LookupResult<Verdict>> {
    const { verdicts } = this.#parts;
    const cached = verdicts.fromMemory(number, maxAgeMs);
    if (cached !== undefined) return { kind: "found", found: cached };
    const whenPaid = async () => ({ kind: "found", found: await verdicts.fromVies(number) }) as const;
    return verdicts
      .fromStore([number], maxAgeMs)
      .then(([stored]) => (stored === undefined ? { whenPaid } : { kind: "found", found: stored }));
  }

  #consult(number: CheckedVatNumber, requester: Requester): LookupResult<VatVerdict | RequesterRefused> {
    if (number.check.isMalformed) {
      return this.#verdictOn(number, { status: "malformed", valid: false, checksumValid: false });
    }
    return {
      whenPaid: async ({ accountId }) => {
        const consulted = await this.#parts.verdicts.consult(number, requester, accountId);
        if ("requesterRefused" in consulted) return { kind: "found", found: consulted };
        return this.#verdictOn(number, consulted.verdict, consulted.consultationNumber);
      },
    };
  }

  #verdictOn({ vatNumber }: VatNumber, verdict: Verdict, consultationNumber?: string): Answer<VatVerdict> {
    const allowed = allowedVerdict(this.#suppressed, vatNumber, verdict);
    this.#parts.onVerdict?.(allowed);
    const found = { vatNumber, verdict: allowed, ...known("consultationNumber", consultationNumber) };
    return { kind: "found", found };
  }

  #branchList({ kvkNumber, name, branches, origin }: BranchesFound): BranchList | BranchesUnknown {
    if (branches !== undefined) return { kvkNumber, name, branches };
    return { kvkNumber, origin, hasLiveSource: this.#parts.companies.hasLiveSource };
  }
}
