import type { ClaimedMail, Mail, MailStore } from "../accounts/mails.ts";
import { hashToken, newToken } from "../accounts/secrets.ts";
import { withTimeout } from "../lib/deadline.ts";
import { type Post, UnmailableAddress } from "./post.ts";
import { letterOf } from "./texts.ts";

/** Waiting times before a mail is tried again, the last of them again and again until its link would be over. */
const TRY_AGAIN_AFTER_MS = [1_000, 10_000, 60_000, 300_000];
/** From this failure on the operator is told that a mail waits. */
const TELL_AFTER_FAILURES = 3;
const MOST_AT_ONCE = 4;
const LOOK_EVERY_MS = 1_000;
/** Who has heard nothing for so long does not know whether the mail was taken: its lease ends, and it is sent once more. */
const DELIVER_WITHIN_MS = 60_000;
const LEASE_MS = 120_000;
const LONGEST_PAUSE_MS = Math.max(LEASE_MS, ...TRY_AGAIN_AFTER_MS);
const CLOSE_WITHIN_MS = 1_000;

const WHY_DROPPED = {
  old: "it waited for longer than its link would live",
  died: "it was begun twice and nobody told how it went: a process ended, or the mail server took longer than a minute",
} as const;

export interface OutboxParts {
  readonly store: Pick<MailStore, "claimMail" | "endMail" | "deferMail">;
  readonly post: Post;
  readonly publicUrl: string;
  /** Told when a mail was given up. It holds neither an address nor a link. */
  readonly onLost: (reason: string) => void;
  /** Called for each try that fails. */
  readonly onFailed?: () => void;
  /** Told once of a mail that was not taken several times, and is tried again. */
  readonly onDelayed: (reason: string) => void;
  /** Told when the store fails, once until it works again. */
  readonly onError: (error: unknown) => void;
  readonly tryAgainAfterMs?: readonly number[];
}

type Sendable = Extract<ClaimedMail, { outcome: "send" }>;

/**
 * Mails on their way. What waits is in the state, where `mailOrders.ts` puts it, and any process that has a mail server sends it: few at once, tried again. A link is
 * made when a mail is sent, so that none is ever kept.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #tryAgainAfterMs: readonly number[];
  readonly #underWay = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#tryAgainAfterMs = parts.tryAgainAfterMs ?? TRY_AGAIN_AFTER_MS;
  }

  /** Sends from now on what waits, also what other processes have left. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.#look();
  }

  /** Looks for mails at once: one was just put into the state. */
  nudge(): void {
    this.#look();
  }

  /** Lets what is being sent end, for a second at most. What waits is sent by another process, or after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await withTimeout(CLOSE_WITHIN_MS, Promise.all(this.#underWay));
    this.#parts.post.close();
  }

  #look(): void {
    if (this.#isClosed || this.#underWay.size >= MOST_AT_ONCE) return;
    const work = this.#sendAll()
      .then(
        () => {
          this.#hasFailed = false;
        },
        (error: unknown) => this.#tellFailure(error),
      )
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  #tellFailure(error: unknown): void {
    // The state of a process that ends is closed while the last mail is on its way.
    if (!this.#hasFailed && !this.#isClosed) this.#parts.onError(error);
    this.#hasFailed = true;
  }

  async #sendAll(): Promise<void> {
    while (!this.#isClosed) {
      const token = newToken();
      const claimed = await this.#parts.store.claimMail({
        tokenHash: hashToken(token),
        leaseMs: LEASE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
      });
      if (claimed === undefined) return;
      if (claimed.outcome === "send") await this.#deliver(claimed, token);
      else if (claimed.why !== "nobody") this.#parts.onLost(WHY_DROPPED[claimed.why]);
    }
  }

  async #deliver(claimed: Sendable, token: string): Promise<void> {
    const { store, post, publicUrl, onLost } = this.#parts;
    const { id, claim } = claimed;
    try {
      const delivered = post.deliver(letterOf(mailOf(claimed, token), publicUrl)).then(() => true);
      if ((await withTimeout(DELIVER_WITHIN_MS, delivered)) === undefined) return this.#parts.onFailed?.();
    } catch (error) {
      this.#parts.onFailed?.();
      if (!isRefused(error)) return this.#later(claimed, reasonOf(error));
      onLost(reasonOf(error));
    }
    await store.endMail(id, claim);
  }

  async #later({ id, claim, failures }: Sendable, reason: string): Promise<void> {
    const pauses = this.#tryAgainAfterMs;
    await this.#parts.store.deferMail(id, claim, pauses[failures] ?? pauses.at(-1) ?? 0);
    if (failures === TELL_AFTER_FAILURES) this.#parts.onDelayed(reason);
  }
}

function mailOf({ kind, to, language, allowance }: Sendable, token: string): Mail {
  if (kind === "allowance-80" || kind === "allowance-100") {
    if (allowance === undefined) throw new Error("a mail about an allowance waits without saying which");
    return { kind, to, language, ...allowance };
  }
  return kind === "confirm" || kind === "reset" || kind === "email"
    ? { kind, to, language, token }
    : { kind, to, language };
}

/** Whether trying again will not help: what a code of 500 and above says (RFC 5321, 4.2.1), and of an address its form. */
function isRefused(error: unknown): boolean {
  return error instanceof UnmailableAddress || codeOf(error) >= 500;
}

/** Why a mail failed, without the server's own words: they may repeat the address. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code > 0) return `the mail server answered ${code}`;
  if (error instanceof UnmailableAddress) return error.message;
  const isNamed = error instanceof Error && "code" in error;
  return isNamed ? String(error.code) : "the mail server cannot be used";
}

function codeOf(error: unknown): number {
  const isTold = error instanceof Error && "responseCode" in error;
  return isTold && typeof error.responseCode === "number" ? error.responseCode : 0;
}
