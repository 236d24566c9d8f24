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
const POLL_EVERY_MS = 1_000;
/** After this time it is unknown whether the mail was accepted. Its lease ends, and it is sent again. */
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
  readonly #inProgress = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Starts sending the mails that wait, including those of other processes. */
  start(): void {
    this.#timer = setInterval(() => this.nudge(), POLL_EVERY_MS).unref();
    this.nudge();
  }

  /** Looks for mails at once. Call it after adding one. */
  nudge(): void {
    if (this.#isClosed || this.#inProgress.size >= MAX_CONCURRENT) return;
    const work = this.#sendAll().finally(() => this.#inProgress.delete(work));
    this.#inProgress.add(work);
  }

  /** Waits at most a second for mails in progress. The others are sent by another process or after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await withTimeout(CLOSE_WITHIN_MS, Promise.all(this.#inProgress));
    this.#parts.post.close();
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    const { store, onLost, onError } = this.#parts;
    try {
      while (!this.#isClosed) {
        const token = newToken();
        const claim = { tokenHash: hashToken(token), leaseMs: LEASE_MS, longestPauseMs: MAX_PAUSE_MS };
        const claimed = await store.claimMail(claim);
        if (claimed === undefined) break;
        if (claimed.outcome === "send") await this.#deliver(claimed, token);
        else if (claimed.why !== "no-account") onLost(WHY_DROPPED[claimed.why]);
      }
      this.#hasFailed = false;
    } catch (error) {
      // While the process ends, the state is closed before the last mail is sent.
      if (!this.#hasFailed && !this.#isClosed) onError(error);
      this.#hasFailed = true;
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
    const { store, onDelayed, tryAgainAfterMs: pauses = TRY_AGAIN_AFTER_MS } = this.#parts;
    await store.deferMail(id, claim, pauses[failures] ?? pauses.at(-1) ?? 0);
    if (failures === DELAYED_AFTER_FAILURES) onDelayed(reason);
  }
}

function mailOf({ kind, to, language, allowance, events = 0 }: Sendable, token: string): Mail {
  if (kind === "monitor-digest") return { kind, to, language, events };
  if (kind === "allowance-80" || kind === "allowance-100") {
    if (allowance === undefined) throw new Error("a mail about an allowance has no allowance");
    return { kind, to, language, ...allowance };
  }
  const hasLink = kind === "confirm" || kind === "reset" || kind === "email";
  return hasLink ? { kind, to, language, token } : { kind, to, language };
}

/**
 * Whether a retry is pointless: a code of 500 and above (RFC 5321, 4.2.1), or a bad address. A refused password is not about
 * the mail: it may be sent when the setting is right.
 */
function isRefused(error: unknown): boolean {
  if (error instanceof Error && "code" in error && error.code === "EAUTH") return false;
  return error instanceof UnmailableAddress || codeOf(error) >= 500;
}

/** The reason of a failure, without the server's text, which may contain the address. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code > 0) return `the mail server answered ${code}`;
  if (error instanceof UnmailableAddress) return error.message;
  return error instanceof Error && "code" in error ? String(error.code) : "the mail server cannot be used";
}

function codeOf(error: unknown): number {
  const hasCode = error instanceof Error && "responseCode" in error;
  return hasCode && typeof error.responseCode === "number" ? error.responseCode : 0;
}
