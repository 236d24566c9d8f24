import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { CallRequest } from "../../../src/metering/store.ts";
import { call, type StoreFixture } from "./fixture.ts";

/** An account with keys, and the given number of tokens left of 100. */
export async function withLeft(fixture: StoreFixture, store: StateStore, tokens: number, keyCount = 1) {
  const { accountId, keyIds } = await fixture.addAccount(store, "wide", keyCount);
  const [key = "", other = ""] = keyIds;
  if (tokens < 100) await store.metering.apply([{ ...call(key, 100 - tokens), operation: "autocomplete" }]);
  return { accountId, key, other };
}

/** A call of a typing session. */
export const typed = (keyId: string, session = "s", charge = 1): CallRequest => ({
  ...call(keyId, 1, charge),
  operation: "autocomplete",
  session,
});

export const many = (count: number, request: CallRequest): CallRequest[] =>
  Array.from({ length: count }, () => request);
