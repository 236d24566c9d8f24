import type { BatchRows, ChangedSession } from "./batchRows.ts";
import type { KeyRow } from "./decide.ts";
import { afterCall, openSession, type SessionProgress } from "./typingSession.ts";

/** The sessions of typing of one transaction: read through {@link BatchRows} when a call of one is decided, and given back in the end. */
export class BatchSessions {
  readonly #rows: BatchRows;
  readonly #known = new Map<string, SessionProgress | undefined>();
  readonly #changed = new Map<string, ChangedSession>();

  constructor(rows: BatchRows) {
    this.#rows = rows;
  }

  /** Whether a call follows in a session that was paid for, so that it costs nothing. */
  isOpen(keyId: string, session: string): boolean {
    return this.#open(keyId, session) !== undefined;
  }

  /** Notes a call that was let in. @returns whether it was the first of its session, to be paid for */
  take({ keyId, accountId }: KeyRow, session: string): boolean {
    const open = this.#open(keyId, session);
    const after = afterCall(open, this.#rows.nowMs);
    const id = idOf(keyId, session);
    this.#known.set(id, after);
    this.#changed.set(id, { keyId, session, accountId, ...after });
    return open === undefined;
  }

  /** Each session that was begun or followed, as it is now. */
  changes(): readonly ChangedSession[] {
    return this.#changed.size === 0 ? NONE : [...this.#changed.values()];
  }

  #open(keyId: string, session: string): SessionProgress | undefined {
    const id = idOf(keyId, session);
    const isKnown = this.#known.has(id);
    const stored = isKnown ? this.#known.get(id) : this.#rows.session(keyId, session);
    if (!isKnown) this.#known.set(id, stored);
    return openSession(stored, this.#rows.nowMs);
  }
}

const NONE: readonly ChangedSession[] = [];

function idOf(keyId: string, session: string): string {
  return `${keyId} ${session}`;
}
