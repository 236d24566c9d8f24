import type {
  BasicCompany,
  Job,
  MatchCandidate,
  MatchResult,
  Monitor,
  PeppolCheck,
} from "../api/resources.ts";
import type { Company, VatVerdict } from "../verdicts.ts";

/**
 * The operation for each number: `lookup` (1 token), `lookup.enriched` (5), `vat` (1), `monitor` (0), `insolvency`
 * (1) or `peppol` (1); `match` (1) finds the company of each row.
 */
export type JobKind = Job["kind"];

/** A list that the service accepted. */
export interface SubmittedJob<Kind extends JobKind = JobKind> extends Job {
  readonly id: string;
  readonly kind: Kind;
  readonly status: NonNullable<Job["status"]>;
  readonly createdAt: string;
}

/** The result of a dry run: the maximum price of the list. */
export type PricedJob<Kind extends JobKind = JobKind> = Pick<Job, "counts" | "tokens" | "webhook"> & {
  readonly kind: Kind;
};

/** A list: its id, or the returned object, which also types its results. */
export type JobRef<Kind extends JobKind = JobKind> = string | { readonly id: string; readonly kind: Kind };

/** A company that a row may describe. */
export type RowCandidate = MatchCandidate;

/** The result of a row: the best candidate first, at most three. */
export type MatchedRow = Required<Pick<MatchResult, "decision" | "candidates">> & Pick<MatchResult, "notes">;

interface ResultOf {
  readonly lookup: BasicCompany;
  readonly "lookup.enriched": Company;
  readonly vat: VatVerdict;
  readonly match: MatchedRow;
  readonly monitor: Monitor;
  readonly insolvency: Pick<Company, "kvkNumber" | "name" | "insolvency">;
  readonly peppol: PeppolCheck;
}

/** A number as it was sent. */
interface NumberPlace {
  readonly number: string;
  readonly row?: undefined;
  readonly id?: undefined;
}

/** The position of a row in its list, from 1 and without the header, and its id, if it has one. */
interface RowPlace {
  readonly number?: undefined;
  readonly row: number;
  readonly id?: string;
}

/** The result of one number, as for a single call, or of one row; or its error, which is free. */
export type ResultLine<Kind extends JobKind = JobKind> = (Kind extends "match" ? RowPlace : NumberPlace) &
  (
    | { readonly result: ResultOf[Kind]; readonly error?: undefined }
    | { readonly result?: undefined; readonly error: { readonly code: string; readonly message: string } }
  );
