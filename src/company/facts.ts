import type { LeiFacts } from "../contract/identifiers.ts";
import type { KvkNumber } from "../contract/numbers.ts";
import type { Address, Branch, Company, PlainFact } from "../contract/resources.ts";

type Stated = Pick<Company, Exclude<PlainFact, "kvkNumber"> | "activities" | "employees">;
type StatedFacts = {
  readonly [Name in keyof Stated]: Stated[Name] extends readonly (infer Item)[] | undefined
    ? readonly Item[]
    : Stated[Name];
};

/**
 * The data of one origin about one company: the fields of the contract, and more. A field that the origin does not have
 * is absent, which is not the same as empty: `activities: []` means that there are none, no `activities` that they are
 * unknown.
 */
export interface CompanyFacts extends StatedFacts {
  readonly kvkNumber: KvkNumber;
  readonly address?: FactsAddress;
  readonly branches?: readonly FactsBranch[];
  /** The LEI; the other identifiers follow from other facts. */
  readonly identifiers?: LeiFacts;
  /** As the origin gives it, not derived from other numbers; normalised: `NL123456782B01`. */
  readonly vatNumber?: string;
}

/** The place of an address. Answers have it next to the address. */
export type Geo = Pick<Company, "location" | "bagId">;

/** An address with its place, so that both have one origin and are shielded together. */
export interface LocatedAddress extends Address {
  readonly geo?: Geo;
}

export interface FactsBranch extends Omit<Branch, "address" | keyof Geo> {
  address?: LocatedAddress;
}

/** An address with its kind. A merged company gets a visiting address rather than one for correspondence. */
export interface FactsAddress extends LocatedAddress {
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
