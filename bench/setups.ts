/** How the service stands: its store, and how many nodes share it. */
export interface Setup {
  readonly name: "sqlite" | "live" | "postgres" | "two-nodes";
  readonly title: string;
  readonly isOnPostgres: boolean;
  /** With KVK's API, simulated, as a live source beside the snapshot. */
  readonly isLive?: true;
  readonly nodes: number;
}
export type SetupName = Setup["name"];

export const SETUPS: readonly Setup[] = [
  { name: "sqlite", title: "one node, embedded state", isOnPostgres: false, nodes: 1 },
  { name: "live", title: "one node, embedded state, KVK's API", isOnPostgres: false, isLive: true, nodes: 1 },
  { name: "postgres", title: "one node, PostgreSQL", isOnPostgres: true, nodes: 1 },
  { name: "two-nodes", title: "two nodes, PostgreSQL", isOnPostgres: true, nodes: 2 },
];
