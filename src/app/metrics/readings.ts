/** The table of metrics that are read at a scrape. */
import { withTimeout } from "../../lib/deadline.ts";

interface ReadMetric {
  readonly type: "gauge" | "counter";
  readonly meaning: string;
  /** Their values are bounded by the settings or by lists in the program. */
  readonly labelNames: readonly string[];
}

const gauge = (meaning: string, ...labelNames: string[]): ReadMetric => ({
  type: "gauge",
  meaning,
  labelNames,
});
const counter = (meaning: string): ReadMetric => ({ type: "counter", meaning, labelNames: [] });

export const READINGS = {
  opzoek_build_info: gauge("Always 1; the labels identify the program.", "version", "node"),
  opzoek_health: gauge("1 for the status in `GET /v1/health`, 0 for the others.", "status"),
  opzoek_upstream_health: gauge(
    "1 for the status of the registry's source and of VIES in health, 0 for the others. Failed calls count while a breaker stops further ones, and for at least a minute.",
    "upstream",
    "status",
  ),
  opzoek_ready: gauge("1 while `GET /readyz` answers 200; 0 while no process listens."),
  opzoek_workers_listening: gauge("Processes that answer calls now; `WORKERS` when all do."),
  opzoek_workers_lost_total: counter("Worker processes that crashed and were replaced."),
  opzoek_worker_silent_seconds: gauge(
    "How long a worker process has not responded to a scrape: 0 unless it hangs.",
    "worker",
  ),
  opzoek_upstream_breaker_open: gauge(
    "1 while a circuit breaker stops calls, 0 as soon as it would allow one; breakers of states and products are reported only while they stop calls.",
    "upstream",
    "breaker",
  ),
  opzoek_kvk_paid_calls_limit: gauge("`KVK_DAILY_CALLS`; with a `KVK_API_KEY` only."),
  opzoek_kvk_paid_calls_left: gauge(
    "Paid calls to KVK left today, all nodes together; with a `KVK_API_KEY` only.",
  ),
  opzoek_court_list_timestamp_seconds: gauge(
    "When the court made the last list of changes that was applied as a whole; 0 before the first load; with a `CIR_USER` only.",
  ),
  opzoek_court_cases: gauge("Cases of the insolvency register in memory; with a `CIR_USER` only."),
  opzoek_court_unplaced_cases: gauge("Of these, open ones without a KVK number."),
  opzoek_registry_companies: gauge("Companies in the snapshot that is served; 0 without one."),
  opzoek_registry_segments: gauge("Deltas on top of the snapshot's base."),
  opzoek_registry_snapshot_timestamp_seconds: gauge("When the newest file of the snapshot was built."),
  opzoek_registry_data_timestamp_seconds: gauge(
    "The newest data date of its origins; `kvk-api` counts only if there is no other.",
  ),
  opzoek_registry_oldest_data_timestamp_seconds: gauge("The data date of its oldest origin."),
  opzoek_registry_work_failed_timestamp_seconds: gauge(
    "When the last `opzoek import` of a format, or `opzoek registry publish`, failed here, or had not ended after six hours; 0 if it succeeded or is running; absent if there was none.",
    "command",
  ),
  opzoek_registry_findable: gauge("0 while names cannot be searched because the index is being built."),
  opzoek_registry_behind: gauge(
    "1 while the registry at `REGISTRY_URL` cannot be fetched, or its signature is old.",
  ),
  opzoek_accounts_near_allowance: gauge(
    "Accounts that have used at least this percentage of the month's allowance, counted every five minutes, all nodes together.",
    "tier",
    "percent",
  ),
  opzoek_mails_waiting: gauge("Mails waiting to be sent, all nodes together; with an `SMTP_URL` only."),
  opzoek_last_backup_timestamp_seconds: gauge(
    "The time of the last good backup of the embedded state, 0 without one; absent with a `DATABASE_URL`.",
  ),
  opzoek_last_backup_failed: gauge(
    "1 if the last backup of the embedded state failed or is damaged; 0 also if there was none; absent with a `DATABASE_URL`.",
  ),
  opzoek_wal_archived_timestamp_seconds: gauge(
    "When PostgreSQL last archived WAL; 0 if never, or without `archive_mode`; with a `DATABASE_URL` only.",
  ),
  opzoek_wal_archiving_failed: gauge("1 while `archive_command` fails; with a `DATABASE_URL` only."),
  opzoek_data_dir_free_bytes: gauge("Bytes available to the service on the file system of `DATA_DIR`."),
  opzoek_data_dir_size_bytes: gauge("Size of that file system in bytes."),
  opzoek_process_cpu_seconds_total: counter("Processor time of the process, user and system."),
  opzoek_process_resident_memory_bytes: gauge("Memory that the process has in RAM."),
  opzoek_process_anonymous_memory_bytes: gauge(
    "Memory without registry and library files, which grows with a leak; on Linux only.",
  ),
  opzoek_process_start_time_seconds: gauge("When the process started; with workers, their parent."),
  opzoek_process_open_fds: gauge("Open file descriptors, connections included; on Linux only."),
  opzoek_process_max_fds: gauge("Limit of open file descriptors; on Linux only."),
  opzoek_nodes: gauge(
    "Nodes seen within three minutes, whatever their `WORKERS`; not before 1.1.0.",
    "version",
  ),
  opzoek_lists: gauge("Stored lists by status, including those of test keys.", "status"),
  opzoek_lists_oldest_waiting_seconds: gauge("How long an account with a waiting list has not been served."),
  opzoek_monitors_compared_timestamp_seconds: gauge(
    "When all monitored companies were last compared with the registry; 0 if never, absent without monitors.",
  ),
  opzoek_monitor_changes_waiting: gauge("Changes that wait for delivery or tokens; at most 10,000."),
  opzoek_monitor_changes_oldest_seconds: gauge("How long changes that can be delivered have waited."),
  opzoek_webhook_messages_waiting: gauge("Webhook messages that are not accepted yet; at most 10,000."),
  opzoek_webhook_messages_oldest_seconds: gauge("Age of the oldest, of the 1,000 that are due first."),
  opzoek_webhook_hosts_failing: gauge(
    "Hosts of these messages that refused the last one, or did not answer.",
  ),
  opzoek_webhooks_disabled: gauge(
    "Webhooks of monitors disabled: they accepted nothing for days, or answered 410.",
  ),
  opzoek_reading_failed: gauge("1 if a reading failed, so that its metrics are absent.", "what"),
};

interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values of a metric: one, or one per set of labels. Undefined and non-finite values are omitted. */
export type MetricValues = {
  readonly [Name in keyof typeof READINGS]?: number | readonly LabelledValue[] | undefined;
};

/** Reads some metrics, which are omitted if it rejects. */
export type ReadMetrics = () => MetricValues | Promise<MetricValues>;

/** Prometheus times out after ten seconds: a slow reading must leave time for the rest. */
const READ_WITHIN_MS = 3_000;

/**
 * Reads everything concurrently, each under its name. Failed and slow readings are omitted and reported. Never rejects.
 */
export async function readAll(
  sources: Readonly<Record<string, ReadMetrics>>,
  withinMs = READ_WITHIN_MS,
): Promise<MetricValues> {
  const all = await Promise.all(Object.values(sources).map((read) => succeeded(withinMs, read)));
  const failed = Object.keys(sources).map((what, index) => ({
    labels: { what },
    value: Number(all[index] === undefined),
  }));
  return Object.assign({}, ...all, { opzoek_reading_failed: failed });
}

async function succeeded(withinMs: number, read: ReadMetrics): Promise<MetricValues | undefined> {
  try {
    return await withTimeout(withinMs, Promise.resolve(read()));
  } catch {
    return undefined;
  }
}
