/**
 * Verdicts on VAT numbers, typed so that `valid` cannot be read before `status` was checked: an outage is no "no", and neither is a number
 * that was never asked.
 */
import type { Company as AnyCompany, Vat, VatValidation } from "./api/resources.ts";

/** Told with VIES's word. `status` and what goes with it differ, the rest is common. */
type Told<Base, Status extends string> = Omit<Base, "status" | "valid" | "validatedAt" | "ageSeconds"> & {
  readonly status: Status;
  /** VIES's word. */
  readonly valid: boolean;
  /** When VIES said so, by its own clock, ISO 8601 UTC. */
  readonly validatedAt: string;
};

/** VIES has no answer now and had this one before. */
type Stale<Base> = Told<Base, "stale"> & {
  /** Seconds since validatedAt. */
  readonly ageSeconds: number;
};

/** Without an answer of VIES there is no `valid`. */
type Untold<Base, Status extends string> = Omit<
  Base,
  "status" | "valid" | "validatedAt" | "ageSeconds" | "name" | "address" | "consultationNumber"
> & { readonly status: Status };

/** The result of `vat()`. Read `status` first. */
export type VatVerdict =
  | Told<VatValidation, "validated">
  | Stale<VatValidation>
  | Untold<VatValidation, "malformed">;

/** The VAT number of a company. Read `status` first. `unvalidated`: VIES does not answer and there is no earlier answer. */
export type CompanyVat =
  | Told<Vat, "validated">
  | Stale<Vat>
  | Untold<Vat, "malformed">
  | Untold<Vat, "unvalidated">;

/** A company with all that is known of it. */
export interface Company extends Omit<AnyCompany, "vat"> {
  /** Its VAT number and what VIES says of it. */
  readonly vat?: CompanyVat;
}
