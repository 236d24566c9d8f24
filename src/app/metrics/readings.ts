/** The table of metrics that are read at a scrape. */
import { withTimeout } from "../../lib/deadline.ts";

interface ReadMetric {
  readonly type: "gauge" | "counter";
  readonly meaning: string;
  /** Their values are bounded by the settings, or by lists of the program. */
  readonly labelNames: readonly string[];
}

const gauge = (meaning: string, ...labelNames: string[]): ReadMetric => ({
  type: "gauge",
  meaning,
  labelNames,
});
const counter = (meaning: string): ReadMetric => ({ type: "counter", meaning, labelNames: [] });

export const READ = {
  opzoek_build_info: gauge("Always 1; the labels tell which program runs.", "version", "node"),
  opzoek_health: gauge("1 for the status that `GET /v1/health` tells, 0 for the others.", "status"),
  opzoek_upstream_health: gauge(
    "1 for what health tells of the registry's source and of VIES, 0 for the others. Calls that failed count while others are kept away, and for a minute at least.",
    "upstream",
    "status",
  ),
  opzoek_ready: gauge("1 while `GET /readyz` answers 200; 0 while no process listens."),
  opzoek_workers_listening: gauge("Processes that answer calls now, of as many as `WORKERS`."),
  opzoek_workers_lost_total: counter("Worker processes that ended by themselves and were replaced."),
  opzoek_worker_silent_seconds: gauge(
    "For how long a worker process has not responded to a scrape: 0 unless it hangs.",
    "worker",
  ),
  opzoek_upstream_breaker_open: gauge(
    "1 while a circuit breaker keeps calls away, 0 as soon as one would be let through; those of states and products are told while they do.",
    "upstream",
    "breaker",
  ),
  opzoek_kvk_paid_calls_limit: gauge("`KVK_DAILY_CALLS`; with a `KVK_API_KEY` only."),
  opzoek_kvk_paid_calls_left: gauge(
    "Paid calls to KVK that are left today, of all nodes together; with a `KVK_API_KEY` only.",
  ),
  opzoek_registry_companies: gauge("Companies in the snapshot that is served; 0 without one."),
  opzoek_registry_segments: gauge("Segments above the snapshot's base."),
  opzoek_registry_snapshot_timestamp_seconds: gauge("When the newest file of the snapshot was built."),
  opzoek_registry_data_timestamp_seconds: gauge(
    "The newest date of the data of its origins; `kvk-api` counts only where it is the only one.",
  ),
  opzoek_registry_findable: gauge("0 while names cannot be searched, because their index is being built."),
  opzoek_registry_behind: gauge(
    "1 while what `REGISTRY_URL` publishes cannot be fetched, or was signed long ago.",
  ),
  opzoek_accounts_near_allowance: gauge(
    "Accounts that have used so many per cent of the month's allowance or more, looked up every five minutes, of all nodes together.",
    "tier",
    "percent",
  ),
  opzoek_mails_waiting: gauge("Mails that wait to be sent, of all nodes together; with an `SMTP_URL` only."),
  opzoek_last_backup_timestamp_seconds: gauge(
    "The moment that the last good backup of the embedded state holds, 0 while there is none; absent with a `DATABASE_URL`.",
  ),
  opzoek_last_backup_failed: gauge(
    "1 while the last try to back up the embedded state failed, or what it made is not sound; 0 also where none was tried; absent with a `DATABASE_URL`.",
  ),
  opzoek_data_dir_free_bytes: gauge("Bytes that the service may still write where `DATA_DIR` is."),
  opzoek_data_dir_size_bytes: gauge("All bytes of that file system."),
  opzoek_process_cpu_seconds_total: counter("Processor time of the process, user and system."),
  opzoek_process_resident_memory_bytes: gauge("Memory that the process has in RAM."),
  opzoek_process_anonymous_memory_bytes: gauge(
    "That part of it that is no file of a registry or a library, which the system cannot drop: what a leak adds to; on Linux only.",
  ),
  opzoek_process_start_time_seconds: gauge("When the process began."),
  opzoek_process_open_fds: gauge("Open file descriptors, connections included; on Linux only."),
  opzoek_process_max_fds: gauge("How many of them the process may have; on Linux only."),
  opzoek_lists: gauge(
    "Lists of numbers that are kept, those of test keys included, by how far they are.",
    "status",
  ),
  opzoek_reading_failed: gauge("1 where what is read could not be, so that its metrics are absent.", "what"),
};

interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values of some of them: one each, or one per set of labels. Undefined and non-finite values are left out. */
export type Readings = {
  readonly [Name in keyof typeof READ]?: number | readonly LabelledValue[] | undefined;
};

/** Reads some of them, which are left out when it rejects. */
export type ReadSome = () => Readings | Promise<Readings>;

/** Prometheus times out after ten seconds: a slow reading must leave time for the rest. */
const READ_WITHIN_MS = 3_000;

/** Reads everything concurrently, each under its name. Failed and slow readings are left out and reported. Never rejects. */
export async function readAll(
  sources: Readonly<Record<string, ReadSome>>,
  withinMs = READ_WITHIN_MS,
): Promise<Readings> {
  const all = await Promise.all(Object.values(sources).map((read) => succeeded(withinMs, read)));
  const failed = Object.keys(sources).map((what, index) => ({
    labels: { what },
    value: Number(all[index] === undefined),
  }));
  return Object.assign({}, ...all, { opzoek_reading_failed: failed });
}

async function succeeded(withinMs: number, read: ReadSome): Promise<Readings | undefined> {
  try {
    return await withTimeout(withinMs, Promise.resolve(read()));
  } catch {
    return undefined;
  }
}
