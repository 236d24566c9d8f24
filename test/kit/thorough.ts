import { describe, it } from "vitest";
import { IS_THOROUGH } from "./isThorough.ts";

/**
 * How much is tried of what differs by its number or its moment alone. An ordinary run tries so much that what is wrong shows soon, and what
 * is wrong seldom shows to one of many runs.
 */
export function amount({ ordinary, thorough }: { ordinary: number; thorough: number }): number {
  return IS_THOROUGH ? thorough : ordinary;
}

/** The variants of a guarantee to try: all of them in a thorough run, else the first `ordinary` ones. */
export function variants<T>(all: readonly T[], { ordinary }: { ordinary: number }): readonly T[] {
  return IS_THOROUGH ? all : all.slice(0, ordinary);
}

const notRegistered = (..._: unknown[]): void => {};
const LEFT_OUT = Object.assign(notRegistered, { each: (..._: unknown[]) => notRegistered });

/** `it` for a test that only a thorough run runs: a variant of a guarantee that another test checks in every run. */
export const thoroughIt = IS_THOROUGH ? it : LEFT_OUT;

/** `describe` for such tests. */
export const thoroughDescribe = IS_THOROUGH ? describe : LEFT_OUT;
