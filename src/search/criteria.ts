import type { LegalForm } from "../contract/legalForms.ts";

/** The criteria of a search: a company must satisfy all of them. */
export interface SearchCriteria {
  /** Words of a name, or digits: the start of a KVK number or of a word. */
  readonly q?: string;
  /** A whole city; case, accents and punctuation are ignored. */
  readonly city?: string;
  /** The start of a postal code; case and the space are ignored. Never matches a shielded company. */
  readonly postalCode?: string;
  readonly legalForm?: LegalForm;
  /** The start of an SBI code. */
  readonly sbiCode?: string;
  readonly isActive?: boolean;
  /** Whether names with an edit or two are found when no other matches; true by default. */
  readonly fuzzy?: boolean;
  /** From 1. The caller keeps `page` × `pageSize` within 1,000. */
  readonly page: number;
  readonly pageSize: number;
}
