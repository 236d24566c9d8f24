/** How something is. A `warning` does not keep the service from working; a `problem` does, or will. */
export type Condition = "good" | "warning" | "problem";

export interface Diagnosis {
  readonly check: string;
  readonly condition: Condition;
  /** What was found. */
  readonly found: string;
  /** What to do about it; absent when it is good. */
  readonly remedy?: string;
}

/** What a check finds; its name is put to it by whoever runs it. */
export type Found = Omit<Diagnosis, "check">;

export const good = (found: string): Found => ({ condition: "good", found });
export const warning = (found: string, remedy: string): Found => ({ condition: "warning", found, remedy });
export const problem = (found: string, remedy: string): Found => ({ condition: "problem", found, remedy });

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

const HOUR_MS = 3_600_000;

/** `5 hours`, `3 days` */
export function spanOf(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
