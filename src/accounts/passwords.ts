import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { POOLS } from "../contract/pools.ts";
import { FairQueue, type FairQueueOptions, type Waiter } from "../lib/fairQueue.ts";
import { PersonRefusal } from "./refusal.ts";

/** The cost of one hash. */
export interface HashCost {
  /** KiB */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's minimum for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Each hash takes 19 MiB and a thread of libuv's pool, which DNS and files share. */
const MAX_AT_ONCE = 2;
/** The longest wait for a turn, after which a person has probably tried again. */
const MAX_HASHING_WAIT_MS = 5_000;
const BUSY_FOR_SECONDS = 5;

const derive = promisify(argon2);
const FORM =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordsOptions {
  /** Cost of new hashes. Lower in tests that are not about passwords. */
  readonly cost?: HashCost;
  /** The process-wide queue for hashing; a new one by default. */
  readonly turns?: FairQueue;
}

/** Returns the queue for hashing of a process. */
export function hashingTurns(terms: Partial<FairQueueOptions> = {}): FairQueue {
  return new FairQueue({
    concurrency: MAX_AT_ONCE,
    limits: POOLS.hashing,
    maxWaitMs: MAX_HASHING_WAIT_MS,
    ...terms,
  });
}

/**
 * Hashes passwords off the event loop, a few at a time. Texts are normalised (NFKC), so that a password typed on
 * another keyboard is the same.
 */
export class Passwords {
  readonly #cost: HashCost;
  readonly #turns: FairQueue;
  /** A hash of random bytes, which takes as long to compare as a real one. */
  readonly #dummy: string;

  constructor({ cost = COST, turns = hashingTurns() }: PasswordsOptions = {}) {
    this.#cost = cost;
    this.#dummy = phcString(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
    this.#turns = turns;
  }

  /** Returns a salted hash in the PHC string format. @throws {PersonRefusal} (the promise) busy */
  async hash(password: string, waiter?: Waiter): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return phcString(this.#cost, salt, await this.#inTurn(password, salt, this.#cost, HASH_BYTES, waiter));
  }

  /**
   * Whether a password matches a hash. Without a hash it returns false after the same work, so that the time does not
   * show whether the account exists. @throws {PersonRefusal} (the promise) busy
   */
  async verify(password: string, hash: string | undefined, waiter?: Waiter): Promise<boolean> {
    const [, memory, passes, parallelism, salt = "", expected = ""] = FORM.exec(hash ?? this.#dummy) ?? [];
    const stored = Buffer.from(expected, "base64");
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const computed = await this.#inTurn(password, Buffer.from(salt, "base64"), cost, stored.length, waiter);
    return timingSafeEqual(computed, stored) && hash !== undefined;
  }

  async #inTurn(
    password: string,
    nonce: Buffer,
    cost: HashCost,
    tagLength: number,
    waiter: Waiter | undefined,
  ): Promise<Buffer> {
    const end = await this.#turns.acquire(waiter);
    if (end === undefined) throw busy();
    try {
      return await derive("argon2id", { message: password.normalize("NFKC"), nonce, tagLength, ...cost });
    } finally {
      end();
    }
  }
}

function busy(): PersonRefusal {
  return new PersonRefusal(
    "busy",
    "too many people are signing in at once; try again in a few seconds",
    BUSY_FOR_SECONDS,
  );
}

/** Returns a hash in the PHC string format. */
function phcString({ memory, passes, parallelism }: HashCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Returns base64 without padding, as the PHC string format requires. */
function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/(?<!=)=+$/, "");
}
