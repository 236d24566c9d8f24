import type { Mail, Mailer } from "../accounts/mails.ts";
import { type Post, UnmailableAddress } from "./smtp.ts";
import { letterOf } from "./texts.ts";

/** Waiting times before a letter is tried again; after the last it is given up. */
const TRY_AGAIN_AFTER_MS = [1_000, 10_000, 60_000];
const MOST_WAITING = 1_000;
const MOST_AT_ONCE = 4;
const CLOSE_WITHIN_MS = 1_000;

export interface OutboxParts {
  readonly post: Post;
  readonly publicUrl: string;
  /** Told when a letter was given up. It holds neither an address nor a link. */
  readonly onLost: (reason: string) => void;
  readonly tryAgainAfterMs?: readonly number[];
}

interface Queued {
  readonly mail: Mail;
  readonly tries: number;
}

/** Mails on their way: in memory, few at once, tried again. What waits when the process ends is lost. */
export class Outbox implements Mailer {
  readonly #parts: OutboxParts;
  readonly #tryAgainAfterMs: readonly number[];
  readonly #waiting: Queued[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #underWay = new Set<Promise<void>>();
  #isClosed = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#tryAgainAfterMs = parts.tryAgainAfterMs ?? TRY_AGAIN_AFTER_MS;
  }

  send(mail: Mail): void {
    if (this.#waiting.length + this.#timers.size >= MOST_WAITING) {
      this.#parts.onLost("too many mails wait for the mail server");
      return;
    }
    this.#enqueue({ mail, tries: 0 });
  }

  /** Lets what is being sent end, for a second at most. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise((resolve) => {
      late = setTimeout(resolve, CLOSE_WITHIN_MS);
    });
    await Promise.race([this.#idle(), tooLate]);
    clearTimeout(late);
    this.#parts.post.close();
  }

  async #idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #enqueue(queued: Queued): void {
    this.#waiting.push(queued);
    this.#next();
  }

  #next(): void {
    if (this.#underWay.size >= MOST_AT_ONCE) return;
    const queued = this.#waiting.shift();
    if (queued === undefined) return;
    const work = this.#deliver(queued).finally(() => {
      this.#underWay.delete(work);
      this.#next();
    });
    this.#underWay.add(work);
  }

  async #deliver({ mail, tries }: Queued): Promise<void> {
    const { post, publicUrl, onLost } = this.#parts;
    try {
      await post.deliver(letterOf(mail, publicUrl));
    } catch (error) {
      const pauseMs = this.#tryAgainAfterMs[tries];
      if (pauseMs === undefined || this.#isClosed || isRefused(error)) onLost(reasonOf(error));
      else this.#later({ mail, tries: tries + 1 }, pauseMs);
    }
  }

  #later(queued: Queued, pauseMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#enqueue(queued);
    }, pauseMs);
    timer.unref();
    this.#timers.add(timer);
  }
}

/** Whether trying again will not help: what a code of 500 and above says (RFC 5321, 4.2.1), and of an address its form. */
function isRefused(error: unknown): boolean {
  return error instanceof UnmailableAddress || codeOf(error) >= 500;
}

/** What failed, without the server's own words: they may repeat the address. */
function reasonOf(error: unknown): string {
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
