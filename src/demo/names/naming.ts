import { at, type Random } from "../random.ts";
import type { Trade } from "../words/trades.ts";

/** What a company is called and what it does. */
export interface Naming {
  readonly name: string;
  /** The name as people use it, without the legal form: the first trading name. */
  readonly spokenName: string;
  /** SBI codes that go with the name, the main one first. */
  readonly sbiCodes: readonly string[];
}

/** Makes a name; `home` is the place where the company sits, for names that carry one. */
export type Namer = (random: Random, home: string) => Naming;

/** A company that is called as people speak of it. */
export function plainly(name: string, sbiCodes: readonly string[]): Naming {
  return { name, spokenName: name, sbiCodes };
}

/** The legal form behind the name, as `suffix` spells it. */
export function withSuffix(spokenName: string, suffix: string, sbiCodes: readonly string[]): Naming {
  return { name: `${spokenName} ${suffix}`, spokenName, sbiCodes };
}

/** The legal form before the name. */
export function withPrefix(prefix: string, spokenName: string, sbiCodes: readonly string[]): Naming {
  return { name: `${prefix} ${spokenName}`, spokenName, sbiCodes };
}

export interface Pattern {
  readonly share: number;
  readonly make: (random: Random, trade: Trade, home: string) => string;
}

/** Of patterns with shares that add up to 1, the one that chance picks. */
export function pickPattern(patterns: readonly Pattern[], random: Random): Pattern {
  let left = random.fraction();
  for (const pattern of patterns) {
    left -= pattern.share;
    if (left < 0) return pattern;
  }
  return at(patterns, patterns.length - 1);
}

/** `2004`, as clubs and studios put it behind their names. */
export function yearOrNumber(random: Random): string {
  return String(random.chance(0.5) ? random.between(1898, 2024) : random.between(2, 999));
}
