import { asFailure, type Failure } from "../../../../api/failure.ts";
import type { Batch, Call } from "../../../../api/publicApi.ts";
import { type Answer, answersIn } from "./answers.ts";

/** The API takes so many numbers in a call. */
const MOST_IN_CALL = 100;
const SECOND_MS = 1_000;
/** After an outage it is asked again in so many seconds, each time later; after the last one it stops. */
const PAUSES_SECONDS = [2, 4, 8, 15, 30, 60, 60, 60];
/** A wait that a service names is kept to an hour: the list is then stopped, and goes on when the reader says so. */
const MOST_WAIT_SECONDS = 3_600;

/** Why a list goes no further. `quota`: the month's tokens do not pay for one more number. */
export type Stopped = "asked" | "quota" | "outage" | "session" | "forbidden" | "elsewhere" | "other";
export type Ending = "done" | Stopped;

/** Until when nothing is asked, and why: the minute's limit, or no answer at all. */
export interface Pause {
  readonly untilMs: number;
  readonly why: "rate" | "outage";
}

/** What a list is asked with; tests hand over their own. */
export interface RunParts {
  readonly ask: (numbers: readonly string[], enrich: boolean) => Promise<Call<Batch>>;
  /** Resolves after so many milliseconds, or when the list is to stop. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** Told before so many numbers are asked: until they are kept they may be paid for without being here; 0 when they were refused. */
  readonly underWay: (size: number) => Promise<void>;
  /** Keeps the answers to a part before the next is asked. */
  readonly keep: (answers: readonly Answer[], cost: Call<Batch>["cost"]) => Promise<void>;
  readonly pause: (pause: Pause | undefined) => void;
}

interface Wanted {
  /** Those that have no answer yet, each once. */
  readonly numbers: readonly string[];
  readonly enrich: boolean;
  /** Tokens for each number at most. */
  readonly price: number;
}

/**
 * Asks for a list in parts of what a call takes and the balance pays for. It waits where the minute's limit or an outage says
 * so, and stops where waiting does not help. The part under way when it is told to stop is paid for, so it is kept.
 */
export async function runList(parts: RunParts, wanted: Wanted, signal: AbortSignal): Promise<Ending> {
  let next = 0;
  let most = MOST_IN_CALL;
  let failures = 0;
  while (next < wanted.numbers.length) {
    if (signal.aborted) return "asked";
    if (most === 0) return "quota";
    const numbers = wanted.numbers.slice(next, next + most);
    await parts.underWay(numbers.length);
    const asked = await askOnce(parts, numbers, wanted.enrich);
    if ("call" in asked && "body" in asked.call.outcome) {
      const { outcome, cost } = asked.call;
      await parts.keep(answersIn(numbers, outcome.body), cost);
      next += numbers.length;
      failures = 0;
      most = affordable(cost.remaining, wanted.price);
      continue;
    }
    const { failure, remaining } = refusalOf(asked);
    if (failure.code !== "UNREACHABLE") await parts.underWay(0);
    const stopped = STOPS[failure.code];
    if (stopped !== undefined) return stopped;
    if (failure.code === "QUOTA_EXCEEDED") {
      most = Math.min(affordable(remaining, wanted.price), numbers.length - 1);
      continue;
    }
    const isRate = failure.code === "RATE_LIMIT_EXCEEDED";
    if (!isRate) failures += 1;
    const seconds = waitFor(failure, isRate ? 1 : PAUSES_SECONDS[failures - 1]);
    if (seconds === undefined) return isRate ? "other" : "outage";
    await waited(
      parts,
      { untilMs: parts.now() + seconds * SECOND_MS, why: isRate ? "rate" : "outage" },
      signal,
    );
  }
  return "done";
}

/** Failures after which nothing changes by waiting. */
const STOPS: Partial<Record<Failure["code"], Stopped>> = {
  UNAUTHORIZED: "session",
  FORBIDDEN: "forbidden",
  INVALID_REQUEST: "other",
  INVALID_KVK_NUMBER: "other",
  PAYLOAD_TOO_LARGE: "other",
  ROUTE_NOT_FOUND: "other",
  METHOD_NOT_ALLOWED: "other",
  UNSUPPORTED_MEDIA_TYPE: "other",
};

type Asked = { readonly call: Call<Batch> } | { readonly failure: Failure };

async function askOnce(parts: RunParts, numbers: readonly string[], enrich: boolean): Promise<Asked> {
  try {
    return { call: await parts.ask(numbers, enrich) };
  } catch (error) {
    return { failure: asFailure(error) };
  }
}

function refusalOf(asked: Asked): { readonly failure: Failure; readonly remaining: number | undefined } {
  if ("failure" in asked) return { failure: asked.failure, remaining: undefined };
  const { outcome, cost } = asked.call;
  if ("failure" in outcome) return { failure: outcome.failure, remaining: cost.remaining };
  throw new Error("an answer is no refusal");
}

/** How many numbers the balance pays for in a call, whatever is found. */
function affordable(remaining: number | undefined, price: number): number {
  if (remaining === undefined) return MOST_IN_CALL;
  return Math.min(MOST_IN_CALL, Math.floor(remaining / price));
}

/** How long to wait by what the service says, else as often before; undefined when it is no use. */
function waitFor({ retryAfterSeconds }: Failure, otherwise: number | undefined): number | undefined {
  if (otherwise === undefined) return undefined;
  const seconds = Math.max(retryAfterSeconds ?? 0, otherwise);
  return seconds > MOST_WAIT_SECONDS ? undefined : seconds;
}

async function waited(parts: RunParts, pause: Pause, signal: AbortSignal): Promise<void> {
  parts.pause(pause);
  await parts.sleep(pause.untilMs - parts.now(), signal);
  parts.pause(undefined);
}

/** Sleeps by the clock of the browser. */
export function sleepOrStop(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
