/**
 * Tests with requirements outside the repository. If one is missing, one skipped test names it; a run ends with these
 * lines.
 */
import { existsSync } from "node:fs";
import { describe, it } from "vitest";
import { isInstalled } from "./program.ts";

/** A requirement that a machine may lack. */
export interface Need {
  readonly isMet: boolean;
  /** The reason to skip tests without it. */
  readonly lack: string;
  /** Added to the names of the tests, to select them. */
  readonly note?: string;
}

/** A program that none of our packages provides. @param words arguments with which it ends at once */
export function program(command: string, words?: readonly string[]): Need {
  return { isMet: isInstalled(command, words), lack: `${command} is not installed` };
}

/** No requirement: every machine that runs the tests has it. */
export const nothing: Need = { isMet: true, lack: "" };

/** Root privileges. */
export const root: Need = { isMet: process.getuid?.() === 0, lack: "needs root" };

/**
 * A command prefix that applies file permissions to root as to any other user; the program itself may be in a folder
 * that only root reads.
 */
export const WITHOUT_OVERRIDE = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] as const;
/** Root, on a system where it can drop those privileges. */
export const plainRoot: Need = {
  isMet: root.isMet && isInstalled(WITHOUT_OVERRIDE[0], [...WITHOUT_OVERRIDE.slice(1), "true"]),
  lack: "needs root that may give up rights (setpriv)",
};

/**
 * The path of recorded responses or public lists, which are not part of the project. They may be next to the
 * repository.
 */
export function sharedPath(path: string): string {
  return `../shared/${path}`;
}

/** A path of {@link sharedPath}. */
export function shared(path: string): Need {
  return { isMet: existsSync(path), lack: `${path} is absent`, note: "with ../shared" };
}

/** Marks the tests that a run lists at its end. */
export const SKIPPED = /\(skipped: [^)]+\)$/;

/** Tests with a requirement. If it is missing, `tests` is not called: collecting them may already read it. */
export function describeWith(need: Need, name: string, tests: () => void): void {
  if (need.isMet) describe(nameWith(need, name), tests);
  else skip(need, name);
}

/** One test with a requirement. */
export function itWith(need: Need, name: string, test: () => void | Promise<void>): void {
  if (need.isMet) it(nameWith(need, name), test);
  else skip(need, name);
}

function nameWith({ note }: Need, name: string): string {
  return note === undefined ? name : `${name} (${note})`;
}

function skip({ lack }: Need, name: string): void {
  it.skipIf(true)(`${name} (skipped: ${lack})`, () => {});
}
