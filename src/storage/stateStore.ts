import type { PeopleStore } from "../accounts/peopleStore.ts";
import type { AccountStore } from "../accounts/store.ts";
import type { JobQueries } from "../jobs/queries/jobs.ts";
import type { MonitorSourceStore } from "../kvk/monitored/store.ts";
import type { LiveStore } from "../kvk/store.ts";
import type { TurnStore } from "../lib/turns.ts";
import type { SuppressionStore } from "../lookup/suppression/store.ts";
import type { CallStore } from "../metering/callStore.ts";
import type { LedgerStore } from "../metering/ledger.ts";
import type { StoredResponseStore } from "../metering/responses.ts";
import type { MeteringStore } from "../metering/store.ts";
import type { MonitorQueries } from "../monitors/queries.ts";
import type { VerdictStore } from "../vat/verdicts/store.ts";
import type { ViesHistoryStore } from "../vat/vies/history.ts";
import type { WebhookQueries } from "../webhooks/queries.ts";
import type { CallObserver } from "./observedCalls.ts";

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
  readonly jobs: JobQueries;
  /** Messages to webhooks. */
  readonly webhooks: WebhookQueries;
  readonly suppressed: SuppressionStore;
  readonly monitors: MonitorQueries;
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

/** All shared, durable state. */
export interface StateStore extends Facets {
  /** Writes and syncs something small. @throws {StoreUnavailable} if that fails */
  probe(): Promise<void>;
  /** Starts reporting every call of the database. */
  onCall(observer: CallObserver): void;
  close(): Promise<void>;
}
