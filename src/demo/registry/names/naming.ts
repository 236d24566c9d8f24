import { at, type Random } from "../random.ts";
import type { Trade } from "../words/trades.ts";

/** The name of a company and its activities. */
export interface Naming {
  readonly name: string;
  /** The name in daily use, without the legal form. */
  readonly spokenName: string;
  /** SBI codes that go with the name, the main one first. */
  readonly sbiCodes: readonly string[];
}

/** Makes a name; `home` is the company's place, for names that include it. */
export type Namer = (random: Random, home: string) => Naming;

/** A name without a legal form. */
export function plainly(name: string, sbiCodes: readonly string[]): Naming {
  return { name, spokenName: name, sbiCodes };
}

/** A name with the legal form behind it, spelled as `suffix`. */
export function withSuffix(spokenName: string, suffix: string, sbiCodes: readonly string[]): Naming {
  return { name: `${spokenName} ${suffix}`, spokenName, sbiCodes };
}

/** A name with the legal form before it. */
export function withPrefix(prefix: string, spokenName: string, sbiCodes: readonly string[]): Naming {
  return { name: `${prefix} ${spokenName}`, spokenName, sbiCodes };
}

export interface Pattern {
  readonly share: number;
  readonly make: (random: Random, trade: Trade, home: string) => string;
}

/** Picks a pattern with its share as the probability. The shares add up to 1. */
export function pickPattern(patterns: readonly Pattern[], random: Random): Pattern {
  let left = random.fraction();
  for (const pattern of patterns) {
    left -= pattern.share;
    if (left < 0) return pattern;
  }
  return at(patterns, patterns.length - 1);
}

/** `2004` or `17`, as clubs and studios put behind their names. */
export function yearOrNumber(random: Random): string {
  return String(random.chance(0.5) ? random.between(1898, 2024) : random.between(2, 999));
}
