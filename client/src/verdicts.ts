/**
 * VAT results, typed so that `valid` cannot be read before `status` was checked, because an outage is not a "no".
 */
import type { Company as AnyCompany, Vat, VatValidation } from "./api/resources.ts";

/** A result of VIES. */
type Answered<Base, Status extends string> = Omit<Base, "status" | "valid" | "validatedAt" | "ageSeconds"> & {
  readonly status: Status;
  /** Whether VIES says the number is valid. */
  readonly valid: boolean;
  /** The time of the VIES result, by its own clock, ISO 8601 UTC. */
  readonly validatedAt: string;
};

/** An earlier result of VIES, which does not answer now. */
type Stale<Base> = Answered<Base, "stale"> & {
  /** Seconds since validatedAt. */
  readonly ageSeconds: number;
};

/** A status without a VIES result, so without `valid`. */
type Unanswered<Base, Status extends string> = Omit<
  Base,
  "status" | "valid" | "validatedAt" | "ageSeconds" | "name" | "address" | "consultationNumber"
> & { readonly status: Status };

/** The result of `vat()`. Read `status` first. */
export type VatVerdict =
  | Answered<VatValidation, "validated">
  | Stale<VatValidation>
  | Unanswered<VatValidation, "malformed">;

/**
 * The VAT number of a company. Read `status` first. `unvalidated`: VIES does not answer and there is no earlier answer.
 */
export type CompanyVat =
  | Answered<Vat, "validated">
  | Stale<Vat>
  | Unanswered<Vat, "malformed">
  | Unanswered<Vat, "unvalidated">;

/** A company with all known data. */
export interface Company extends Omit<AnyCompany, "vat"> {
  /** Its VAT number and the VIES result. */
  readonly vat?: CompanyVat;
}
