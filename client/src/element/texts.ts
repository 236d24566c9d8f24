import type { Failure } from "./failure.ts";
import type { State } from "./state.ts";
import { queryOf } from "./state.ts";

/** The words of one language; `{}` is where a number or a name goes. */
type Texts = Readonly<Record<keyof typeof EN, string>>;

const EN = {
  label: "Company",
  list: "Companies found",
  clear: "Clear",
  slow: "Still searching…",
  none: "Nothing found. Try another spelling or the 8-digit KVK number.",
  count: "Companies found: {}.",
  fuzzy: "No exact match. Did you mean:",
  also: "also: ",
  chosen: "Chosen: {}.",
  unchosen: "Choose a company from the list or type its 8-digit KVK number.",
  UNAUTHORIZED: "Search does not work here: the key is not accepted.",
  FORBIDDEN: "Search does not work here: this key cannot be used on this site.",
  RATE_LIMIT_EXCEEDED: "Too many searches at once. Search continues in {} s.",
  QUOTA_EXCEEDED: "The search limit has been reached.",
  OFFLINE: "There is no internet connection.",
  away: "Search is not available at the moment.",
  byHand: "Type the name or KVK number yourself and continue.",
};

const NL: Texts = {
  label: "Bedrijf",
  list: "Gevonden bedrijven",
  clear: "Wissen",
  slow: "Nog aan het zoeken…",
  none: "Niets gevonden. Probeer een andere spelling of het KVK-nummer van 8 cijfers.",
  count: "Bedrijven gevonden: {}.",
  fuzzy: "Geen exacte treffer. Bedoelde u:",
  also: "ook: ",
  chosen: "Gekozen: {}.",
  unchosen: "Kies een bedrijf uit de lijst of typ het KVK-nummer van 8 cijfers.",
  UNAUTHORIZED: "Zoeken werkt hier niet: de sleutel wordt niet geaccepteerd.",
  FORBIDDEN: "Zoeken werkt hier niet: deze sleutel is niet geldig op deze site.",
  RATE_LIMIT_EXCEEDED: "Te veel zoekopdrachten tegelijk. Over {} s kunt u weer zoeken.",
  QUOTA_EXCEEDED: "De zoeklimiet is bereikt.",
  OFFLINE: "Er is geen internetverbinding.",
  away: "Zoeken werkt op dit moment niet.",
  byHand: "Vul de naam of het KVK-nummer zelf in en ga verder.",
};

export type Tell = (name: keyof Texts, value?: string | number) => string;

/** The words of a language: Dutch, or English for every other. */
export function textsOf(language: string): Tell {
  const texts = /^nl\b/i.test(language) ? NL : EN;
  return (name, value = "") => texts[name].replace("{}", () => `${value}`);
}

/** The language of an element: its own, else that of the nearest element around it, out of shadow roots too. */
export function languageOf(element: Element): string {
  const near = element.closest("[lang]");
  if (near !== null) return near.getAttribute("lang") ?? "";
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOf(root.host) : "";
}

/** Why there are no hits, and what one can do. */
export function failureText(tell: Tell, { code, retryAfterSeconds }: Failure): string {
  const name = Object.hasOwn(EN, code) ? (code as keyof Texts) : "away";
  return `${tell(name, retryAfterSeconds)} ${tell("byHand")}`;
}

/** Returns the message shown with the hits, or instead of them. */
export function noteText(tell: Tell, { phase, hits }: State): string {
  if (phase === "slow") return tell("slow");
  if (phase !== "found") return "";
  if (hits.length === 0) return tell("none");
  return hits.some(({ isFuzzy }) => isFuzzy) ? tell("fuzzy") : "";
}

/** Returns the announcement for screen readers. */
export function statusText(tell: Tell, state: State): string {
  const { chosen, failure, phase, hits } = state;
  if (chosen !== undefined) return tell("chosen", `${chosen.name}, KVK ${chosen.kvkNumber}`);
  if (failure !== undefined && phase === "idle" && queryOf(state) !== "") return failureText(tell, failure);
  if (!state.isOpen) return "";
  if (phase !== "found" || hits.length === 0) return noteText(tell, state);
  return `${tell("count", hits.length)} ${noteText(tell, state)}`.trim();
}
