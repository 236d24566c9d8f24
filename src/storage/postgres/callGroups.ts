import { isPageKey } from "../../contract/pageKey.ts";
import type { LedgerOperation } from "../../contract/prices.ts";
import type { CallRequest, ChargeRequest } from "../../metering/store.ts";
import type { KeyAccounts } from "./keyAccounts.ts";

/** Calls with one key, in the order in which they came: granted together, or none of them. */
export interface CallGroup {
  readonly accountId: string;
  readonly keyId: string;
  readonly calls: readonly IndexedCall[];
}

export interface IndexedCall {
  readonly request: CallRequest;
  /** Among the requests that it came with. */
  readonly index: number;
}

/**
 * For each account whose id is known the calls with which its requests begin, as far as they are made with one key: what one
 * statement can decide side by side.
 */
export function callGroups(requests: readonly ChargeRequest[], keyAccounts: KeyAccounts): CallGroup[] {
  const groups = new Map<
    string,
    { accountId: string; keyId: string; calls: IndexedCall[]; hasEnded: boolean }
  >();
  for (const [index, request] of requests.entries()) {
    // Decided by the node, in books of their own: they stand in nobody's way.
    if (request.isTest === true) continue;
    const accountId = keyAccounts.of(request.keyId);
    if (accountId === undefined) continue;
    let group = groups.get(accountId);
    if (group === undefined) {
      group = { accountId, keyId: request.keyId, calls: [], hasEnded: false };
      groups.set(accountId, group);
    }
    if (request.kind !== "call" || request.keyId !== group.keyId || isForTheNode(request))
      group.hasEnded = true;
    else if (!group.hasEnded) group.calls.push({ request, index });
  }
  return [...groups.values()].filter(({ calls }) => calls.length > 0);
}

/** The requests that are counted in the books of live keys. */
export function liveOf(requests: readonly ChargeRequest[]): readonly ChargeRequest[] {
  return requests.some(({ isTest }) => isTest === true)
    ? requests.filter(({ isTest }) => isTest !== true)
    : requests;
}

/** Of {@link callGroups} those of accounts of which nothing else is asked. */
export function wholeGroups(requests: readonly ChargeRequest[], keyAccounts: KeyAccounts): CallGroup[] {
  const groups = callGroups(requests, keyAccounts);
  const grouped = groups.reduce((sum, { calls }) => sum + calls.length, 0);
  if (grouped === requests.length) return groups;
  const inGroups = new Set(groups.flatMap(({ calls }) => calls.map(({ index }) => index)));
  const others = new Set(
    requests.flatMap(({ keyId, isTest }, index) =>
      isTest === true || inGroups.has(index) ? [] : [keyAccounts.of(keyId)],
    ),
  );
  return groups.filter(({ accountId }) => !others.has(accountId));
}

/**
 * What the fast path does not know: the rate of the page's own key, sessions of typing, answers that are kept, and what a key for
 * browsers may do.
 */
function isForTheNode({ keyId, session, keep, browser }: CallRequest): boolean {
  return isPageKey(keyId) || session !== undefined || keep !== undefined || browser !== undefined;
}

/** What a call is charged: never more than its price. */
export function chargeOf({ charge, price }: CallRequest): number {
  return Math.min(charge, price);
}

/** What a call takes of its key's rate window: nothing when it has its slot already. */
export function slotsOf({ hasSlot }: CallRequest): 0 | 1 {
  return hasSlot === true ? 0 : 1;
}

/** What a group takes of its key's rate window. */
export function callsOf({ calls }: CallGroup): number {
  return calls.reduce((sum, { request }) => sum + slotsOf(request), 0);
}

/** What a group costs, and how much must be there for each of its calls to be covered when its turn comes. */
export function tokensOf({ calls }: CallGroup): { readonly charge: number; readonly price: number } {
  let [charge, price] = [0, 0];
  for (const { request } of calls) {
    price = Math.max(price, charge + request.price);
    charge += chargeOf(request);
  }
  return { charge, price };
}

export interface Line {
  readonly operation: LedgerOperation;
  requests: number;
  tokens: number;
}

/** What is to be filed of a group when it is granted. */
export function linesOf({ calls }: CallGroup): Line[] {
  const lines = new Map<LedgerOperation, Line>();
  for (const { request } of calls) {
    const { operation } = request;
    const line = lines.get(operation) ?? { operation, requests: 0, tokens: 0 };
    line.requests += slotsOf(request);
    line.tokens += chargeOf(request);
    lines.set(operation, line);
  }
  return [...lines.values()];
}
