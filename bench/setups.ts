/** How the service stands: its store, and how many nodes share it. */
export interface Setup {
  readonly name: "sqlite" | "live" | "postgres" | "two-nodes" | `threads-${number}`;
  readonly title: string;
  readonly isOnPostgres: boolean;
  /** With KVK's API, simulated, as a live source beside the snapshot. */
  readonly isLive?: true;
  readonly nodes: number;
  /** Threads of each node that answer calls; as many as the program takes by itself when left out. */
  readonly threads?: number;
}
export type SetupName = Setup["name"];

/** Of these a curve is made; they are measured when they are asked for. */
const THREADS = [1, 2, 3, 4] as const;

export const CURVE: readonly Setup[] = THREADS.map((threads) => ({
  name: `threads-${threads}`,
  title: `one node, embedded state, WORKERS=${threads}`,
  isOnPostgres: false,
  nodes: 1,
  threads,
}));

/** Whether a case that is measured on some setups is measured on this one: what is said of the embedded state is said of each number of threads. */
export function isMeasuredOn({ name, threads }: Setup, setups: readonly SetupName[]): boolean {
  return setups.includes(threads === undefined ? name : "sqlite");
}

export const SETUPS: readonly Setup[] = [
  { name: "sqlite", title: "one node, embedded state", isOnPostgres: false, nodes: 1 },
  { name: "live", title: "one node, embedded state, KVK's API", isOnPostgres: false, isLive: true, nodes: 1 },
  { name: "postgres", title: "one node, PostgreSQL", isOnPostgres: true, nodes: 1 },
  { name: "two-nodes", title: "two nodes, PostgreSQL", isOnPostgres: true, nodes: 2 },
];
