import type { Employees } from "../contract/employeesResource.ts";
import type { LegalForm } from "../contract/legalForms.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Activity, Address, Branch } from "../contract/resources.ts";

/**
 * The data of one origin about one company. A field that the origin does not have is absent, which is not the same as
 * empty: `activities: []` means that there are none, no `activities` that they are unknown.
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
  /** As the origin gives it, not derived from other numbers; normalised: `NL123456782B01`. */
  readonly vatNumber?: string;
}

/** An address with its kind. A merged company gets a visiting address rather than one for correspondence. */
export interface FactsAddress extends Address {
  readonly kind: "visiting" | "correspondence";
}

/** Facts with their origin and the date of the data (ISO 8601 UTC), not of its import. */
export interface SourcedFacts {
  /** `kvk-api`, `gleif`, `import:<name>` or `demo` */
  readonly origin: string;
  readonly asOf: string;
  readonly facts: CompanyFacts;
  /** An investment fund. Its number may belong to the company that manages it, so other facts replace these. */
  readonly isFund?: true;
}
