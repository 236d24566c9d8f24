import { bilingual } from "./bilingual.ts";
import { useTexts } from "./language.tsx";

const texts = bilingual(
  { thisPage: "This page (Try it)", deletedKey: "From an earlier account", firstKey: "first key" },
  { thisPage: "Deze pagina (Uitproberen)", deletedKey: "Van een eerder account", firstKey: "eerste sleutel" },
);

interface NamedKey {
  readonly name?: string;
  readonly lastFour?: string;
  readonly isPage?: boolean;
}

/** The name that the service gives to the first key of an account. */
const FIRST_KEY = "first key";

/** Returns the displayed name of a key: the service's own name for the first key is translated. */
export function useShownName(): (name: string) => string {
  const t = useTexts(texts);
  return (name) => (name === FIRST_KEY ? t.firstKey : name);
}

/** Returns the name of a key in lists of calls and usage. */
export function useKeyName(): (key: NamedKey) => string {
  const t = useTexts(texts);
  const shownName = useShownName();
  return ({ name, lastFour, isPage }) => {
    if (isPage) return t.thisPage;
    return name === undefined ? t.deletedKey : `${shownName(name)} (…${lastFour})`;
  };
}

/** Returns a plan's name with a capital; operators can define their own plans. */
export function planName(tier: string): string {
  return tier.slice(0, 1).toUpperCase() + tier.slice(1);
}
