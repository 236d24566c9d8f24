/** The condition of one dependency of a service. */
export interface Diagnosis {
  readonly check: string;
  /** A service works despite a warning. With a problem it does not, or soon will not. */
  readonly condition: "good" | "warning" | "problem";
  readonly found: string;
  readonly remedy?: string;
}

/** The result of a check; the caller adds the name of the check. */
export type Finding = Omit<Diagnosis, "check">;

export const good = (found: string): Finding => ({ condition: "good", found });
export const warning = (found: string, remedy: string): Finding => ({ condition: "warning", found, remedy });
export const problem = (found: string, remedy: string): Finding => ({ condition: "problem", found, remedy });

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
