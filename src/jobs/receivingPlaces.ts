import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { ApiError } from "../contract/errors.ts";
import { JOB_BOUNDS, type JobKind } from "../contract/jobs.ts";
import { POOLS } from "../contract/pools.ts";
import { FairQueue } from "../lib/fairQueue.ts";
import { SharedAmount } from "../lib/sharedAmount.ts";
import type { ReceivedList } from "./listCollector.ts";
import type { Pace } from "./pace.ts";
import { type ListForm, type Pause, receiveList } from "./receiving.ts";

const RETRY_SECONDS = 5;
/** The first bytes of a list, which take no room: as many as the body of any other call. */
const FREE_BYTES = 65_536;
/** The minimum memory of a row that was read. */
const ROW_BYTES = 200;
/** How long an upload waits for room before it is refused. */
const ROOM_WITHIN_MS = 5_000;
const ROOM_CHECK_MS = 50;
/** Lists that are being read, or wait to be read. */
const READING = { slots: 1_000, perAccount: 16 };
/** Longer than the lists before it take. */
const TURN_WITHIN_MS = 600_000;

/** The account that sends a list. */
export interface Sender {
  readonly accountId: string;
  readonly isFree: boolean;
  /** Only the price is requested. */
  readonly isDryRun: boolean;
}

type Pauses = Pick<Pace, "pauseAfter">;

/**
 * Receives lists in bounded memory, then reads them step by step. An upload only holds memory for the bytes that have
 * arrived. Reading takes up to seconds of the event loop and costs no token, so accounts take turns. Dry runs and lists
 * of free tiers each get a tenth of the time while callers are active.
 */
export class ReceivingPlaces {
  readonly #room = new SharedAmount(POOLS.receiving.slots, POOLS.receiving.perAccount);
  readonly #freeRoom = new SharedAmount(POOLS.receiving.freeTiers, POOLS.receiving.perFreeAccount);
  readonly #dryRunRoom = new SharedAmount(POOLS.dryRuns.slots, POOLS.dryRuns.perAccount);
  readonly #turns = oneByOne();
  readonly #freeTurns = oneByOne();
  readonly #dryRunTurns = oneByOne();
  readonly #pace: Pauses;

  constructor(pace: Pauses) {
    this.#pace = pace;
  }

  /**
   * @throws {ApiError} (the promise) SERVICE_UNAVAILABLE if there is no room for the list, or as {@link receiveList}
   */
  async receive(stream: Readable, form: ListForm, kind: JobKind, sender: Sender): Promise<ReceivedList> {
    const { accountId, isFree, isDryRun } = sender;
    const rooms = [this.#room, ...(isFree ? [this.#freeRoom] : []), ...(isDryRun ? [this.#dryRunRoom] : [])];
    let received = 0;
    let rows = 0;
    let held = 0;
    const onBytes = async (bytes: number, lineBreaks: number) => {
      received += bytes;
      rows = Math.min(rows + lineBreaks, JOB_BOUNDS.maxNumbers);
      const more = received > FREE_BYTES ? Math.max(received, rows * ROW_BYTES) - FREE_BYTES - held : 0;
      if (more === 0) return;
      await roomFor(more, accountId, rooms);
      held += more;
    };
    const turns = isFree ? this.#freeTurns : isDryRun ? this.#dryRunTurns : this.#turns;
    // Awaited before a turn ends, so that all lists of its queue together get this share of the time.
    const rest: Pause = (workedMs) => (isFree || isDryRun ? this.#pace.pauseAfter(workedMs) : nextTurn());
    try {
      return await receiveList(stream, form, kind, {
        onBytes,
        inTurn: (read) => inTurns(read, turns, accountId, rest),
      });
    } finally {
      for (const room of rooms) room.hold(accountId, -held);
    }
  }
}

/** Gives a list a turn for each step. */
async function inTurns<T>(
  read: (pause: Pause) => Promise<T>,
  turns: FairQueue,
  accountId: string,
  rest: Pause,
): Promise<T> {
  let endTurn = await turnOf(accountId, turns);
  try {
    return await read(async (workedMs) => {
      await rest(workedMs);
      endTurn();
      endTurn = await turnOf(accountId, turns);
    });
  } finally {
    endTurn();
  }
}

function oneByOne(): FairQueue {
  return new FairQueue({ concurrency: 1, limits: READING, maxWaitMs: TURN_WITHIN_MS });
}

/** Waits for the turn of an account. @returns a function that ends it @throws {ApiError} (the promise) */
async function turnOf(account: string, turns: FairQueue): Promise<() => void> {
  const endTurn = await turns.acquire({ account });
  if (endTurn === undefined) throw noRoom();
  return endTurn;
}

/** Waits shortly until an account may hold more bytes. @throws {ApiError} (the promise) */
async function roomFor(bytes: number, accountId: string, rooms: readonly SharedAmount[]): Promise<void> {
  for (let waitedMs = 0; !rooms.every((room) => room.hasRoom(accountId, bytes)); waitedMs += ROOM_CHECK_MS) {
    if (waitedMs >= ROOM_WITHIN_MS) throw noRoom();
    await wait(ROOM_CHECK_MS);
  }
  for (const room of rooms) room.hold(accountId, bytes);
}

function noRoom(): ApiError {
  return new ApiError(
    "SERVICE_UNAVAILABLE",
    `too many lists are being received; try again in ${RETRY_SECONDS} seconds`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
