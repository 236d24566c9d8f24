import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Suggestions as Answer } from "../../../../../src/contract/publicResources.ts";
import { asFailure, type Failure } from "../../../api/failure.ts";
import { onReconnect } from "../../../connection/connection.ts";

const MIN_CHARACTERS = 2;
/** The pause in typing before a call: each call counts towards the limits per minute and per session. */
const PAUSE_MS = 350;
const NOTHING: Omit<Suggestions, "isLoading"> = {
  query: "",
  items: [],
  hint: undefined,
  failure: undefined,
};

export interface Suggestions {
  /** The text of these suggestions; an earlier one while {@link isLoading}. */
  readonly query: string;
  readonly items: Answer["results"];
  readonly hint: Answer["hint"];
  /** Whether the suggestions for the current text are still to come. */
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

/** Fetches companies for a text; rejects with a {@link Failure}. */
export type AskSuggestions = (text: string) => Promise<Answer>;

/** Suggests companies for the typed text, fetched once per text. Retries after a rate limit and after an outage. */
export function useSuggestions(typed: string, isWanted: boolean, ask: AskSuggestions): Suggestions {
  const asking = useRef(ask);
  asking.current = ask;
  const known = useRef(new Map<string, Answer>());
  const text = typed.trim();
  const [query] = useDebouncedValue(text, PAUSE_MS);
  const [round, setRound] = useState(0);
  const [found, setFound] = useState<Omit<Suggestions, "isLoading">>(NOTHING);
  const isSearchable = isWanted && text.length >= MIN_CHARACTERS;
  const isCurrent = isSearchable && query === text;
  const request = useMemo(() => ({ text: query, round }), [query, round]);
  useEffect(() => {
    if (!isCurrent) return;
    let isStale = false;
    const { text } = request;
    const show = (more: Partial<Suggestions>) => {
      if (!isStale) setFound({ ...NOTHING, query: text, ...more });
    };
    const cached = known.current.get(text);
    const showAnswer = ({ results, hint }: Answer) => show({ items: results, hint });
    if (cached !== undefined) return showAnswer(cached);
    asking.current(text).then(
      (answer) => {
        known.current.set(text, answer);
        showAnswer(answer);
      },
      (error) => show({ failure: asFailure(error) }),
    );
    return () => {
      isStale = true;
    };
  }, [request, isCurrent]);
  const failure = isCurrent ? found.failure : undefined;
  useRetry(failure, () => {
    setFound(NOTHING);
    setRound((before) => before + 1);
  });
  return { ...found, isLoading: isSearchable && found.query !== text };
}

/** Retries when the wait of a failure is over, or after an outage. */
function useRetry(failure: Failure | undefined, again: () => void): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (failure?.code === "UNREACHABLE") return onReconnect(() => latest.current());
    const isShort = failure?.code === "RATE_LIMIT_EXCEEDED" || failure?.code === "SERVICE_UNAVAILABLE";
    if (!isShort || failure.retryAtMs === undefined) return;
    const timer = setTimeout(() => latest.current(), Math.max(0, failure.retryAtMs - Date.now()));
    return () => clearTimeout(timer);
  }, [failure]);
}
