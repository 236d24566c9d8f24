import { randomBytes } from "node:crypto";
import type { RecoveryCodes, TwoFactorSecret, TwoFactorState } from "../contract/twoFactorResources.ts";
import { base32 } from "../lib/base32.ts";
import type { Attempts } from "./attempts.ts";
import type { PeopleParts } from "./parts.ts";
import { PersonRefusal } from "./refusal.ts";
import { open, type SealKeys, SealUnavailable, seal } from "./sealing.ts";
import type { StoredTwoFactor, UsableCode } from "./secondFactors.ts";
import { hashToken } from "./secrets.ts";
import type { SignedIn } from "./sessions.ts";
import type { Account } from "./stored.ts";
import { keyUri, looksLikeCode, stepOfCode, TOTP_SECRET_BYTES } from "./totp.ts";

const RECOVERY_CODES = 10;
/** 80 bits cannot be found from a hash, so the hash needs no salt. */
const RECOVERY_BYTES = 10;
/** A new secret must be confirmed with a first code within this time. */
const SETUP_LIFETIME_MS = 15 * 60_000;
const RETRY_AFTER_SECONDS = 60;

interface TwoFactorParts extends Pick<PeopleParts, "store" | "limits" | "notify" | "now" | "onError"> {
  readonly keys: SealKeys;
  /** Whether people may turn it on: not if nodes would need a shared key and have none. */
  readonly isOffered: boolean;
}

/** Two-factor sign-in: codes of a person's device, and recovery codes in case it is lost. Each code works once. */
export class TwoFactor {
  readonly #parts: TwoFactorParts;

  constructor(parts: TwoFactorParts) {
    this.#parts = parts;
  }

  async state(accountId: string): Promise<TwoFactorState> {
    const { store, isOffered } = this.#parts;
    const stored = await store.twoFactor(accountId);
    if (stored?.onSince === undefined) return { isOffered, isOn: false };
    return { isOffered, isOn: true, since: stored.onSince, recoveryCodesLeft: stored.codesLeft };
  }

  /**
   * Creates a secret, which takes effect with a first code. The caller has checked the password.
   * @throws {PersonRefusal} (the promise) once, input
   */
  async begin({ id, email }: Account): Promise<TwoFactorSecret> {
    const { store, isOffered, keys, now } = this.#parts;
    if (!isOffered) {
      throw new PersonRefusal(
        "input",
        "two-factor sign-in is not available here: the operator must set TWO_FACTOR_KEY",
      );
    }
    const secret = randomBytes(TOTP_SECRET_BYTES);
    const sealed = this.#whereOpen(() => seal(keys, secret, id));
    if (!(await store.beginTwoFactor(id, sealed, now()))) throw isOnAlready();
    return { secret: base32(secret), uri: keyUri(secret, email) };
  }

  /**
   * Turns it on with a first code and ends every other session.
   * @throws {PersonRefusal} (the promise) code, once, nothing, tries, away
   */
  async turnOn({ person, session }: SignedIn, code: string): Promise<RecoveryCodes> {
    const { store, now } = this.#parts;
    const { id } = person.account;
    const begun = await store.twoFactor(id);
    if (begun?.onSince !== undefined) throw isOnAlready();
    if (begun === undefined || now() - begun.begunAtMs > SETUP_LIFETIME_MS) {
      throw new PersonRefusal("not-found", "this setup has expired: start again with a new QR code");
    }
    const codes = newRecoveryCodes();
    await this.#counted(id, async () => {
      const usable = this.#usable(id, begun, code);
      if (usable?.kind !== "device") return undefined;
      const at = new Date(now()).toISOString();
      const recoveryHashes = codes.map((text) => recoveryHash(id, text));
      const { sealed, step } = usable;
      const turnedOn = await store.turnOnTwoFactor(id, {
        sealed,
        step,
        at,
        recoveryHashes,
        sessionId: session.id,
      });
      return turnedOn || undefined;
    });
    await this.#parts.notify("two-factor-on", person);
    return { codes };
  }

  /**
   * Replaces the recovery codes. The caller has checked the password.
   * @throws {PersonRefusal} (the promise) code, nothing, tries, away
   */
  async renewCodes({ person }: SignedIn, code: string): Promise<RecoveryCodes> {
    const { id } = person.account;
    const codes = newRecoveryCodes();
    const hashes = codes.map((text) => recoveryHash(id, text));
    await this.#change(id, code, (usable) => this.#parts.store.renewRecoveryCodes(id, usable, hashes));
    return { codes };
  }

  /**
   * Turns it off. The caller has checked the password.
   * @throws {PersonRefusal} (the promise) code, nothing, tries, away
   */
  async turnOff({ person }: SignedIn, code: string): Promise<void> {
    const { id } = person.account;
    await this.#change(id, code, (usable) => this.#parts.store.turnOffTwoFactor(id, usable));
    await this.#parts.notify("two-factor-off", person);
  }

  /**
   * Does work that needs a second factor, after the right password. Without two-factor sign-in no code is needed.
   * @param use uses the code up; returns undefined if it was already used
   * @throws {PersonRefusal} (the promise) code, tries, away
   */
  async passing<T>(
    accountId: string,
    code: string | undefined,
    use: (usable: UsableCode | undefined) => Promise<T | undefined>,
  ): Promise<T | "code needed" | undefined> {
    const stored = await this.#parts.store.twoFactor(accountId);
    if (stored?.onSince === undefined) return use(undefined);
    if (code === undefined || code.trim() === "") return "code needed";
    return this.#counted(accountId, async () => {
      const usable = this.#usable(accountId, stored, code);
      return usable && use(usable);
    });
  }

  /**
   * Resets the count of wrong codes when the password changes, because they were tried with the old one. The daily
   * count stays: someone with access to the mailbox, or with a session and the password, could otherwise set new
   * passwords repeatedly and guess codes without end.
   */
  async clearTries(accountId: string): Promise<void> {
    await this.#parts.limits.clear("code", accountId);
  }

  async #change(
    accountId: string,
    code: string,
    use: (usable: UsableCode) => Promise<boolean>,
  ): Promise<void> {
    const done = await this.passing(accountId, code, async (usable) => {
      if (usable === undefined) throw new PersonRefusal("not-found", "two-factor sign-in is off");
      return (await use(usable)) || undefined;
    });
    if (done !== true) throw wrongCode();
  }

  /** Counts an attempt before the work, and gives it back after a right code or an outage. */
  async #counted<T>(accountId: string, work: () => Promise<T | undefined>): Promise<T> {
    const { limits } = this.#parts;
    // Counted only after the right password, so that strangers cannot use these up.
    const counted: Attempts = [
      ["code", accountId],
      ["code day", accountId],
    ];
    const result = await limits.attempt(counted, work);
    if (result === undefined) throw wrongCode();
    await limits.giveBack(counted);
    return result;
  }

  #usable(accountId: string, { sealed, lastStep }: StoredTwoFactor, text: string): UsableCode | undefined {
    const code = text.replace(/[\s-]/g, "").toUpperCase();
    if (!looksLikeCode(code)) return { kind: "recovery", hash: recoveryHash(accountId, code) };
    const secret = this.#whereOpen(() => open(this.#parts.keys, sealed, accountId));
    const step = stepOfCode(secret, code, { nowMs: this.#parts.now(), lastStep });
    return step === undefined ? undefined : { kind: "device", sealed, step };
  }

  #whereOpen<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#parts.onError(error);
      const hint =
        error instanceof SealUnavailable ? "use a recovery code, or contact the operator" : "try again later";
      throw new PersonRefusal("away", `codes cannot be checked at the moment: ${hint}`, RETRY_AFTER_SECONDS);
    }
  }
}

/** Returns codes in groups of four characters, for copying by hand. */
function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replace(/(.{4})(?=.)/g, "$1-"),
  );
}

function recoveryHash(accountId: string, code: string): string {
  return hashToken(`${accountId} ${code.replaceAll("-", "")}`);
}

function wrongCode(): PersonRefusal {
  return new PersonRefusal(
    "code",
    "code is wrong, expired or already used: wait for the next one, or check the clock of your device",
  );
}

function isOnAlready(): PersonRefusal {
  return new PersonRefusal("once", "two-factor sign-in is already on: turn it off first");
}
