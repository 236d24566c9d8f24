import type { Rejection } from "../../company/rejection.ts";
import type { Found, NoLiveAnswer } from "../liveSource.ts";
import { readSignals, type SignalPage } from "../mutations/readSignals.ts";
import type { SignalQuery } from "../mutations/signalPulls.ts";
import { NO_SUCH_ADDRESS, UNREADABLE } from "./codes.ts";
import type { KvkResult } from "./results.ts";

/** KVK allows 10 to 500. */
const PER_PAGE = 500;

/** Reads a page of the signals of a subscription. A missing subscription is an error of the operator. */
export async function askForSignals(
  subscription: string,
  { fromMs, untilMs, page }: SignalQuery,
  ask: (path: string) => Promise<KvkResult>,
  note: (leftOut: readonly Rejection[]) => void,
): Promise<Found<SignalPage> | NoLiveAnswer> {
  const query = new URLSearchParams({
    vanaf: momentOf(fromMs),
    tot: momentOf(untilMs),
    pagina: String(page),
    aantal: String(PER_PAGE),
  });
  const result = await ask(`/v1/abonnementen/${encodeURIComponent(subscription)}?${query}`);
  if (result.kind === "no-answer") return result;
  if (result.kind === "not-found") return NO_SUCH_ADDRESS;
  const leftOut: Rejection[] = [];
  const value = readSignals(result.value, leftOut);
  note(leftOut);
  return value === undefined ? UNREADABLE : { ...result, value };
}

/** ISO 8601 UTC in whole seconds. */
function momentOf(unixMs: number): string {
  return `${new Date(unixMs).toISOString().slice(0, 19)}Z`;
}
