import type { Failure, FailureCode } from "../api/failure.ts";

/** Texts for failures that a screen explains better than their codes do; a text for a limit takes the time to wait. */
export type FailureTexts = Readonly<
  Partial<Record<FailureCode, string | ((wait: string) => string) | undefined>>
>;

/** The text of a screen for a failure; undefined where it has none. */
export function failureText(
  failure: Failure | undefined,
  says: FailureTexts,
  duration: (seconds: number) => string,
): string | undefined {
  if (failure === undefined) return undefined;
  const text = says[failure.code];
  return typeof text === "function" ? text(duration(Math.max(1, failure.retryAfterSeconds ?? 60))) : text;
}
