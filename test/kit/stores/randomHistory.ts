import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { StateStore } from "../../../src/app/state/stateStore.ts";
import { monthStartMs } from "../../../src/lib/periods.ts";
import type { LedgerQueries } from "../../../src/metering/queries/ledger.ts";
import type { Decision } from "../../../src/metering/store.ts";
import { amount } from "../thorough.ts";
import { type Event, events, type PlannedRequest, typingEvents } from "./events.ts";
import { decisions, type OpenStore, StoreFixture, TIERS } from "./fixture.ts";
import { type Expected, type ModelledRequest, StateStoreModel } from "./model.ts";

const BEGIN = "2026-03-31T23:57:00.000Z";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A random history of events gives the model's results, however its requests are split into batches. */
export function randomHistories(open: OpenStore): void {
  let fixture: StoreFixture;
  let store: StateStore;

  beforeAll(async () => {
    fixture = new StoreFixture(open, BEGIN);
    store = await fixture.connect();
  });
  afterAll(() => fixture.close());

  it("equals the model over any history of requests, clock moves and changes, in any batches", async () => {
    await fc.assert(
      fc.asyncProperty(events, async (history) => {
        fixture.nowIso = BEGIN;
        const run = await Run.begin(fixture, store);
        for (const event of history) await run.take(event);
        await run.compareBooks();
      }),
      { numRuns: amount({ ordinary: 8, thorough: 40 }) },
    );
  });

  it("equals the model over any history of one session whose calls reserve before their work", async () => {
    await fc.assert(
      fc.asyncProperty(typingEvents, async (history) => {
        fixture.nowIso = BEGIN;
        const run = await Run.begin(fixture, store);
        for (const event of history) await run.take(event);
        await run.compareBooks();
      }),
      { numRuns: amount({ ordinary: 5, thorough: 20 }) },
    );
  });
}

/** The last key of each account is a test key, which the model treats as a separate account. */
const testBooksOf = (accountId: string) => `test ${accountId}`;

/** One history over two accounts with three and two keys, together with its model. */
class Run {
  readonly #fixture: StoreFixture;
  readonly #store: StateStore;
  readonly #model = new StateStoreModel(TIERS);
  readonly #accountIds: string[] = [];
  readonly #keyIds: string[] = [];
  readonly #testKeyIds = new Set<string>();
  readonly #made: {
    id: string;
    keyId: string;
    price: number;
    expiresAtMs: number;
    session: { readonly session?: string };
    epoch: number;
  }[] = [];
  readonly #changed = new Set<string>();
  #latestMs: number;
  /** Session names change when the clock goes back so far that a store may have forgotten or reset some. */
  #epoch = 0;
  #latestOfEpochMs: number;
  /** How far the clock advanced since both accounts were last read. */
  #goneOnMs = 0;

  private constructor(fixture: StoreFixture, store: StateStore) {
    this.#fixture = fixture;
    this.#store = store;
    this.#latestMs = fixture.nowMs;
    this.#latestOfEpochMs = fixture.nowMs;
  }

  static async begin(fixture: StoreFixture, store: StateStore): Promise<Run> {
    const run = new Run(fixture, store);
    await run.#addAccount("small", 2);
    await run.#addAccount("large", 1);
    return run;
  }

  async take(event: Event): Promise<void> {
    if (event.kind === "batch") await this.#apply(event.requests.flatMap((planned) => this.#ask(planned)));
    else if (event.kind === "clock") await this.#move(event.byMs);
    else if (event.kind === "revoke") {
      const keyId = this.#keyIds[event.key] ?? "";
      await this.#store.accounts.revokeKey(keyId, "2026-03-31T00:00:00.000Z");
      const key = this.#model.keys.get(keyId);
      if (key !== undefined) key.isRevoked = true;
    } else if (event.kind === "expiry" || event.kind === "addresses") {
      await this.#bind(event);
    } else {
      const accountId = this.#accountIds[event.account] ?? "";
      const ledgers = [accountId, testBooksOf(accountId)].map((id) => this.#model.accounts.get(id));
      if (event.kind === "tier") {
        this.#changed.add(accountId).add(testBooksOf(accountId));
        for (const account of ledgers) if (account !== undefined) account.tierName = event.tierName;
        await this.#store.accounts.setTier(accountId, event.tierName);
      } else {
        for (const account of ledgers) if (account !== undefined) account.isSuspended = event.isSuspended;
        await this.#store.accounts.setSuspended(
          accountId,
          event.isSuspended,
          new Date(this.#fixture.nowMs).toISOString(),
        );
      }
    }
  }

  async #bind(event: Extract<Event, { kind: "expiry" | "addresses" }>): Promise<void> {
    const keyId = this.#keyIds[event.key] ?? "";
    const key = this.#model.keys.get(keyId);
    if (key === undefined) throw new RangeError(`no key ${event.key}`);
    if (event.kind === "expiry") {
      const expiresAtMs = event.inMs === null ? null : this.#fixture.nowMs + event.inMs;
      if (!key.isRevoked) key.expiresAtMs = expiresAtMs;
      const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
      expect(await this.#store.accounts.changeKey(keyId, { expiresAt })).toBe(!key.isRevoked);
    } else {
      if (!key.isRevoked) key.isForSomeAddresses = event.isForSome;
      const addresses = event.isForSome ? ["192.0.2.0/24"] : [];
      expect(await this.#store.accounts.changeKey(keyId, { addresses })).toBe(!key.isRevoked);
    }
  }

  /** Compares the ledger with the model, and its monthly tokens with the account's usage. */
  async compareBooks(): Promise<void> {
    for (const accountId of this.#accountIds) {
      await this.#compare(this.#store.ledger, accountId, accountId);
      await this.#compare(this.#store.testLedger, accountId, testBooksOf(accountId));
    }
  }

  async #compare(ledger: LedgerQueries, accountId: string, inModel: string): Promise<void> {
    const lines = await ledger.lines(accountId, "2000-01-01", "2099-12-31");
    expect(lines).toEqual(this.#model.ledger(inModel));
    const present = this.#model.presentMonth(inModel, this.#fixture.nowMs);
    const spent = await ledger.spent(accountId);
    const tokens = lines.filter(({ day }) => day.startsWith(present)).map((line) => line.tokens);
    expect(spent?.used ?? 0).toBe(tokens.reduce((sum, more) => sum + more, 0));
    if (spent !== undefined) expect(monthNamed(spent.month)).toBe(present);
  }

  async #addAccount(tierName: string, keyCount: number): Promise<void> {
    const { accountId, keyIds } = await this.#fixture.addAccount(this.#store, tierName, keyCount);
    this.#accountIds.push(accountId);
    const testKeyId = await this.#fixture.addKey(this.#store, accountId, 20, "test");
    this.#testKeyIds.add(testKeyId);
    keyIds.push(testKeyId);
    this.#keyIds.push(...keyIds);
    for (const id of [accountId, testBooksOf(accountId)]) {
      this.#model.accounts.set(id, { tierName, isSuspended: false, month: "", used: new Map() });
    }
    for (const keyId of keyIds) {
      this.#model.keys.set(keyId, {
        accountId: keyId === testKeyId ? testBooksOf(accountId) : accountId,
        isRevoked: false,
        expiresAtMs: null,
        isForSomeAddresses: false,
        minute: 0,
        calls: 0,
      });
    }
  }

  async #move(byMs: number): Promise<void> {
    this.#fixture.nowMs += byMs;
    this.#latestMs = Math.max(this.#latestMs, this.#fixture.nowMs);
    if (this.#fixture.nowMs < this.#latestOfEpochMs - 5 * MINUTE_MS) {
      this.#epoch += 1;
      this.#latestOfEpochMs = this.#fixture.nowMs;
    }
    this.#latestOfEpochMs = Math.max(this.#latestOfEpochMs, this.#fixture.nowMs);
    this.#goneOnMs += Math.max(0, byMs);
    // Reads both accounts after a long time: a store may forget reservations that expired long before.
    if (this.#goneOnMs >= HOUR_MS / 2) {
      this.#goneOnMs = 0;
      const [first = "", , third = "", fourth = "", fifth = ""] = this.#keyIds;
      await this.#apply(
        [first, third, fourth, fifth].map((keyId) => ({
          ...this.#keyOf(keyId),
          kind: "refusals",
          operation: "lookup",
          count: 1,
        })),
      );
    }
  }

  #ask(planned: PlannedRequest): ModelledRequest[] {
    if (planned.kind === "settle") {
      const made = this.#made.at(-1 - planned.ago);
      // A reservation that expired more than an hour ago may or may not be forgotten.
      if (made === undefined || made.expiresAtMs <= this.#latestMs - HOUR_MS) return [];
      const charge = Math.ceil(made.price * planned.share);
      const session = made.epoch === this.#epoch ? made.session : {};
      return [{ kind: "settle", ...this.#keyOf(made.keyId), reservationId: made.id, charge, ...session }];
    }
    const keyId = this.#keyIds[planned.key] ?? "";
    const key = this.#keyOf(keyId);
    if (planned.kind === "refusals") {
      return [{ kind: "refusals", ...key, operation: "search", count: planned.count }];
    }
    const { price, isCounted } = planned;
    const session = planned.session === null ? {} : { session: `s${planned.session}_${this.#epoch}` };
    if (planned.kind === "call") {
      const charge = Math.ceil(price * planned.share);
      const operation = price === 5 ? "branches" : "lookup";
      return [{ kind: "call", ...key, operation, price, charge, isCounted, ...session }];
    }
    const id = `${keyId} ${this.#made.length}`;
    const { lifetimeMs } = planned;
    const expiresAtMs = this.#fixture.nowMs + lifetimeMs;
    this.#made.push({ id, keyId, price, expiresAtMs, session, epoch: this.#epoch });
    const operation = "lookup.enriched";
    return [
      { kind: "reserve", ...key, operation, price, reservationId: id, lifetimeMs, isCounted, ...session },
    ];
  }

  #keyOf(keyId: string): Pick<ModelledRequest, "keyId" | "isTest"> {
    return { keyId, ...(this.#testKeyIds.has(keyId) && { isTest: true }) };
  }

  async #apply(requests: readonly ModelledRequest[]): Promise<void> {
    const decided = await decisions(this.#store.metering.apply(requests));
    const expected: Expected[] = [];
    for (const request of requests) {
      expected.push(this.#model.apply(request, this.#fixture.nowMs));
      this.#expectNothingPromisedTwice();
    }
    expect(decided.map(comparable)).toEqual(expected);
  }

  #expectNothingPromisedTwice(): void {
    for (const [accountId, { tierName, used }] of this.#model.accounts) {
      if (this.#changed.has(accountId)) continue;
      for (const month of used.keys()) {
        const promised = this.#model.used(accountId, month) + this.#model.reserved(accountId, month);
        expect(promised).toBeLessThanOrEqual(TIERS[tierName]?.monthlyTokens ?? 0);
      }
    }
  }
}

/** `YYYY-MM` */
function monthNamed(month: number): string {
  return new Date(monthStartMs(month)).toISOString().slice(0, 7);
}

function comparable(decision: Decision): Expected {
  const charged = decision.outcome === "granted" ? decision.charged : 0;
  if (!("balance" in decision)) return { outcome: decision.outcome, charged };
  const { tokensUsed, tokensRemaining, rateRemaining } = decision.balance;
  return { outcome: decision.outcome, charged, tokensUsed, tokensRemaining, rateRemaining };
}
