import type { ClaimedMail, Mail, MailStore } from "../accounts/mails.ts";
import { hashToken, newToken } from "../accounts/secrets.ts";
import { withTimeout } from "../lib/deadline.ts";
import { type Post, UnmailableAddress } from "./post.ts";
import { letterOf } from "./texts.ts";

/** Pauses before further tries; the last one repeats until the mail's link would have expired. */
const TRY_AGAIN_AFTER_MS = [1_000, 10_000, 60_000, 300_000];
/** The operator is notified of a delayed mail after this many failures. */
const DELAYED_AFTER_FAILURES = 3;
const MAX_CONCURRENT = 4;
const LOOK_EVERY_MS = 1_000;
/** After this time it is unknown whether the mail was accepted. Its lease ends, and it is sent once more. */
const DELIVER_WITHIN_MS = 60_000;
const LEASE_MS = 120_000;
const MAX_PAUSE_MS = Math.max(LEASE_MS, ...TRY_AGAIN_AFTER_MS);
const CLOSE_WITHIN_MS = 1_000;

const WHY_DROPPED = {
  old: "it waited longer than its link is valid",
  died: "two tries ended without a result: a process ended, or the mail server took longer than a minute",
} as const;

export interface OutboxParts {
  readonly store: Pick<MailStore, "claimMail" | "endMail" | "deferMail">;
  readonly post: Post;
  readonly publicUrl: string;
  /** Called when a mail is dropped. The reason contains neither an address nor a link. */
  readonly onLost: (reason: string) => void;
  /** Called after each failed try. */
  readonly onFailed?: () => void;
  /** Called once for a mail that failed several times and is tried again. */
  readonly onDelayed: (reason: string) => void;
  /** Called when the store fails, once until it works again. */
  readonly onError: (error: unknown) => void;
  readonly tryAgainAfterMs?: readonly number[];
}

type Sendable = Extract<ClaimedMail, { outcome: "send" }>;

/**
 * Sends the mails that wait in the state, a few at once, and retries them. Any process with a mail server does so. The token
 * of a link is created when the mail is sent, so that it is never stored.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #tryAgainAfterMs: readonly number[];
  readonly #inProgress = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#tryAgainAfterMs = parts.tryAgainAfterMs ?? TRY_AGAIN_AFTER_MS;
  }

  /** Starts sending the mails that wait, including those of other processes. */
  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#timer.unref();
    this.#look();
  }

  /** Looks for mails at once. Call it after adding one. */
  nudge(): void {
    this.#look();
  }

  /** Waits at most a second for mails in progress. The others are sent by another process or after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await withTimeout(CLOSE_WITHIN_MS, Promise.all(this.#inProgress));
    this.#parts.post.close();
  }

  #look(): void {
    if (this.#isClosed || this.#inProgress.size >= MAX_CONCURRENT) return;
    const work = this.#sendAll().finally(() => this.#inProgress.delete(work));
    this.#inProgress.add(work);
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    try {
      await this.#sendWaiting();
      this.#hasFailed = false;
    } catch (error) {
      // While the process ends, the state is closed before the last mail is sent.
      if (!this.#hasFailed && !this.#isClosed) this.#parts.onError(error);
      this.#hasFailed = true;
    }
  }

  async #sendWaiting(): Promise<void> {
    while (!this.#isClosed) {
      const token = newToken();
      const claimed = await this.#parts.store.claimMail({
        tokenHash: hashToken(token),
        leaseMs: LEASE_MS,
        longestPauseMs: MAX_PAUSE_MS,
      });
      if (claimed === undefined) return;
      if (claimed.outcome === "send") await this.#deliver(claimed, token);
      else if (claimed.why !== "no-account") this.#parts.onLost(WHY_DROPPED[claimed.why]);
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
    if (failures === DELAYED_AFTER_FAILURES) this.#parts.onDelayed(reason);
  }
}

function mailOf({ kind, to, language, allowance }: Sendable, token: string): Mail {
  if (kind === "allowance-80" || kind === "allowance-100") {
    if (allowance === undefined) throw new Error("a mail about an allowance has no allowance");
    return { kind, to, language, ...allowance };
  }
  return kind === "confirm" || kind === "reset" || kind === "email"
    ? { kind, to, language, token }
    : { kind, to, language };
}

/** Whether a retry is pointless: a code of 500 and above (RFC 5321, 4.2.1), or a bad address. */
function isRefused(error: unknown): boolean {
  return error instanceof UnmailableAddress || codeOf(error) >= 500;
}

/** The reason of a failure, without the server's text, which may contain the address. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code > 0) return `the mail server answered ${code}`;
  if (error instanceof UnmailableAddress) return error.message;
  const isNamed = error instanceof Error && "code" in error;
  return isNamed ? String(error.code) : "the mail server cannot be used";
}

function codeOf(error: unknown): number {
  const hasCode = error instanceof Error && "responseCode" in error;
  return hasCode && typeof error.responseCode === "number" ? error.responseCode : 0;
}
