/**
 * The key that the account page's own calls are counted under, one for each account. Nobody can present it: what is stored in
 * the place of its hash is none. It is in no list of keys, counts for no limit of them, and cannot be revoked.
 */
const ID_START = "page_";

/** What stands where other keys have the text that they begin with. */
export const PAGE_KEY_PREFIX = "page";
/** What the ledger's readers call it. */
export const PAGE_KEY_NAME = "this page";
/** Calls that the page may make a minute for an account, whatever its plan gives each key, unless the operator says otherwise. */
export const PAGE_CALLS_PER_MINUTE = 60;

/** The id of the page's key of an account. */
export function pageKeyOf(accountId: string): string {
  return ID_START + accountId;
}

/** Whether an id is that of a page's key. */
export function isPageKey(keyId: string): boolean {
  return keyId.startsWith(ID_START);
}
