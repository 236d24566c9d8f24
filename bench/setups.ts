/** How the service stands: its store, and how many nodes share it. */
export interface Setup {
  readonly name: "sqlite" | "live" | "postgres" | "two-nodes" | `workers-${number}`;
  readonly title: string;
  readonly isOnPostgres: boolean;
  /** With KVK's API, simulated, as a live source beside the snapshot. */
  readonly isLive?: true;
  readonly nodes: number;
  /** Processes of each node (`WORKERS`); one when left out. */
  readonly workers?: number;
}
export type SetupName = Setup["name"];

/** Of these a curve is made; they are measured when they are asked for. */
const WORKERS = [1, 2, 3, 4] as const;

export const CURVE: readonly Setup[] = WORKERS.map((workers) => ({
  name: `workers-${workers}`,
  title: `one node, PostgreSQL, WORKERS=${workers}`,
  isOnPostgres: true,
  nodes: 1,
  workers,
}));

/** Whether a case that is measured on some setups is measured on this one: cases of PostgreSQL are measured with any number of workers. */
export function isMeasuredOn({ name, workers }: Setup, setups: readonly SetupName[]): boolean {
  return setups.includes(workers === undefined ? name : "postgres");
}

export const SETUPS: readonly Setup[] = [
  { name: "sqlite", title: "one node, embedded state", isOnPostgres: false, nodes: 1 },
  { name: "live", title: "one node, embedded state, KVK's API", isOnPostgres: false, isLive: true, nodes: 1 },
  { name: "postgres", title: "one node, PostgreSQL", isOnPostgres: true, nodes: 1 },
  { name: "two-nodes", title: "two nodes, PostgreSQL", isOnPostgres: true, nodes: 2 },
];
