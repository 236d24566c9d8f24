import type { LedgerOperation } from "../contract/prices.ts";
import { isListedOrigin } from "../lib/origins.ts";
import type { DailyCap } from "./dailyCap.ts";

/** What a key for browsers may do, and where: anybody can copy it out of a page. */
export interface BrowserKey {
  /** The origins of pages that it may be used from, separated by commas, as `lib/origins.ts` compares them. */
  readonly origins: string;
  readonly mayLookUp: boolean;
  readonly cap: DailyCap;
}

/** Where a call of a browser comes from. */
export interface BrowserCaller {
  /** The page's origin; absent where the browser told none. */
  readonly origin?: string | undefined;
}

/** Whether something may be called with what anybody can copy. What leads nowhere (`other`) is answered as such. */
export function mayBrowserCall(operation: LedgerOperation, mayLookUp: boolean): boolean {
  return operation === "autocomplete" || operation === "other" || (operation === "lookup" && mayLookUp);
}

/** Why a call with a key for browsers is refused, whatever it asks for; `undefined` when it is not. */
export function browserDenial(
  key: BrowserKey,
  caller: BrowserCaller | undefined,
  operation: LedgerOperation,
): "origin" | "scope" | undefined {
  if (!isListedOrigin(caller?.origin, key.origins)) return "origin";
  return mayBrowserCall(operation, key.mayLookUp) ? undefined : "scope";
}
