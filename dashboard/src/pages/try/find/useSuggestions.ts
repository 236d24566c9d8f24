import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import type { AutocompleteItem } from "../../../../../src/contract/resources.ts";
import { asFailure, type Failure } from "../../../api/failure.ts";
import { autocomplete } from "../../../api/publicApi.ts";
import { useTokenMeter } from "../tokenMeter.tsx";

const LEAST_CHARACTERS = 2;
/** A pause of the typist: every call costs a token, so not each letter makes one. */
const PAUSE_MS = 350;
const NONE: readonly AutocompleteItem[] = [];

export interface Suggestions {
  readonly query: string;
  readonly items: readonly AutocompleteItem[];
  readonly isLoading: boolean;
  /** Of the page's own interface, and of the API. */
  readonly making: Failure | undefined;
  readonly answered: Failure | undefined;
}

/** Companies for what is being typed. What was asked once is not asked again. */
export function useSuggestions(typed: string, isWanted: boolean): Suggestions {
  const { count } = useTokenMeter();
  const known = useRef(new Map<string, readonly AutocompleteItem[]>());
  const [query] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const [found, setFound] = useState<Omit<Suggestions, "isLoading">>({
    query: "",
    items: NONE,
    making: undefined,
    answered: undefined,
  });
  const isAsked = isWanted && query.length >= LEAST_CHARACTERS && query === typed.trim();
  useEffect(() => {
    if (!isAsked) return;
    let isStale = false;
    const show = (more: Partial<Suggestions>) => {
      if (!isStale) setFound({ query, items: NONE, making: undefined, answered: undefined, ...more });
    };
    const held = known.current.get(query);
    if (held !== undefined) {
      show({ items: held });
      return;
    }
    autocomplete(query).then(
      (call) => {
        const { outcome } = count(call);
        if ("failure" in outcome) return show({ answered: outcome.failure });
        known.current.set(query, outcome.body.results);
        show({ items: outcome.body.results });
      },
      (error) => show({ making: asFailure(error) }),
    );
    return () => {
      isStale = true;
    };
  }, [query, isAsked, count]);
  return { ...found, isLoading: isAsked && found.query !== query };
}
