import { createHmac, timingSafeEqual } from "node:crypto";
import { KEY_KINDS, type KeyKind } from "../contract/keyKinds.ts";
import { contentOfToken, tokenOf } from "../contract/tokenForm.ts";
import type { SecretQueries } from "./queries/persons.ts";
import { stateSecret } from "./secrets.ts";

/** Name of the state's secret that signs tokens. */
const SECRET = "browser tokens";
const SIGNATURE_BYTES = 32;
const VERSION = "1";
const MINUTE_MS = 60_000;

/** The content of a token. */
export interface TokenClaims {
  /** The key that created it. The key is charged, and the token ends with the key. */
  readonly keyId: string;
  readonly keyKind: KeyKind;
  /** The origin of the one page that may use it, as browsers send it. */
  readonly origin: string;
  /** Its one typing session. */
  readonly session: string;
  /** Allows basic lookups in addition to autocomplete. */
  readonly mayLookUp: boolean;
}

/**
 * Tokens for pages that should not contain a key. They are signed and not stored, so any node can verify them without
 * the state. A token ends early only with its key, which every call checks anyway.
 */
export class BrowserTokens {
  readonly #readSecret: () => Promise<string>;
  readonly #now: () => number;
  #secret: Buffer | undefined;

  constructor(store: SecretQueries, now: () => number) {
    this.#readSecret = stateSecret(store, SECRET);
    this.#now = now;
  }

  /**
   * Creates a token.
   * @throws {StoreUnavailable} (the promise) if the secret has not been read yet and the state is unavailable
   */
  async make(claims: TokenClaims, minutes: number): Promise<{ token: string; expiresAt: string }> {
    const secret = await this.#loadSecret();
    const endSeconds = Math.ceil((this.#now() + minutes * MINUTE_MS) / 1_000);
    const { keyId, keyKind, origin, session, mayLookUp } = claims;
    const signedText = [VERSION, keyId, keyKind, origin, session, mayLookUp ? "1" : "0", endSeconds].join(
      "\n",
    );
    const content = Buffer.concat([Buffer.from(signedText, "utf8"), signatureOf(secret, signedText)]);
    return { token: tokenOf(content), expiresAt: new Date(endSeconds * 1_000).toISOString() };
  }

  /**
   * Returns a token's content; `undefined` if it was not created here, was changed, or has expired. Synchronous once
   * the secret is known.
   * @throws {StoreUnavailable} (the promise) as {@link make}
   */
  read(token: string): TokenClaims | undefined | Promise<TokenClaims | undefined> {
    const content = contentOfToken(token);
    if (content === undefined || content.length <= SIGNATURE_BYTES) return undefined;
    if (this.#secret !== undefined) return this.#read(content, this.#secret);
    return this.#loadSecret().then((secret) => this.#read(content, secret));
  }

  #read(content: Buffer, secret: Buffer): TokenClaims | undefined {
    const signedText = content.subarray(0, -SIGNATURE_BYTES).toString("utf8");
    if (!timingSafeEqual(signatureOf(secret, signedText), content.subarray(-SIGNATURE_BYTES)))
      return undefined;
    const [version, keyId, kind, origin, session, mayLookUp, endSeconds] = signedText.split("\n");
    const keyKind = KEY_KINDS.find((known) => known === kind);
    if (version !== VERSION || keyKind === undefined) return undefined;
    if (keyId === undefined || origin === undefined || session === undefined) return undefined;
    if (!(Number(endSeconds) * 1_000 > this.#now())) return undefined;
    return { keyId, keyKind, origin, session, mayLookUp: mayLookUp === "1" };
  }

  async #loadSecret(): Promise<Buffer> {
    this.#secret ??= Buffer.from(await this.#readSecret(), "hex");
    return this.#secret;
  }
}

function signatureOf(secret: Buffer, signedText: string): Buffer {
  return createHmac("sha256", secret).update(signedText, "utf8").digest();
}
