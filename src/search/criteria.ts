import type { LegalForm } from "../contract/legalForms.ts";

/** What a search asks for: a company must satisfy all that is given. */
export interface SearchCriteria {
  /** Words of a name, or digits: the start of a KVK number or of a word. */
  readonly q?: string;
  /** A city, whole; case, accents and punctuation do not matter. */
  readonly city?: string;
  /** The start of a postal code; case and the space do not matter. A shielded company is found by none. */
  readonly postalCode?: string;
  readonly legalForm?: LegalForm;
  /** The start of an SBI code. */
  readonly sbiCode?: string;
  readonly isActive?: boolean;
  /** Whether names are found that are misspelled by an edit or two, where no other fits; true when left out. */
  readonly fuzzy?: boolean;
  /** From 1. The caller keeps `page` × `pageSize` within 1,000. */
  readonly page: number;
  readonly pageSize: number;
}
