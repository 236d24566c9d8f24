import type { KeyKind } from "../contract/keyKinds.ts";
import { quoted } from "../contract/quoting.ts";
import { originRule } from "../lib/origins.ts";
import { AccountRefusal } from "./refusal.ts";
import type { BrowserBounds } from "./store.ts";

/** So many origins one key may name. */
export const MOST_ORIGINS = 20;
/** Tokens a day of a key for which nobody said how many: some sixty people who look for a company by typing its name. */
export const DEFAULT_DAILY_TOKENS = 500;
export const MOST_DAILY_TOKENS = 1_000_000;

/** What is asked for of a key for browsers; what is absent stays, or has its default. */
export interface AskedBrowserBounds {
  readonly origins?: readonly string[];
  readonly mayLookUp?: boolean;
  readonly dailyTokens?: number;
}

/** What of it was asked for, as it is kept. @throws {AccountRefusal} for a bad origin, none of them, too many, and a bad cap */
export function browserBounds(asked: AskedBrowserBounds): Partial<BrowserBounds> {
  const { origins, mayLookUp, dailyTokens } = asked;
  return {
    ...(origins !== undefined && { origins: keyOrigins(origins) }),
    ...(mayLookUp !== undefined && { mayLookUp }),
    ...(dailyTokens !== undefined && { dailyTokens: dailyCap(dailyTokens) }),
  };
}

/**
 * The same of a new key: whole for one for browsers, undefined for another.
 * @throws {AccountRefusal} also for a key for browsers without origins, and for another one with any of it
 */
export function browserBoundsOfNew(kind: KeyKind, asked: AskedBrowserBounds): BrowserBounds | undefined {
  const given = browserBounds(asked);
  if (kind === "pub") {
    const { origins = keyOrigins([]), mayLookUp = false, dailyTokens = DEFAULT_DAILY_TOKENS } = given;
    return { origins, mayLookUp, dailyTokens };
  }
  if (Object.keys(given).length === 0) return undefined;
  throw new AccountRefusal(
    "origins, look-ups and a day's tokens are set of keys for browsers only: make a key of the kind pub",
    "origins",
  );
}

function keyOrigins(texts: readonly string[]): readonly string[] {
  const kept = new Set<string>();
  for (const text of texts) {
    const rule = originRule(text);
    if (rule === undefined) {
      throw new AccountRefusal(
        `${quoted(text)} is no origin of a web page, such as https://shop.example or https://*.shop.example, without a path`,
        "origins",
      );
    }
    kept.add(rule);
  }
  if (kept.size === 0) {
    throw new AccountRefusal(
      "a key for browsers needs the origins of the pages that may use it, such as https://shop.example",
      "origins",
    );
  }
  if (kept.size > MOST_ORIGINS) {
    throw new AccountRefusal(
      `a key may name ${MOST_ORIGINS} origins at most: take names together, such as https://*.shop.example`,
      "origins",
    );
  }
  return [...kept];
}

function dailyCap(tokens: number): number {
  if (Number.isInteger(tokens) && tokens >= 1 && tokens <= MOST_DAILY_TOKENS) return tokens;
  throw new AccountRefusal(
    `a key's tokens a day are a whole number from 1 to ${MOST_DAILY_TOKENS}`,
    "dailyTokens",
  );
}
