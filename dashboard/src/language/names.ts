import { bilingual } from "./bilingual.ts";
import { useTexts } from "./language.tsx";

const texts = bilingual(
  { thisPage: "This page (Try it)", deletedKey: "From an earlier account" },
  { thisPage: "Deze pagina (Uitproberen)", deletedKey: "Van een eerder account" },
);

interface NamedKey {
  readonly name?: string;
  readonly lastFour?: string;
  readonly isPage?: boolean;
}

/** How a list of calls or of usage names a key. */
export function useKeyName(): (key: NamedKey) => string {
  const t = useTexts(texts);
  return ({ name, lastFour, isPage }) => {
    if (isPage) return t.thisPage;
    return name === undefined ? t.deletedKey : `${name} (…${lastFour})`;
  };
}

/** A plan's name as a title: those of an operator's own table are shown as they are written there, with a capital. */
export function planName(tier: string): string {
  return tier.slice(0, 1).toUpperCase() + tier.slice(1);
}
