import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
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
/** Each takes 19 MiB and a thread of the pool that DNS and files use too. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 100;
/** Who waits longer gives up: a person has tried again by then. */
const MOST_WAIT_MS = 5_000;
const BUSY_FOR_SECONDS = 5;

const derive = promisify(argon2);
const FORM =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export interface PasswordsOptions {
  /** Of new hashes. Tests of something else than passwords take less. */
  readonly cost?: HashCost;
  readonly mostWaiting?: number;
  readonly mostWaitMs?: number;
}

/**
 * Hashes passwords, off the event loop and few at once. Texts are normalised (NFKC), so that a password typed on another
 * keyboard is the same one.
 */
export class Passwords {
  readonly #cost: HashCost;
  readonly #mostWaiting: number;
  readonly #mostWaitMs: number;
  /** Those whose turn comes, the first one first. */
  readonly #waiting = new Set<() => void>();
  #underWay = 0;
  /** The hash of nothing: random bytes take as long to compare with as a real one. */
  readonly #dummy: string;

  constructor({ cost = COST, mostWaiting = MOST_WAITING, mostWaitMs = MOST_WAIT_MS }: PasswordsOptions = {}) {
    this.#cost = cost;
    this.#dummy = written(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
    this.#mostWaiting = mostWaiting;
    this.#mostWaitMs = mostWaitMs;
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * A new hash with a salt of its own, in the PHC string format.
   * @param gone ends the wait of who has hung up
   * @throws {PersonRefusal} busy
   */
  async hash(password: string, gone?: AbortSignal): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return written(this.#cost, salt, await this.#inTurn(password, salt, this.#cost, HASH_BYTES, gone));
  }

  /**
   * Whether a password is the hashed one. Without a hash the answer is no, after the same work: how long it takes must
   * not tell whether there is an account. @throws {PersonRefusal} busy
   */
  async verify(password: string, hash: string | undefined, gone?: AbortSignal): Promise<boolean> {
    const [, memory, passes, parallelism, salt = "", expected = ""] = FORM.exec(hash ?? this.#dummy) ?? [];
    const wanted = Buffer.from(expected, "base64");
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const made = await this.#inTurn(password, Buffer.from(salt, "base64"), cost, wanted.length, gone);
    return timingSafeEqual(made, wanted) && hash !== undefined;
  }

  async #inTurn(
    password: string,
    nonce: Buffer,
    cost: HashCost,
    tagLength: number,
    gone: AbortSignal | undefined,
  ): Promise<Buffer> {
    await this.#turn(gone);
    try {
      return await derive("argon2id", { message: password.normalize("NFKC"), nonce, tagLength, ...cost });
    } finally {
      // The next one takes this place; it is given up only when nobody waits.
      const [next] = this.#waiting;
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }

  /** Fulfilled with the turn; who does not get it in time, or has gone, waits no more. @throws {PersonRefusal} busy */
  #turn(gone: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (gone?.aborted === true) return reject(busy());
      if (this.#underWay < MOST_AT_ONCE) {
        this.#underWay += 1;
        return resolve();
      }
      if (this.#waiting.size >= this.#mostWaiting) return reject(busy());
      const leave = () => {
        this.#waiting.delete(begin);
        clearTimeout(timer);
        gone?.removeEventListener("abort", giveUp);
      };
      const begin = () => {
        leave();
        resolve();
      };
      const giveUp = () => {
        leave();
        reject(busy());
      };
      const timer = setTimeout(giveUp, this.#mostWaitMs);
      this.#waiting.add(begin);
      gone?.addEventListener("abort", giveUp, { once: true });
    });
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
