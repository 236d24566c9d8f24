import type { PeopleStore } from "../accounts/peopleStore.ts";
import type { AccountStore } from "../accounts/store.ts";
import type { JobStore } from "../jobs/store.ts";
import type { MonitorSourceStore } from "../kvk/monitored/store.ts";
import type { LiveStore } from "../kvk/store.ts";
import { OperatorError } from "../lib/operatorError.ts";
import { StoreUnavailable } from "../lib/storeErrors.ts";
import type { TurnStore } from "../lib/turns.ts";
import type { SuppressionStore } from "../lookup/suppression/store.ts";
import type { CallStore } from "../metering/callStore.ts";
import type { LedgerStore } from "../metering/ledger.ts";
import type { StoredResponseStore } from "../metering/responses.ts";
import type { MeteringStore } from "../metering/store.ts";
import type { MonitorStore } from "../monitors/store.ts";
import type { VerdictStore } from "../vat/verdicts/store.ts";
import type { ViesHistoryStore } from "../vat/vies/history.ts";

/** The state cannot be opened. The message contains the reason and the remedy. */
export class StateRefused extends OperatorError {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StateRefused";
  }
}

/** The state may become available later: its server does not run, is starting, cannot be reached, or accepts no more connections. */
export class StateUnreachable extends StateRefused {
  override name = "StateUnreachable";
}

/** The server refuses the user, the password or the name of the database until the setting is changed. */
export class LoginRefused extends StateRefused {
  override readonly exitCode = 2;

  constructor(message: string) {
    super(message);
    this.name = "LoginRefused";
  }
}

/** A unique value was taken by another row at the same moment. */
export class UniqueViolation extends StoreUnavailable {}

/** The database rolled a transaction back because it and another one waited for each other. It may be repeated. */
export class Collision extends StoreUnavailable {}

/** The clock for windows and months, Unix milliseconds: this machine's for the embedded state, otherwise the database's. */
export type StoreClock = () => number | Promise<number>;

/** The nodes that use the state. */
export interface NodeStore {
  /** Records that a node runs, and deletes nodes that have not been seen for three minutes. */
  nodeSeen(id: string, version: string): Promise<void>;
  nodeStopped(id: string): Promise<void>;
  /** Counts the nodes seen within three minutes. */
  nodeVersions(): Promise<readonly { readonly version: string; readonly nodes: number }[]>;
}

/** The parts of the state, each by the interface of its consumer. */
export interface Facets {
  readonly metering: MeteringStore;
  readonly ledger: LedgerStore;
  /** The ledger of test keys, which is separate. */
  readonly testLedger: LedgerStore;
  readonly calls: CallStore;
  /** Responses stored with their charge. */
  readonly responses: StoredResponseStore;
  readonly accounts: AccountStore;
  readonly people: PeopleStore;
  readonly verdicts: VerdictStore & ViesHistoryStore;
  /** Responses of a live registry, and the cost of calls. */
  readonly live: LiveStore;
  readonly waiting: WaitingStore;
  /** Background lists and their webhooks. */
  readonly jobs: JobStore;
  readonly suppressed: SuppressionStore;
  readonly monitors: MonitorStore;
  /** The work that asks KVK about monitored companies. */
  readonly monitorSources: MonitorSourceStore;
  readonly turns: TurnStore;
  readonly nodes: NodeStore;
}

/** Work that waits. */
export interface WaitingStore {
  /** Reads a bounded number of rows. @returns metrics by name */
  waitingWork(): Promise<Readonly<Record<string, number | undefined>>>;
}

/**
 * Observes each call of the database, to detect when it becomes unavailable and available.
 * @param isWrite the call writes and syncs, so its success shows that the state works; a full disk can still be read
 */
export type CallObserver = (call: Promise<unknown>, isWrite: boolean) => void;

/** Passes the calls of a database to an observer. */
export class ObservedCalls {
  #observer: CallObserver = () => {};

  report(observer: CallObserver): void {
    this.#observer = observer;
  }

  observe<T>(call: Promise<T>, isWrite = false): Promise<T> {
    this.#observer(call, isWrite);
    return call;
  }
}

/** All shared, durable state. */
export interface StateStore extends Facets {
  /** Writes and syncs something small. @throws {StoreUnavailable} if that fails */
  probe(): Promise<void>;
  /** Starts reporting every call of the database. */
  onCall(observer: CallObserver): void;
  close(): Promise<void>;
}
