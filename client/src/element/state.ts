import type { AutocompleteItem } from "../api/resources.ts";
import type { Failure } from "./failure.ts";

/** The answer to a search. */
export interface Found {
  readonly hits: readonly AutocompleteItem[];
  /** A code of the service; empty without one. */
  readonly hint: string;
}

/** The state of the field. */
export interface State {
  readonly text: string;
  /** The chosen company, until the person types again. */
  readonly chosen: AutocompleteItem | undefined;
  /** The latest hits, best first. While a search runs, the hits of the previous one. */
  readonly hits: readonly AutocompleteItem[];
  /** The code of the service's hint about the hits; empty without one. */
  readonly hint: string;
  readonly phase: "idle" | "loading" | "slow" | "found";
  /** Why the last search failed; undefined after the next success. */
  readonly failure: Failure | undefined;
  /** The index of the active hit, -1 for none. */
  readonly active: number;
  /** Whether the list is open. */
  readonly isOpen: boolean;
}

export type Action =
  | { readonly type: "typed"; readonly text: string; readonly isLongEnough: boolean }
  /** `release` leaves no hit active and keeps the list open. */
  | { readonly type: "slow" | "open" | "close" | "release" }
  | ({ readonly type: "answered"; readonly query: string } & Found)
  | { readonly type: "failed"; readonly failure: Failure }
  /** Moves along the list, wrapping at both ends. From the field, down goes to the first hit and up to the last. */
  | { readonly type: "move"; readonly by: 1 | -1 }
  | { readonly type: "choose"; readonly hit: AutocompleteItem }
  /** A value set by the page, a reset, or a value restored by the browser. */
  | { readonly type: "set"; readonly text: string; readonly chosen?: AutocompleteItem | undefined };

export const EMPTY: State = {
  text: "",
  chosen: undefined,
  hits: [],
  hint: "",
  phase: "idle",
  failure: undefined,
  active: -1,
  isOpen: false,
};

/** Returns the next state. Pure; a response to an earlier query changes nothing. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "typed":
      return typed(state, action.text, action.isLongEnough);
    case "slow":
      return state.phase === "loading" ? { ...state, phase: "slow" } : state;
    case "answered":
      return action.query === queryOf(state) && !state.chosen ? answered(state, action) : state;
    case "failed":
      return state.chosen
        ? state
        : { ...state, phase: "idle", hits: [], active: -1, failure: action.failure };
    case "open":
      return { ...state, isOpen: true };
    case "close":
      return { ...state, isOpen: false, active: -1 };
    case "release":
      return { ...state, active: -1 };
    case "move":
      return { ...state, isOpen: true, active: moved(state, action.by) };
    case "choose":
      return { ...EMPTY, text: action.hit.name, chosen: action.hit };
    case "set":
      return { ...EMPTY, text: action.text, chosen: action.chosen };
  }
}

function typed(state: State, text: string, isLongEnough: boolean): State {
  if (!isLongEnough) return { ...EMPTY, text, failure: text === "" ? undefined : state.failure };
  return { ...state, text, chosen: undefined, phase: "loading", active: -1, isOpen: true };
}

/** Applies new hits and keeps the active company. */
function answered(state: State, { hits, hint }: Found): State {
  const activeNumber = state.hits[state.active]?.kvkNumber;
  const active = hits.findIndex(({ kvkNumber }) => kvkNumber === activeNumber);
  return { ...state, hits, hint, phase: "found", failure: undefined, active };
}

function moved({ active, hits }: State, by: 1 | -1): number {
  if (by < 0 && active <= 0) return hits.length - 1;
  return hits.length === 0 ? -1 : (active + by) % hits.length;
}

/** Returns the query to search for. */
export function queryOf({ text }: Pick<State, "text">): string {
  return text.trim();
}

export function isAwaiting({ phase }: State): boolean {
  return phase === "loading" || phase === "slow";
}

/** Whether the list of hits is visible. */
export function isExpanded({ isOpen, hits }: State): boolean {
  return isOpen && hits.length > 0;
}

/** Returns the KVK number of the chosen company, or a typed one, or empty. */
export function numberOf({ chosen, text }: State): string {
  return chosen?.kvkNumber ?? /^\s*(\d{8})\s*$/.exec(text)?.[1] ?? "";
}

/**
 * Returns the validation error of the field. While the service does not answer, any text is valid, because an outage
 * must never block the page's form.
 */
export function faultOf(
  state: State,
  { isRequired, isStrict }: { readonly isRequired: boolean; readonly isStrict: boolean },
): "valueMissing" | "badInput" | undefined {
  if (numberOf(state) !== "") return undefined;
  if (queryOf(state) === "") return isRequired ? "valueMissing" : undefined;
  return (isRequired || isStrict) && state.failure === undefined ? "badInput" : undefined;
}
