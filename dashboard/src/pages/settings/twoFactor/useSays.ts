import type { Failure } from "../../../api/failure.ts";
import { useLanguage, useTexts } from "../../../language/language.tsx";
import { texts } from "./texts.ts";

/** What a failure means where a password or a code is asked for. Undefined where its code says it all. */
export function useSays(failure: Failure | undefined, gone: "tooLate" | "offAlready"): string | undefined {
  const t = useTexts(texts);
  const { duration } = useLanguage().formats;
  switch (failure?.code) {
    case "FORBIDDEN":
      return gone === "tooLate" && failure.message.includes("already") ? t.onAlready : t.passwordWrong;
    case "INVALID_REQUEST":
      return t.codeWrong;
    case "NOT_FOUND":
      return t[gone];
    case "RATE_LIMIT_EXCEEDED":
      return t.tries(duration(Math.max(1, failure.retryAfterSeconds ?? 60)));
    case "SERVICE_UNAVAILABLE":
      return t.away;
    default:
      return undefined;
  }
}
