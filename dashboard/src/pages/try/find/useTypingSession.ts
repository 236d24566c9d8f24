import { useCallback, useRef, useState } from "react";
import type { Cost } from "../../../api/publicApi.ts";

/** What the suggestions of one person's typing have come to. */
export interface TypingSession {
  readonly calls: number;
  readonly charged: number;
  /** The name of the session that the next call is of. */
  readonly name: () => string;
  /** Counts what a call of a session cost; of one that is over nothing is counted. */
  readonly note: (name: string, cost: Cost) => void;
  /** What is typed next is another session. */
  readonly end: () => void;
}

const NOTHING = { calls: 0, charged: 0 };
const RANDOM_BYTES = 16;

/** A session of typing for autocomplete, which is paid for once. */
export function useTypingSession(): TypingSession {
  const present = useRef<string>(undefined);
  const [spent, setSpent] = useState(NOTHING);
  const name = useCallback(() => {
    present.current ??= newName();
    return present.current;
  }, []);
  const note = useCallback((of: string, { charged }: Cost) => {
    if (of !== present.current) return;
    setSpent((before) => ({ calls: before.calls + 1, charged: before.charged + charged }));
  }, []);
  const end = useCallback(() => {
    present.current = undefined;
    setSpent(NOTHING);
  }, []);
  return { ...spent, name, note, end };
}

/** Not `randomUUID`, which browsers have on secure origins alone: a page may be tried over plain HTTP. */
function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
