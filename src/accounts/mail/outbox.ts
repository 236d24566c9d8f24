import { withTimeout } from "../../lib/deadline.ts";
import { LeasedLoop, type LeasedLoopOptions } from "../../lib/leasedLoop.ts";
import type { MailQueries } from "../queries/mails.ts";
import { hashToken, newToken } from "../secrets.ts";
import type { ClaimedMail, Mail } from "./mails.ts";
import { type Post, UnmailableAddress } from "./post.ts";
import { letterOf } from "./texts.ts";

/** Pauses before further tries; the last one repeats until the mail's link would have expired. */
const TRY_AGAIN_AFTER_MS = [1_000, 10_000, 60_000, 300_000];
/** The operator is notified of a delayed mail after this many failures. */
const DELAYED_AFTER_FAILURES = 3;
const MAX_CONCURRENT = 4;
/** After this time it is unknown whether the mail was accepted. Its lease ends, and it is sent again. */
const DELIVER_WITHIN_MS = 60_000;
const LEASE_MS = 120_000;
const CLOSE_WITHIN_MS = 1_000;

const WHY_DROPPED = {
  old: "it waited longer than its link is valid",
  died: "two tries ended without a result: a process ended, or the mail server took longer than a minute",
} as const;

export interface OutboxParts extends Pick<LeasedLoopOptions, "onError"> {
  readonly store: Pick<MailQueries, "claimMail" | "endMail" | "deferMail">;
  readonly post: Post;
  readonly publicUrl: string;
  /** Called when a mail is dropped. The reason contains neither an address nor a link. */
  readonly onLost: (reason: string) => void;
  /** Called after each failed try. */
  readonly onFailed?: () => void;
  /** Called once for a mail that failed several times and is tried again. */
  readonly onDelayed: (reason: string) => void;
  readonly tryAgainAfterMs?: readonly number[];
}

type Sendable = Extract<ClaimedMail, { outcome: "send" }>;
type MailWork = { readonly mail: ClaimedMail; readonly token: string };

/**
 * Sends the mails that wait in the state, a few at once, and retries them. Any process with a mail server does so. The
 * token of a link is created when the mail is sent, so that it is never stored.
 */
export class Outbox extends LeasedLoop<MailWork> {
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    super({ ...parts, maxAtOnce: MAX_CONCURRENT, closeWithinMs: CLOSE_WITHIN_MS });
    this.#parts = parts;
  }

  /** Waits at most a second for mails in progress. The others are sent by another process or after the next start. */
  override async close(): Promise<void> {
    await super.close();
    this.#parts.post.close();
  }

  protected override async claim(): Promise<MailWork | undefined> {
    const token = newToken();
    const terms = { tokenHash: hashToken(token), leaseMs: LEASE_MS };
    const mail = await this.#parts.store.claimMail(terms);
    return mail && { mail, token };
  }

  protected override async run({ mail, token }: MailWork): Promise<void> {
    if (mail.outcome === "send") await this.#deliver(mail, token);
    else if (mail.why !== "no-account") this.#parts.onLost(WHY_DROPPED[mail.why]);
  }

  async #deliver(claimed: Sendable, token: string): Promise<void> {
    const { store, post, publicUrl, onLost } = this.#parts;
    const { id, claim } = claimed;
    try {
      const delivered = post.deliver(letterOf(mailOf(claimed, token), publicUrl)).then(() => true);
      if ((await withTimeout(DELIVER_WITHIN_MS, delivered)) === undefined) return this.#parts.onFailed?.();
    } catch (error) {
      this.#parts.onFailed?.();
      if (!isRefused(error)) return this.#later(claimed, mailFailureReason(error));
      onLost(mailFailureReason(error));
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
 * Whether a retry is pointless: a code of 500 and above (RFC 5321, 4.2.1), or a bad address. A refused password is not
 * about the mail: it may be sent when the setting is right.
 */
function isRefused(error: unknown): boolean {
  if (error instanceof Error && "code" in error && error.code === "EAUTH") return false;
  return error instanceof UnmailableAddress || codeOf(error) >= 500;
}

/** The reason of a failure, without the server's text, which may contain the address. */
export function mailFailureReason(error: unknown): string {
  const code = codeOf(error);
  if (code > 0) return `the mail server answered ${code}`;
  if (error instanceof UnmailableAddress) return error.message;
  return error instanceof Error && "code" in error ? String(error.code) : "the mail server cannot be used";
}

function codeOf(error: unknown): number {
  const hasCode = error instanceof Error && "responseCode" in error;
  return hasCode && typeof error.responseCode === "number" ? error.responseCode : 0;
}
