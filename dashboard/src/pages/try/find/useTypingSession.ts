import { useRef, useState } from "react";
import { autocomplete, bodyOf, type Call } from "../../../api/publicApi.ts";
import type { AskSuggestions } from "./useSuggestions.ts";

/** The cost of the suggestions for one company. */
interface TypingSession {
  readonly calls: number;
  readonly charged: number;
  readonly suggest: AskSuggestions;
  /** Ends the session: the next call starts another. */
  readonly end: () => void;
}

const NOTHING = { calls: 0, charged: 0 };

/** A typing session for autocomplete, charged once. @param count counts the cost of a call */
export function useTypingSession(count: <T>(call: Call<T>) => Call<T> = (call) => call): TypingSession {
  const current = useRef<string>(undefined);
  const [spent, setSpent] = useState(NOTHING);
  return {
    ...spent,
    suggest: async (text) => {
      current.current ??= crypto.randomUUID();
      const name = current.current;
      const call = count(await autocomplete(text, name));
      // The cost of a session that is over does not count.
      if (name === current.current)
        setSpent(({ calls, charged }) => ({ calls: calls + 1, charged: charged + call.cost.charged }));
      return bodyOf(call);
    },
    end: () => {
      current.current = undefined;
      setSpent(NOTHING);
    },
  };
}
