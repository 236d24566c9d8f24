import { createHmac, timingSafeEqual } from "node:crypto";
import { KEY_KINDS, type KeyKind } from "../contract/keyKinds.ts";
import { contentOfToken, tokenOf } from "../contract/tokenForm.ts";
import { type SecretStore, stateSecret } from "./secrets.ts";

/** Which secret of the state signs tokens. */
const SECRET = "browser tokens";
const SIGNATURE_BYTES = 32;
const VERSION = "1";
const MINUTE_MS = 60_000;

/** What a token says: whose calls are charged, and what they may be. */
export interface TokenClaims {
  /** The key that it was made with: it is charged, and the token ends with it. */
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** The one page that may use it, as a browser tells its origin. */
  readonly origin: string;
  /** The one typing session that it is for. */
  readonly session: string;
  /** Basic lookups, beside autocomplete. */
  readonly mayLookUp: boolean;
}

/**
 * Tokens for pages whose owner wants no key there at all. They are signed and not stored: any node and thread reads them without asking, nothing has
 * to be swept, and what ends them before their time, the end of their key, is asked with each call anyway.
 */
export class BrowserTokens {
  readonly #stored: () => Promise<string>;
  readonly #now: () => number;
  #secret: Buffer | undefined;

  constructor(store: SecretStore, now: () => number) {
    this.#stored = stateSecret(store, SECRET);
    this.#now = now;
  }

  /** A new token, and when it ends. @throws {StoreUnavailable} when the secret has not been read yet and the state is away */
  async make(claims: TokenClaims, minutes: number): Promise<{ token: string; expiresAt: string }> {
    const secret = await this.#ask();
    const endSeconds = Math.ceil((this.#now() + minutes * MINUTE_MS) / 1_000);
    const { keyId, keyKind, origin, session, mayLookUp } = claims;
    const said = [VERSION, keyId, keyKind, origin, session, mayLookUp ? "1" : "0", endSeconds].join("\n");
    const content = Buffer.concat([Buffer.from(said, "utf8"), signatureOf(secret, said)]);
    return { token: tokenOf(content), expiresAt: new Date(endSeconds * 1_000).toISOString() };
  }

  /**
   * What a token says; `undefined` for one that was not made here, was changed, or has ended. At once where the secret is known.
   * @throws {StoreUnavailable} (the promise) as {@link make}
   */
  read(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined> {
    const content = contentOfToken(token);
    if (content === undefined || content.length <= SIGNATURE_BYTES) return undefined;
    if (this.#secret !== undefined) return this.#read(content, this.#secret);
    return this.#ask().then((secret) => this.#read(content, secret));
  }

  #read(content: Buffer, secret: Buffer): TokenClaims | undefined {
    const said = content.subarray(0, -SIGNATURE_BYTES).toString("utf8");
    if (!timingSafeEqual(signatureOf(secret, said), content.subarray(-SIGNATURE_BYTES))) return undefined;
    const [version, keyId, kind, origin, session, mayLookUp, endSeconds] = said.split("\n");
    const keyKind = KEY_KINDS.find((known) => known === kind);
    if (version !== VERSION || keyKind === undefined) return undefined;
    if (keyId === undefined || origin === undefined || session === undefined) return undefined;
    if (!(Number(endSeconds) * 1_000 > this.#now())) return undefined;
    return { keyId, keyKind, origin, session, mayLookUp: mayLookUp === "1" };
  }

  async #ask(): Promise<Buffer> {
    this.#secret ??= Buffer.from(await this.#stored(), "hex");
    return this.#secret;
  }
}

function signatureOf(secret: Buffer, said: string): Buffer {
  return createHmac("sha256", secret).update(said, "utf8").digest();
}
