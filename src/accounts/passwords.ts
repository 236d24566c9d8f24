import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { PersonRefusal } from "./refusal.ts";

/** OWASP's least for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;
/** Each takes 19 MiB and a thread of the pool that DNS and files use too. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 100;

const derive = promisify(argon2);
const FORM =
  /^\$argon2id\$v=19\$m=([0-9]{1,7}),t=([0-9]{1,3}),p=([0-9]{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Hashes passwords, off the event loop and few at once. Texts are normalised (NFKC), so that a password typed on another
 * keyboard is the same one.
 */
export class Passwords {
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  /** The hash of nothing: random bytes take as long to compare with as a real one. */
  readonly #dummy = written(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

  constructor({ mostWaiting = MOST_WAITING }: { readonly mostWaiting?: number } = {}) {
    this.#mostWaiting = mostWaiting;
  }

  /** A new hash with a salt of its own, in the PHC string format. @throws {PersonRefusal} busy */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return written(salt, await this.#inTurn(password, salt, COST, HASH_BYTES));
  }

  /**
   * Whether a password is the hashed one. Without a hash the answer is no, after the same work: how long it takes must
   * not tell whether there is an account. @throws {PersonRefusal} busy
   */
  async verify(password: string, hash: string | undefined): Promise<boolean> {
    const [, memory, passes, parallelism, salt = "", expected = ""] = FORM.exec(hash ?? this.#dummy) ?? [];
    const wanted = Buffer.from(expected, "base64");
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const made = await this.#inTurn(password, Buffer.from(salt, "base64"), cost, wanted.length);
    return timingSafeEqual(made, wanted) && hash !== undefined;
  }

  async #inTurn(password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Promise<Buffer> {
    if (this.#underWay >= MOST_AT_ONCE) {
      if (this.#waiting.length >= this.#mostWaiting) {
        throw new PersonRefusal("busy", "too many people sign in at once; try again in a few seconds", 5);
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#underWay += 1;
    try {
      return await derive("argon2id", { message: password.normalize("NFKC"), nonce, tagLength, ...cost });
    } finally {
      // The next one takes this place; it is given up only when nobody waits.
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }
}

/** The PHC string format. */
function written(salt: Buffer, hash: Buffer): string {
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** The PHC string format leaves out the padding. */
function unpadded(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
