import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { StateStore } from "../../src/app/state/stateStore.ts";
import type { SourcedFacts } from "../../src/company/facts.ts";
import { CHANGE_TYPES } from "../../src/contract/eventTypes.ts";
import type { KvkNumber } from "../../src/contract/numbers.ts";
import { known } from "../../src/lib/values.ts";
import { Monitors } from "../../src/monitors/monitors.ts";
import { MonitorWorker } from "../../src/monitors/monitorWorker.ts";
import { Observer } from "../../src/monitors/observer.ts";
import type { MonitorOwner } from "../../src/monitors/stored.ts";
import { importFacts } from "../../src/registry/importFacts.ts";
import { openCurrentSnapshot } from "../../src/registry/openSnapshot.ts";
import type { SnapshotFile } from "../../src/registry/snapshotFile.ts";
import { type OpenStore, StoreFixture, TIERS } from "../kit/stores/fixture.ts";
import { FlakyProcess, ignoreInjected } from "./flaky.ts";
import { COMPANIES, companyFacts, type Event, type Row, type Storm } from "./historyEvents.ts";
import { type Facts, type ModelAccount, MonitorModel, type Seen } from "./model.ts";
import { eventsAfter, NO_SERVICE } from "./monitored.ts";

const LIVE = "kvk-api";
const ACCOUNTS = 2;
const BEGIN = "2026-05-10T12:00:00.000Z";
const MINUTE_MS = 60_000;
/** Longer than any lease. */
const LEASE_MS = 16_000;
/** How often a process looks for work during a storm. */
const MAX_TURNS = 8;
const MONTH_MS = 32 * 86_400_000;
/** The types of a monitor that wants only some. */
const SOME_TYPES = CHANGE_TYPES.filter((type) => type !== "company.renamed");

/** One history on a real state and a real registry, together with its model. */
export class HistoryRun {
  readonly #fixture: StoreFixture;
  readonly #store: StateStore;
  readonly #owners: readonly MonitorOwner[];
  readonly #model = new MonitorModel(ACCOUNTS);
  readonly #folder = mkdtempSync(join(tmpdir(), "opzoek-"));
  /** The snapshots, newest first, and how many of them a rollback has left out. */
  readonly #snapshots: SnapshotFile[] = [];
  #rolledBack = 0;
  readonly #answers = new Map<KvkNumber, Seen>();
  readonly #unwatched = new Set<string>();
  readonly #suppressed = new Set<string>();
  #step = 0;
  recorded = 0;

  private constructor(fixture: StoreFixture, store: StateStore, owners: readonly MonitorOwner[]) {
    this.#fixture = fixture;
    this.#store = store;
    this.#owners = owners;
  }

  static async begin(open: OpenStore): Promise<HistoryRun> {
    const fixture = new StoreFixture(open, BEGIN);
    const store = await fixture.connect();
    const owners: MonitorOwner[] = [];
    for (let nth = 0; nth < ACCOUNTS; nth++) {
      const { accountId, keyIds } = await fixture.addAccount(store, "small");
      owners.push({ accountId, keyId: keyIds[0] ?? "" });
    }
    return new HistoryRun(fixture, store, owners);
  }

  async close(): Promise<void> {
    for (const snapshot of this.#snapshots) snapshot.close();
    await this.#fixture.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs an event while processes work and fail, lets one finish, and compares the state with the model. */
  async take(event: Event, storm: Storm): Promise<void> {
    this.#step += 1;
    await this.#apply(event);
    await Promise.all(
      storm.map(async ({ fates, lag, isAdding }) => {
        const process = new FlakyProcess(fates, () => {
          this.#fixture.nowMs += LEASE_MS;
        });
        // As when a monitor is added.
        if (isAdding) await this.#observer(process, lag).observe(COMPANIES).catch(ignoreInjected);
        await this.#work(process, lag);
      }),
    );
    // All leases and postponements are over.
    this.#fixture.nowMs += 2 * MINUTE_MS;
    for (const company of COMPANIES) this.#model.observe(company, this.#seen(company), this.#step);
    await this.#work(new FlakyProcess(), 0);
    for (const [nth, account] of this.#model.accounts.entries()) await this.#compare(account, nth);
  }

  async #apply(event: Event): Promise<void> {
    const account = "account" in event ? this.#model.accounts[event.account] : undefined;
    const owner = "account" in event ? this.#owners[event.account] : undefined;
    if (event.kind === "import") return this.#import(event.rows, event.isOld);
    if (event.kind === "answer") return this.#answer(COMPANIES[event.company], event.facts);
    if (event.kind === "forget") return this.#forget(COMPANIES[event.company] ?? COMPANIES[0]);
    if (event.kind === "rollback") {
      this.#rolledBack = Math.max(0, Math.min(this.#snapshots.length - 1, this.#rolledBack + 1));
      return;
    }
    if (event.kind === "month") {
      this.#fixture.nowMs += MONTH_MS;
      for (const one of this.#model.accounts) one.used = 0;
      return;
    }
    if (account === undefined || owner === undefined) throw new Error("there is no such account");
    const { accountId } = owner;
    if (event.kind === "add") return this.#add(account, owner, event.companies, event.isSelective);
    if (event.kind === "remove") {
      const monitor = account.monitors[event.nth];
      if (monitor === undefined) return;
      expect(await this.#monitors().remove(owner, monitor.id)).toBe(true);
      this.#model.remove(account, monitor.id);
    } else if (event.kind === "suspend") {
      account.isSuspended = event.isSuspended;
      await this.#store.accounts.setSuspended(accountId, event.isSuspended, this.#iso());
    } else if (event.kind === "tier") {
      account.tierName = event.tierName;
      await this.#store.accounts.setTier(accountId, event.tierName);
    } else {
      account.maxTokens = event.maxTokens ?? Number.POSITIVE_INFINITY;
      await this.#monitors().setAccount(accountId, { maxTokens: event.maxTokens });
    }
  }

  /** @param isOld whether the registry is replaced by older data */
  async #import(rows: readonly Row[], isOld: boolean): Promise<void> {
    const facts = rows.map(({ company, origin, facts: values }, nth): SourcedFacts => {
      const asOf = new Date(this.#fixture.nowMs + nth - (isOld ? MONTH_MS : 0)).toISOString();
      return { origin, asOf, facts: companyFacts(COMPANIES[company] ?? COMPANIES[0], values) };
    });
    await importFacts(this.#folder, facts, { replace: isOld, omit: this.#suppressed });
    const snapshot = openCurrentSnapshot(this.#folder);
    if (snapshot !== undefined) this.#snapshots.unshift(snapshot);
    this.#rolledBack = 0;
  }

  async #answer(company: KvkNumber | undefined, facts: Facts): Promise<void> {
    if (company === undefined || this.#suppressed.has(company)) return;
    const asOfMs = this.#fixture.nowMs;
    const text = JSON.stringify(companyFacts(company, facts));
    await this.#store.live.storeCompany(company, text, asOfMs);
    this.#answers.set(company, { origin: LIVE, asOfMs, facts });
  }

  async #forget(company: KvkNumber | undefined): Promise<void> {
    if (company === undefined || this.#suppressed.has(company)) return;
    await this.#store.suppressed.forget({
      kvkNumber: company,
      vatNumbers: [],
      forgottenAtMs: this.#fixture.nowMs,
    });
    this.#model.forget(company, this.#step);
    this.#answers.delete(company);
    this.#suppressed.add(company);
  }

  async #add(
    account: ModelAccount,
    owner: MonitorOwner,
    companies: readonly number[],
    isSelective: boolean,
  ): Promise<void> {
    const numbers = companies.flatMap((nth) => COMPANIES[nth] ?? []);
    const types = isSelective ? SOME_TYPES : undefined;
    const added = await this.#monitors().add({ ...owner, tierName: account.tierName }, numbers, {
      events: types ?? null,
    });
    if (typeof added === "string") throw new Error(added);
    let places = account.limit - account.monitors.length;
    for (const [index, company] of numbers.entries()) {
      const result = added[index];
      const before = account.monitors.find((monitor) => monitor.company === company);
      const isKnown = this.#seen(company).length > 0 || this.#model.isKnown(company);
      const isExpected = before !== undefined || (isKnown && places > 0);
      expect(result !== undefined && "monitor" in result).toBe(isExpected);
      if (result === undefined || !("monitor" in result)) continue;
      const { id, createdAtMs } = result.monitor;
      if (before === undefined) places -= 1;
      this.#model.add(account, { id, company, types, createdAtMs }, this.#seen(company), this.#step);
    }
  }

  /** The facts about a company that an up-to-date process sees. */
  #seen(company: KvkNumber): Seen[] {
    if (this.#suppressed.has(company)) return [];
    const snapshot = this.#snapshotOf(0);
    const serialMs = snapshot === undefined ? 0 : Date.parse(snapshot.info.createdAt);
    const imported = snapshot?.originsOf(company) ?? [];
    const answer = this.#answers.get(company);
    return [
      ...imported.map(({ origin, asOf, facts }) => {
        const { name, isActive, address } = facts;
        const values = { name, isActive, city: address?.city ?? "", ...known("street", address?.street) };
        return { origin, asOfMs: Date.parse(asOf), serialMs, facts: values };
      }),
      ...(answer === undefined ? [] : [answer]),
    ];
  }

  #snapshotOf(lag: number): SnapshotFile | undefined {
    return this.#snapshots[Math.min(this.#rolledBack + lag, this.#snapshots.length - 1)];
  }

  #observer(process: FlakyProcess, lag: number): Observer {
    return new Observer({
      store: process.wrap(this.#store.monitors),
      registry: { current: this.#snapshotOf(lag) },
      live: process.wrap(this.#store.live),
      suppressed: this.#suppressed,
      now: () => this.#fixture.nowMs,
    });
  }

  #monitors(): Monitors {
    return new Monitors({
      store: this.#store.monitors,
      observer: this.#observer(new FlakyProcess(), 0),
      tiers: TIERS,
      suppressed: this.#suppressed,
      ...NO_SERVICE,
    });
  }

  /** A process: it works until nothing is due, or it is killed. */
  async #work(process: FlakyProcess, lag: number): Promise<void> {
    const errors: unknown[] = [];
    const worker = new MonitorWorker({
      store: process.wrap(this.#store.monitors),
      turns: process.wrap(this.#store.turns),
      observer: this.#observer(process, lag),
      meter: {
        decideUnawaited: (changes) =>
          process.call(async () => {
            const [decision] = await Promise.all(await this.#store.metering.apply([changes]));
            if (decision === undefined) throw new Error("the state did not decide");
            return decision;
          }),
      },
      tiers: TIERS,
      keepMs: 100 * MONTH_MS,
      now: () => this.#fixture.nowMs,
      onError: (error) => errors.push(error),
    });
    // After a failure, or while another process has the lease, it tries again.
    let isDone = false;
    for (let turn = 0; turn < MAX_TURNS && !isDone && !process.isDead; turn++) {
      isDone = await worker.runTurn(0).catch((error: unknown) => {
        errors.push(error);
        return false;
      });
    }
    await worker.close();
    for (const error of errors) ignoreInjected(error);
  }

  /** The model does not know when the address of a company without a monitor is hidden from its events. */
  #shown(company: string, changes: unknown): unknown {
    const text = JSON.stringify(changes)
      .replaceAll(/"street":"[^"]*",?/g, "")
      .replaceAll(",}", "}");
    return this.#unwatched.has(company) ? JSON.parse(text) : changes;
  }

  async #compare(account: ModelAccount, nth: number): Promise<void> {
    const owner = this.#owners[nth] ?? expect.fail("there is no such account");
    const events = await eventsAfter(this.#store, owner);
    const before = account.events.length;
    for (const { type, kvkNumber = "", changes } of events.slice(before))
      account.deliver(type, kvkNumber, changes);
    for (const { company } of account.events)
      if (!this.#model.isMonitored(company)) this.#unwatched.add(company);
    expect(
      events.map(({ type, kvkNumber = "", changes }) => [type, kvkNumber, this.#shown(kvkNumber, changes)]),
    ).toEqual(
      account.events.map(({ type, company, changes }) => [type, company, this.#shown(company, changes)]),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const waiting = account.deliverable.filter(({ type }) => type !== "monitor.ended");
    if (account.tokensLeft > 0 && waiting.length > 0)
      throw new Error("changes wait although there are tokens");
    expect(account.deliverable.length).toBe(waiting.length);
    expect(await this.#store.monitors.monitorAccount(owner)).toMatchObject({
      monitors: account.monitors.length,
      pending: account.pending.length,
      spent: account.used,
    });
    expect((await this.#store.ledger.spent(owner.accountId))?.used ?? 0).toBe(account.used);
    this.recorded += events.length - before;
  }

  #iso(): string {
    return new Date(this.#fixture.nowMs).toISOString();
  }
}
