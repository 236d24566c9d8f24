import { useTexts } from "./language.tsx";
import { keyTexts } from "./operations.ts";

interface NamedKey {
  readonly name?: string;
  readonly lastFour?: string;
  readonly isPage?: boolean;
}

/** Returns the name of a key in lists of calls and usage. */
export function useKeyName(): (key: NamedKey) => string {
  const t = useTexts(keyTexts);
  return ({ name, lastFour, isPage }) => {
    if (isPage) return t.thisPage;
    return name === undefined ? t.deletedKey : `${name} (…${lastFour})`;
  };
}

/** Returns a plan's name with a capital; operators can define their own plans. */
export function planName(tier: string): string {
  return tier.slice(0, 1).toUpperCase() + tier.slice(1);
}
