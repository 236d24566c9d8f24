import type { AccountQueries } from "../accounts/queries/accounts.ts";
import type { PeopleQueries } from "../accounts/queries.ts";
import type { JobQueries } from "../jobs/queries/jobs.ts";
import type { LiveQueries } from "../kvk/queries/live.ts";
import type { MonitorSourceQueries } from "../kvk/queries/monitorSources.ts";
import type { TurnStore } from "../lib/turns.ts";
import type { SuppressionQueries } from "../lookup/suppression/queries.ts";
import type { CallQueries } from "../metering/queries/calls.ts";
import type { LedgerQueries } from "../metering/queries/ledger.ts";
import type { StoredResponseQueries } from "../metering/queries/storedResponses.ts";
import type { MeteringStore } from "../metering/store.ts";
import type { MonitorQueries } from "../monitors/queries.ts";
import type { VerdictQueries, ViesHistoryQueries } from "../vat/queries.ts";
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
  readonly ledger: LedgerQueries;
  /** The ledger of test keys, which is separate. */
  readonly testLedger: LedgerQueries;
  readonly calls: CallQueries;
  /** Responses stored with their charge. */
  readonly responses: StoredResponseQueries;
  readonly accounts: AccountQueries;
  readonly people: PeopleQueries;
  readonly verdicts: VerdictQueries & ViesHistoryQueries;
  /** Responses of a live registry, and the cost of calls. */
  readonly live: LiveQueries;
  readonly waiting: WaitingStore;
  readonly jobs: JobQueries;
  /** Messages to webhooks. */
  readonly webhooks: WebhookQueries;
  readonly suppressed: SuppressionQueries;
  readonly monitors: MonitorQueries;
  /** The work that asks KVK about monitored companies. */
  readonly monitorSources: MonitorSourceQueries;
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
