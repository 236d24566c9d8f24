import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import type { JobKind } from "../contract/jobs.ts";
import { POOLS, type Pool } from "../contract/pools.ts";
import type { ReceivedList } from "./listCollector.ts";
import type { Pace } from "./pace.ts";
import { type ListForm, type RunInTurn, receiveList } from "./receiving.ts";

const RETRY_SECONDS = 5;
/** Work shorter than this only yields the event loop; a timer would cost more. */
const WORK_MS = 4;

/** The account that sends a list. */
export interface Sender {
  readonly accountId: string;
  readonly isFree: boolean;
  /** Only the price is requested. */
  readonly isDryRun: boolean;
}

interface Occupant extends Sender {
  readonly kind: JobKind;
}

/**
 * Limits how many lists are received at once. Parsing a list takes up to a second of the event loop and costs no token. Dry runs and lists of
 * free tiers, which may be refused afterwards, are therefore parsed in the background in two queues: one for free tiers, one for others.
 */
export class ReceivingPlaces {
  readonly #receiving: Occupant[] = [];
  readonly #freeReader: RunInTurn;
  readonly #standardReader: RunInTurn;

  constructor(pace: Pick<Pace, "pauseAfter">) {
    this.#freeReader = sequentialReader(pace);
    this.#standardReader = sequentialReader(pace);
  }

  /** @throws {ApiError} (the promise) SERVICE_UNAVAILABLE if all places are taken, or as {@link receiveList} */
  async receive(stream: Readable, form: ListForm, kind: JobKind, sender: Sender): Promise<ReceivedList> {
    const dryRuns = this.#receiving.filter(({ isDryRun }) => isDryRun);
    const matchLists = this.#receiving.filter((other) => other.kind === "match");
    const full =
      (sender.isDryRun ? fullFor(sender, POOLS.dryRuns, dryRuns) : undefined) ??
      (kind === "match" ? fullFor(sender, POOLS.matchLists, matchLists) : undefined) ??
      fullFor(sender, POOLS.receiving, this.#receiving);
    if (full !== undefined) {
      throw new ApiError(
        "SERVICE_UNAVAILABLE",
        `too many lists${full} are being received; try again in ${RETRY_SECONDS} seconds`,
        { retryAfterSeconds: RETRY_SECONDS },
      );
    }
    const occupant = { ...sender, kind };
    this.#receiving.push(occupant);
    try {
      const dryRunReader = sender.isDryRun ? this.#standardReader : undefined;
      return await receiveList(stream, form, kind, sender.isFree ? this.#freeReader : dryRunReader);
    } finally {
      this.#receiving.splice(this.#receiving.indexOf(occupant), 1);
    }
  }
}

type SharedPool = Required<Pick<Pool, "slots" | "perAccount" | "freeTiers">> & Pick<Pool, "perFreeAccount">;

/** Returns whose limit is reached, for the error message; undefined when there is a free slot. */
function fullFor(
  { accountId, isFree }: Sender,
  { slots, perAccount, perFreeAccount = perAccount, freeTiers }: SharedPool,
  active: readonly Sender[],
): string | undefined {
  const ofAccount = active.filter((other) => other.accountId === accountId).length;
  if (ofAccount >= (isFree ? perFreeAccount : perAccount)) return " from this account";
  if (isFree && active.filter((other) => other.isFree).length >= freeTiers) return " from free plans";
  return active.length >= slots ? "" : undefined;
}

/** Returns a queue that reads one list at a time, in a tenth of the event loop's time while callers are active. */
function sequentialReader(pace: Pick<Pace, "pauseAfter">): RunInTurn {
  let last: Promise<unknown> = Promise.resolve();
  let unpaidMs = 0;
  const pause = async (workedMs: number) => {
    unpaidMs += workedMs;
    if (unpaidMs < WORK_MS) return nextTurn();
    const owedMs = unpaidMs;
    unpaidMs = 0;
    await pace.pauseAfter(owedMs);
  };
  return (read) => {
    const reading = last.then(() => read(pause));
    last = reading.catch(() => undefined);
    return reading;
  };
}
