import type { Employees } from "../contract/employeesResource.ts";
import type { LegalForm } from "../contract/legalForms.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Activity, Address, Branch } from "../contract/resources.ts";

/**
 * What one origin says about one company. A field that the origin does not hold is absent, which is not the same
 * as empty: `activities: []` says that there are none, no `activities` says that nobody knows.
 */
export interface CompanyFacts {
  readonly kvkNumber: KvkNumber;
  readonly name: string;
  readonly isActive: boolean;
  readonly address?: FactsAddress;
  readonly tradingNames?: readonly string[];
  readonly legalForm?: LegalForm;
  /** YYYY-MM-DD */
  readonly registrationDate?: string;
  /** YYYY-MM-DD */
  readonly deregistrationDate?: string;
  readonly statutoryName?: string;
  readonly rsin?: string;
  readonly nonMailing?: boolean;
  readonly employees?: Employees;
  readonly mainBranchNumber?: string;
  readonly branchCount?: number;
  readonly websites?: readonly string[];
  readonly activities?: readonly Activity[];
  readonly branches?: readonly Branch[];
  /** The VAT number as the registry itself gives it, normalised: `NL123456782B01`. */
  readonly vatNumber?: string;
}

/** An address with its kind: the visiting address wins over the correspondence address. */
export interface FactsAddress extends Address {
  readonly kind: "visiting" | "correspondence";
}

/** Facts with where they come from and the date of the data (ISO 8601 UTC), not of its import. */
export interface SourcedFacts {
  /** `kvk-api`, `gleif`, `import:<name>` or `demo` */
  readonly origin: string;
  readonly asOf: string;
  readonly facts: CompanyFacts;
  /** They are those of an investment fund, which may stand under the number of the company that manages it. */
  readonly isFund?: true;
}
