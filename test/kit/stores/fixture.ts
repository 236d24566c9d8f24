import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Key } from "../../../src/accounts/stored.ts";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import type { KeyKind } from "../../../src/contract/keyKinds.ts";
import type { TierTable } from "../../../src/contract/tiers.ts";
import type {
  CallRequest,
  Decision,
  ReservationRequest,
  SettlementRequest,
} from "../../../src/metering/store.ts";

export const TIERS: TierTable = {
  two: { monthlyTokens: 2, ratePerMinute: 6 },
  small: { monthlyTokens: 20, ratePerMinute: 6 },
  large: { monthlyTokens: 60, ratePerMinute: 40 },
  wide: { monthlyTokens: 100, ratePerMinute: 1_000_000 },
  endless: { monthlyTokens: 1_000_000_000, ratePerMinute: 1_000_000_000 },
};

export interface OpenOptions {
  /** Identifies a shared state: opening it twice gives the same state. Its own empty folder. */
  readonly folder: string;
  readonly tiers: TierTable;
  /** Unix milliseconds in one Float64: the store's only clock. */
  readonly clock: SharedArrayBuffer;
}

/** A stopped clock for a store. */
export function clockAt(nowMs: number): SharedArrayBuffer {
  const clock = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  new Float64Array(clock)[0] = nowMs;
  return clock;
}

export type OpenStore<Store extends StateStore = StateStore> = (options: OpenOptions) => Promise<Store>;

/** One state in its own folder, with a clock that tests set; all its connections are closed at the end. */
export class StoreFixture<Store extends StateStore = StateStore> {
  readonly #open: OpenStore<Store>;
  #folder: string | undefined;
  readonly #clock = new SharedArrayBuffer(8);
  readonly #opened: Store[] = [];
  #count = 0;

  constructor(open: OpenStore<Store>, nowIso: string) {
    this.#open = open;
    this.nowIso = nowIso;
  }

  set nowIso(text: string) {
    this.nowMs = Date.parse(text);
  }

  get nowMs(): number {
    return new Float64Array(this.#clock)[0] ?? 0;
  }

  set nowMs(nowMs: number) {
    new Float64Array(this.#clock)[0] = nowMs;
  }

  /** Opens another connection to this fixture's state. */
  async connect(): Promise<Store> {
    this.#folder ??= mkdtempSync(join(tmpdir(), "opzoek-state-"));
    const store = await this.#open({ folder: this.#folder, tiers: TIERS, clock: this.#clock });
    this.#opened.push(store);
    return store;
  }

  /** A new account with keys; ids are unique on this fixture. */
  async addAccount(
    store: StateStore,
    tierName: string,
    keyCount = 1,
  ): Promise<{ accountId: string; keyIds: string[] }> {
    const accountId = `acc_${++this.#count}`;
    const createdAt = new Date(this.nowMs).toISOString();
    const email = `${accountId}@example.test`;
    await store.accounts.add({ id: accountId, email, tierName, isSuspended: false, createdAt });
    const keyIds: string[] = [];
    for (let index = 0; index < keyCount; index++) keyIds.push(await this.addKey(store, accountId));
    return { accountId, keyIds };
  }

  async addKey(
    store: StateStore,
    accountId: string,
    maxLiveKeys = 20,
    kind: KeyKind = "live",
  ): Promise<string> {
    const id = `key_${++this.#count}`;
    const result = await store.accounts.addKey(
      { ...newKey(id, accountId, new Date(this.nowMs).toISOString()), kind, prefix: `opz_${kind}_` },
      maxLiveKeys,
    );
    if (result !== "added") throw new Error(`the store says ${result}`);
    return id;
  }

  async close(): Promise<void> {
    for (const store of this.#opened) await store.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The keys of an account; tests create few enough for one page. */
export async function keysOf(store: StateStore, accountId: string): Promise<readonly Key[]> {
  return (await store.people.keyPage(accountId, { offset: 0, limit: 1_000 })).keys;
}

/** A key as it is stored, with a made-up hash derived from its id. */
export function newKey(id: string, accountId: string, createdAt: string) {
  const hint = { prefix: "opz_live_", kind: "live", lastFour: "0000" } as const;
  return { id, accountId, name: "test", ...hint, createdAt, hash: hashOf(id) };
}

export function hashOf(keyId: string): string {
  return Buffer.from(keyId).toString("hex").padStart(64, "0");
}

export function call(keyId: string, price: number, charge = price): CallRequest {
  return { kind: "call", keyId, operation: "lookup", price, charge };
}

export function reserve(
  keyId: string,
  reservationId: string,
  price: number,
  lifetimeMs = 30_000,
): ReservationRequest {
  return { kind: "reserve", keyId, operation: "branches", price, reservationId, lifetimeMs };
}

export function settle(keyId: string, reservationId: string, charge: number): SettlementRequest {
  return { kind: "settle", keyId, reservationId, charge };
}

/** All decisions of a batch, including those that wait for a locked account. */
export async function decisions(
  applied: ReturnType<StateStore["metering"]["apply"]>,
): Promise<readonly Decision[]> {
  return Promise.all(await applied);
}

/** Decisions as a word and a number, for short comparisons. */
export async function outcomes(applied: ReturnType<StateStore["metering"]["apply"]>): Promise<string[]> {
  return (await decisions(applied)).map((decision) =>
    decision.outcome === "granted" ? `granted ${decision.charged}` : decision.outcome,
  );
}
