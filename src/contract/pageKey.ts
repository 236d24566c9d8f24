import { type LedgerOperation, PRICES } from "./prices.ts";

/**
 * The key that the account page's own calls are charged to, one per account. It cannot be used to call the API, because
 * it is stored without a real hash. It is not listed, does not count towards the limit of keys, and cannot be revoked.
 */
const ID_START = "page_";

/** Stored as its prefix. */
export const PAGE_KEY_PREFIX = "page";
/** Its name for readers of the ledger. */
export const PAGE_KEY_NAME = "this page";
/** The default limit of calls per minute of the page for an account, whatever its plan allows each key. */
export const PAGE_CALLS_PER_MINUTE = 60;

/** The id of the page key of an account. */
export function pageKeyOf(accountId: string): string {
  return ID_START + accountId;
}

/** Whether an id belongs to a page key. */
export function isPageKey(keyId: string): boolean {
  return keyId.startsWith(ID_START);
}

/**
 * Whether a call is free and made by the page, as when a person opens a screen. Such calls are counted, but not listed.
 */
export function isPageView(keyId: string, operation: LedgerOperation): boolean {
  return isPageKey(keyId) && operation !== "other" && PRICES[operation] === 0;
}
