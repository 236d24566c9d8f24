import { useRef, useState } from "react";
import type { Cost } from "../../../api/publicApi.ts";

/** The cost of the suggestions for one company. */
interface TypingSession {
  readonly calls: number;
  readonly charged: number;
  /** Returns the name of the session for the next call. */
  readonly name: () => string;
  /** Counts the cost of a call; ignored when its session is over. */
  readonly note: (name: string, cost: Cost) => void;
  /** Ends the session: the next call starts another. */
  readonly end: () => void;
}

const NOTHING = { calls: 0, charged: 0 };

/** A typing session for autocomplete, charged once. */
export function useTypingSession(): TypingSession {
  const current = useRef<string>(undefined);
  const [spent, setSpent] = useState(NOTHING);
  return {
    ...spent,
    name: () => {
      current.current ??= crypto.randomUUID();
      return current.current;
    },
    note: (name, { charged }) => {
      if (name !== current.current) return;
      setSpent((before) => ({ calls: before.calls + 1, charged: before.charged + charged }));
    },
    end: () => {
      current.current = undefined;
      setSpent(NOTHING);
    },
  };
}
