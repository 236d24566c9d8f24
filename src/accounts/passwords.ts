import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { POOLS } from "../contract/pools.ts";
import { TurnQueue, type TurnTaker, type TurnTerms } from "../lib/turns.ts";
import { PersonRefusal } from "./refusal.ts";

/** What one hash takes. */
export interface HashCost {
  /** KiB */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's least for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Each takes 19 MiB and a thread of the pool that DNS and files use too, which is one for all threads of a process. */
const MOST_AT_ONCE = 2;
/** Who waits longer gives up: a person has tried again by then. */
export const MOST_HASHING_WAIT_MS = 5_000;
const BUSY_FOR_SECONDS = 5;

const derive = promisify(argon2);
const FORM =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordsOptions {
  /** Of new hashes. Tests of something else than passwords take less. */
  readonly cost?: HashCost;
  /** Turns at hashing, shared with whoever hashes in this process; its own when left out. */
  readonly turns?: TurnQueue;
}

/** Turns at hashing, for a whole process. */
export function hashingTurns(terms: Partial<TurnTerms> = {}): TurnQueue {
  return new TurnQueue({
    atOnce: MOST_AT_ONCE,
    places: POOLS.hashing,
    mostWaitMs: MOST_HASHING_WAIT_MS,
    ...terms,
  });
}

/**
 * Hashes passwords, off the event loop and few at once. Texts are normalised (NFKC), so that a password typed on another
 * keyboard is the same one.
 */
export class Passwords {
  readonly #cost: HashCost;
  readonly #turns: TurnQueue;
  /** The hash of nothing: random bytes take as long to compare with as a real one. */
  readonly #dummy: string;

  constructor({ cost = COST, turns = hashingTurns() }: PasswordsOptions = {}) {
    this.#cost = cost;
    this.#dummy = written(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
    this.#turns = turns;
  }

  /**
   * A new hash with a salt of its own, in the PHC string format.
   * @throws {PersonRefusal} busy
   */
  async hash(password: string, taker?: TurnTaker): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return written(this.#cost, salt, await this.#inTurn(password, salt, this.#cost, HASH_BYTES, taker));
  }

  /**
   * Whether a password is the hashed one. Without a hash the answer is no, after the same work: how long it takes must
   * not tell whether there is an account. @throws {PersonRefusal} busy
   */
  async verify(password: string, hash: string | undefined, taker?: TurnTaker): Promise<boolean> {
    const [, memory, passes, parallelism, salt = "", expected = ""] = FORM.exec(hash ?? this.#dummy) ?? [];
    const wanted = Buffer.from(expected, "base64");
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const made = await this.#inTurn(password, Buffer.from(salt, "base64"), cost, wanted.length, taker);
    return timingSafeEqual(made, wanted) && hash !== undefined;
  }

  async #inTurn(
    password: string,
    nonce: Buffer,
    cost: HashCost,
    tagLength: number,
    taker: TurnTaker | undefined,
  ): Promise<Buffer> {
    const end = await this.#turns.take(taker);
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
    "too many people sign in at once; try again in a few seconds",
    BUSY_FOR_SECONDS,
  );
}

/** The PHC string format. */
function written({ memory, passes, parallelism }: HashCost, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** The PHC string format leaves out the padding. */
function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
