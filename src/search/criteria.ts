import type { SbiVersion } from "../contract/activities.ts";
import type { LegalForm } from "../contract/legalForms.ts";

/** The criteria of a search. A company must match all of them. */
export interface SearchCriteria {
  /** A name, or the start of a KVK number. */
  readonly q?: string;
  /** A complete city name; case, accents and punctuation are ignored. */
  readonly city?: string;
  /** A postal code or a prefix of one; case and spaces are ignored. Never matches a shielded company. */
  readonly postalCode?: string;
  readonly legalForm?: LegalForm;
  /** An SBI code or a prefix of one. */
  readonly sbiCode?: string;
  /** The version of the SBI code; any by default. */
  readonly sbiVersion?: SbiVersion;
  readonly isActive?: boolean;
  /** Whether to find names with one or two edits when nothing else matches. True by default. */
  readonly fuzzy?: boolean;
  /** From 1. The caller keeps `page` × `pageSize` within 1,000. */
  readonly page: number;
  readonly pageSize: number;
}

/** Criteria with numbers that at most a few companies have. */
export interface FindingCriteria extends SearchCriteria {
  /** With the right check digits. */
  readonly lei?: string;
  /** `NLNHR.51234567` */
  readonly euid?: string;
  /** Legal persons with an open case at the court, or those that certainly have none. */
  readonly insolvent?: boolean;
}
