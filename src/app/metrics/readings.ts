/** The table of what is read when somebody asks for the metrics. */

export interface ReadMetric {
  readonly type: "gauge" | "counter";
  readonly meaning: string;
  /** Label names, each with what bounds its values. */
  readonly labels: Readonly<Record<string, string>>;
}

export const READ = {
  opzoek_build_info: {
    type: "gauge",
    meaning: "Always 1; the labels tell which program runs.",
    labels: { version: "one", node: "one" },
  },
  opzoek_health: {
    type: "gauge",
    meaning: "1 for the status that `GET /v1/health` tells, 0 for the others.",
    labels: { status: "`ok`, `degraded`, `down`" },
  },
  opzoek_upstream_health: {
    type: "gauge",
    meaning:
      "1 for what health tells of the registry's source and of VIES, 0 for the others. Calls that failed count while others are kept away, and for a minute at least.",
    labels: { upstream: "`kvk`, `vies`", status: "`up`, `degraded`, `down`" },
  },
  opzoek_ready: {
    type: "gauge",
    meaning: "1 while `GET /readyz` answers 200; 0 while no process listens.",
    labels: {},
  },
  opzoek_workers_listening: {
    type: "gauge",
    meaning: "Processes that answer calls now, of as many as `WORKERS`.",
    labels: {},
  },
  opzoek_workers_lost_total: {
    type: "counter",
    meaning: "Worker processes that ended by themselves and were replaced.",
    labels: {},
  },
  opzoek_worker_silent_seconds: {
    type: "gauge",
    meaning: "For how long a worker process has not responded to a scrape: 0 unless it hangs.",
    labels: { worker: "`1` to as many as `WORKERS`" },
  },
  opzoek_upstream_breaker_open: {
    type: "gauge",
    meaning:
      "1 while a circuit breaker keeps calls away, 0 as soon as one would be let through; those of states and products are told while they do.",
    labels: {
      upstream: "`kvk`, `vies`",
      breaker: "`address`, `vies`, the states that VIES serves; `key`, `kvk`, KVK's products",
    },
  },
  opzoek_kvk_paid_calls_limit: {
    type: "gauge",
    meaning: "`KVK_DAILY_CALLS`; with a `KVK_API_KEY` only.",
    labels: {},
  },
  opzoek_kvk_paid_calls_left: {
    type: "gauge",
    meaning: "Paid calls to KVK that are left today, of all nodes together; with a `KVK_API_KEY` only.",
    labels: {},
  },
  opzoek_registry_companies: {
    type: "gauge",
    meaning: "Companies in the snapshot that is served; 0 without one.",
    labels: {},
  },
  opzoek_registry_segments: {
    type: "gauge",
    meaning: "Segments above the snapshot's base.",
    labels: {},
  },
  opzoek_registry_snapshot_timestamp_seconds: {
    type: "gauge",
    meaning: "When the newest file of the snapshot was built.",
    labels: {},
  },
  opzoek_registry_data_timestamp_seconds: {
    type: "gauge",
    meaning: "The newest date of the data of any of its origins, what was learned left out.",
    labels: {},
  },
  opzoek_registry_findable: {
    type: "gauge",
    meaning: "0 while names cannot be searched, because their index is being built.",
    labels: {},
  },
  opzoek_registry_behind: {
    type: "gauge",
    meaning: "1 while what `REGISTRY_URL` publishes cannot be fetched, or was signed long ago.",
    labels: {},
  },
  opzoek_accounts_near_allowance: {
    type: "gauge",
    meaning:
      "Accounts that have used so many per cent of the month's allowance or more, looked up every five minutes, of all nodes together.",
    labels: { tier: "the tiers of `TIERS_FILE` and the built-in ones", percent: "`80`, `100`" },
  },
  opzoek_last_backup_timestamp_seconds: {
    type: "gauge",
    meaning:
      "The moment that the last good backup of the embedded state holds; absent while there is none, and with a `DATABASE_URL`.",
    labels: {},
  },
  opzoek_last_backup_failed: {
    type: "gauge",
    meaning:
      "1 while the last try to back up the embedded state failed, or what it made is not sound; 0 also where none was tried; absent with a `DATABASE_URL`.",
    labels: {},
  },
  opzoek_data_dir_free_bytes: {
    type: "gauge",
    meaning: "Bytes that the service may still write where `DATA_DIR` is.",
    labels: {},
  },
  opzoek_data_dir_size_bytes: {
    type: "gauge",
    meaning: "All bytes of that file system.",
    labels: {},
  },
  opzoek_process_cpu_seconds_total: {
    type: "counter",
    meaning: "Processor time of the process, user and system.",
    labels: {},
  },
  opzoek_process_resident_memory_bytes: {
    type: "gauge",
    meaning: "Memory that the process has in RAM.",
    labels: {},
  },
  opzoek_process_start_time_seconds: {
    type: "gauge",
    meaning: "When the process began.",
    labels: {},
  },
  opzoek_process_open_fds: {
    type: "gauge",
    meaning: "Open file descriptors, connections included; on Linux only.",
    labels: {},
  },
  opzoek_process_max_fds: {
    type: "gauge",
    meaning: "How many of them the process may have; on Linux only.",
    labels: {},
  },
  opzoek_lists: {
    type: "gauge",
    meaning: "Lists of numbers that are kept, those of test keys included, by how far they are.",
    labels: { status: "`queued`, `running`, `paused`, `completed`, `cancelled`, `expired`" },
  },
  opzoek_reading_failed: {
    type: "gauge",
    meaning: "1 where what is read could not be, so that its metrics are absent.",
    labels: {
      what: "`process`, `build`, `disk`, `registry`, `health`, `upstreams`, `budget`, `accounts`, `backup`, `lists`",
    },
  },
} as const satisfies Readonly<Record<string, ReadMetric>>;

export type ReadName = keyof typeof READ;

/** A value of one of them. */
export interface Reading {
  readonly name: ReadName;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads some of them; what it rejects with leaves them out. */
export type ReadSome = () => readonly Reading[] | Promise<readonly Reading[]>;
