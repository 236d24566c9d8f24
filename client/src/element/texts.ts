import type { Failure } from "./failure.ts";
import type { State } from "./state.ts";
import { queryOf } from "./state.ts";

/** The texts of one language; `{}` is replaced by a number or a name. */
type Texts = Readonly<Record<keyof typeof EN, string>>;

const EN = {
  label: "Company",
  list: "Companies found",
  clear: "Clear",
  slow: "Still searching…",
  none: "Nothing found. Try another spelling or the 8-digit KVK number.",
  lost_zero: "A KVK number has 8 digits. Is the zero at the start missing?",
  other: "This looks like another kind of number or address. Type a name or a KVK number.",
  count: "Companies found: {}.",
  fuzzy: "No exact match. Did you mean:",
  also: "also: ",
  ended: "deregistered",
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
  lost_zero: "Een KVK-nummer heeft 8 cijfers. Is de nul aan het begin weggevallen?",
  other: "Dit lijkt een ander soort nummer of adres. Typ een naam of een KVK-nummer.",
  count: "Bedrijven gevonden: {}.",
  fuzzy: "Geen exacte treffer. Bedoelde u:",
  also: "ook: ",
  ended: "uitgeschreven",
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

export type Translate = (name: keyof Texts, value?: string | number) => string;

/** Returns the texts of a language: Dutch, or English for all others. */
export function textsOf(language: string): Translate {
  const texts = /^nl\b/i.test(language) ? NL : EN;
  return (name, value = "") => texts[name].replace("{}", () => `${value}`);
}

/** Returns the language of an element: its own, or that of the nearest element around it, across shadow roots. */
export function languageOf(element: Element): string {
  const near = element.closest("[lang]");
  if (near !== null) return near.getAttribute("lang") ?? "";
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? languageOf(root.host) : "";
}

/** Returns why there are no hits, and what to do. */
export function failureText(translate: Translate, { code, retryAfterSeconds }: Failure): string {
  const name = Object.hasOwn(EN, code) ? (code as keyof Texts) : "away";
  return `${translate(name, retryAfterSeconds)} ${translate("byHand")}`;
}

/** Returns the message shown with the hits, or instead of them. */
export function noteText(translate: Translate, { phase, hits, hint }: State): string {
  if (phase === "slow") return translate("slow");
  if (phase !== "found") return "";
  if (hint !== "") return translate(hint === "lost_zero" ? hint : "other");
  if (hits.length === 0) return translate("none");
  return hits.some(({ isFuzzy }) => isFuzzy) ? translate("fuzzy") : "";
}

/** Returns the announcement for screen readers. */
export function statusText(translate: Translate, state: State): string {
  const { chosen, failure, phase, hits } = state;
  if (chosen !== undefined) return translate("chosen", `${chosen.name}, KVK ${chosen.kvkNumber}`);
  if (failure !== undefined && phase === "idle" && queryOf(state) !== "")
    return failureText(translate, failure);
  if (!state.isOpen) return "";
  if (phase !== "found" || hits.length === 0) return noteText(translate, state);
  return `${translate("count", hits.length)} ${noteText(translate, state)}`.trim();
}
