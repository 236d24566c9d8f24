import type { BasicCompany, Job } from "../api/resources.ts";
import type { Company, VatVerdict } from "../verdicts.ts";

/** The operation for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat` (1). */
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

interface ResultOf {
  readonly lookup: BasicCompany;
  readonly "lookup.enriched": Company;
  readonly vat: VatVerdict;
}

/** The result of one number, as for a single call, or its error, which is free. `number` is as it was sent. */
export type ResultLine<Kind extends JobKind = JobKind> =
  | { readonly number: string; readonly result: ResultOf[Kind]; readonly error?: undefined }
  | {
      readonly number: string;
      readonly result?: undefined;
      readonly error: { readonly code: string; readonly message: string };
    };
