import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import type { AutocompleteItem } from "../../../../../src/contract/resources.ts";
import { asFailure, type Failure } from "../../../api/failure.ts";
import { onBack } from "../../../connection/connection.ts";

const LEAST_CHARACTERS = 2;
/** A pause of the typist: every call takes one of the minute, and one of a session, so not each letter makes one. */
const PAUSE_MS = 350;
const NOTHING: Omit<Suggestions, "isLoading"> = {
  query: "",
  items: [],
  making: undefined,
  answered: undefined,
};

export interface Suggestions {
  /** The text that the items are for; while {@link isLoading} an earlier one than is typed. */
  readonly query: string;
  readonly items: readonly AutocompleteItem[];
  /** From the first letter of a new text until its answer, the typist's pause included. */
  readonly isLoading: boolean;
  /** Of the page's own interface, and of the API. */
  readonly making: Failure | undefined;
  readonly answered: Failure | undefined;
}

/** Companies for a text, or why the API has none; rejects with a {@link Failure} where it could not be asked. */
export type AskSuggestions = (
  text: string,
) => Promise<{ readonly items: readonly AutocompleteItem[] } | { readonly answered: Failure }>;

/**
 * Companies for what is being typed. What was asked once is not asked again; what was too much in a minute is asked when that is
 * over, and what the service was away for when it is back.
 */
export function useSuggestions(typed: string, isWanted: boolean, ask: AskSuggestions): Suggestions {
  const asking = useRef(ask);
  asking.current = ask;
  const known = useRef(new Map<string, readonly AutocompleteItem[]>());
  const text = typed.trim();
  const [query] = useDebouncedValue(text, PAUSE_MS);
  const [round, setRound] = useState(0);
  const [found, setFound] = useState<Omit<Suggestions, "isLoading">>(NOTHING);
  const isSearchable = isWanted && text.length >= LEAST_CHARACTERS;
  const isAsked = isSearchable && query === text;
  const request = useMemo(() => ({ text: query, round }), [query, round]);
  useEffect(() => {
    if (!isAsked) return;
    let isStale = false;
    const { text } = request;
    const show = (more: Partial<Suggestions>) => {
      if (!isStale) setFound({ ...NOTHING, query: text, ...more });
    };
    const held = known.current.get(text);
    if (held !== undefined) {
      show({ items: held });
      return;
    }
    asking.current(text).then(
      (answer) => {
        if ("items" in answer) known.current.set(text, answer.items);
        show(answer);
      },
      (error) => show({ making: asFailure(error) }),
    );
    return () => {
      isStale = true;
    };
  }, [request, isAsked]);
  const failure = isAsked ? (found.making ?? found.answered) : undefined;
  useAgain(failure, () => {
    setFound(NOTHING);
    setRound((before) => before + 1);
  });
  return { ...found, isLoading: isSearchable && found.query !== text };
}

/** Does something anew once the wait of a failure is over, or the service is back from an outage. */
function useAgain(failure: Failure | undefined, again: () => void): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (failure?.code === "UNREACHABLE") return onBack(() => latest.current());
    const isShort = failure?.code === "RATE_LIMIT_EXCEEDED" || failure?.code === "SERVICE_UNAVAILABLE";
    if (!isShort || failure.retryAtMs === undefined) return;
    const timer = setTimeout(() => latest.current(), Math.max(0, failure.retryAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [failure]);
}
