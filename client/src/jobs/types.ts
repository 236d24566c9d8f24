/** Lists as their callers see them, each kind with its own results. */
import type { BasicCompany, Job } from "../api/resources.ts";
import type { Company, VatVerdict } from "../verdicts.ts";

/** The operation for each number: `lookup` (1 token), `lookup.enriched` (5) or `vat`, the verdict on a VAT number (1). */
export type JobKind = Job["kind"];

/** A list that was taken. */
export interface SubmittedJob<Kind extends JobKind = JobKind> extends Job {
  readonly id: string;
  readonly kind: Kind;
  readonly status: NonNullable<Job["status"]>;
  readonly createdAt: string;
}

/** The result of a dry run: what the list would cost at most. Nothing was stored. */
export type PricedJob<Kind extends JobKind = JobKind> = Pick<Job, "counts" | "tokens" | "webhook"> & {
  readonly kind: Kind;
};

/** A list by its id, or as it was answered, which also says of what kind its results are. */
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
