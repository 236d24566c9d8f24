/**
 * The tables that calls are counted in. Those of live keys and those of test keys have the same columns and nothing else in common: what is
 * read or written of the one never touches the other.
 */
export interface Books {
  readonly months: "account_months" | "test_months";
  readonly reservations: "reservations" | "test_reservations";
  readonly ledger: "ledger" | "test_ledger";
  /** Those of test keys. A live key may have a line that is not in the ledger yet, beside it (`open_day`), as the fast path leaves them. */
  readonly isTest: boolean;
}

export const LIVE_BOOKS = {
  months: "account_months",
  reservations: "reservations",
  ledger: "ledger",
  isTest: false,
} as const satisfies Books;

export const TEST_BOOKS = {
  months: "test_months",
  reservations: "test_reservations",
  ledger: "test_ledger",
  isTest: true,
} as const satisfies Books;

/** The condition on `kind` that a key is counted in these books, in SQL: whoever asks for a key in others does not find it. */
export function isOfBooks({ isTest }: Books): string {
  return isTest ? "= 'test'" : "<> 'test'";
}
