import type { BasicCompany, Job } from "../api/resources.ts";
import type { Company, VatVerdict } from "../verdicts.ts";

/** The operation for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat` (1); `match` (1) finds the company of each row. */
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
export interface RowCandidate {
  readonly kvkNumber: string;
  readonly name: string;
  /** The other name that fits best, if it is not the main name. */
  readonly matchedName?: string;
  readonly city?: string;
  readonly isActive: boolean;
  /** The probability that it is the company of the row, in percent. */
  readonly score: number;
  readonly match: boolean;
  /** How well each part of the row fits, 0 to 1. */
  readonly features: { readonly [part: string]: number | undefined };
}

/** The result of a row: the best candidate first, at most three. */
export interface MatchedRow {
  readonly decision: "matched" | "ambiguous" | "none";
  readonly candidates: readonly RowCandidate[];
}

interface ResultOf {
  readonly lookup: BasicCompany;
  readonly "lookup.enriched": Company;
  readonly vat: VatVerdict;
  readonly match: MatchedRow;
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
