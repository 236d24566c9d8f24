import { describe, it } from "vitest";
import { IS_THOROUGH } from "./isThorough.ts";

/**
 * How many values or moments of a guarantee to test. An ordinary run tests enough to find frequent failures soon; rare
 * ones show up over many runs.
 */
export function amount({ ordinary, thorough }: { ordinary: number; thorough: number }): number {
  return IS_THOROUGH ? thorough : ordinary;
}

/** The variants of a guarantee to test: all in a thorough run, otherwise the first `ordinary` ones. */
export function variants<T>(all: readonly T[], { ordinary }: { ordinary: number }): readonly T[] {
  return IS_THOROUGH ? all : all.slice(0, ordinary);
}

const notRegistered = (..._: unknown[]): void => {};
const LEFT_OUT = Object.assign(notRegistered, { each: (..._: unknown[]) => notRegistered });

/**
 * `it` for a test that only a thorough run includes: a variant of a guarantee that another test checks in every run.
 */
export const thoroughIt = IS_THOROUGH ? it : LEFT_OUT;

/** `describe` for such tests. */
export const thoroughDescribe = IS_THOROUGH ? describe : LEFT_OUT;
