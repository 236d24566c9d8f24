import type { KvkNumber } from "../../contract/numbers.ts";

/** A monitored company, and when KVK's API last answered about it: Unix milliseconds, 0 if it never did. */
export interface MonitoredAnswer {
  readonly kvkNumber: KvkNumber;
  readonly answeredAtMs: number;
}

/** A signal of the Mutatieservice that a company has changed. */
export interface Signal {
  readonly id: string;
  readonly kvkNumber: KvkNumber;
  /** It names a branch. */
  readonly isAboutBranch: boolean;
  /** When KVK registered the change, Unix milliseconds. */
  readonly atMs: number;
}
