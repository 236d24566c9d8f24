import type { Failure, FailureCode } from "../api/failure.ts";

/** Texts of a screen that replace the usual ones of failures; a function takes the time to wait. */
export type FailureTexts = Readonly<
  Partial<Record<FailureCode, string | ((wait: string) => string) | undefined>>
>;

/** Returns the screen's text for a failure, if it has one. */
export function failureText(
  failure: Failure | undefined,
  texts: FailureTexts,
  duration: (seconds: number) => string,
): string | undefined {
  if (failure === undefined) return undefined;
  const text = texts[failure.code];
  return typeof text === "function" ? text(duration(Math.max(1, failure.retryAfterSeconds ?? 60))) : text;
}
