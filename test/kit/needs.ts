/** Tests that need something the repository does not bring. Where it is missing, one skipped test names it; a run ends with these lines. */
import { existsSync } from "node:fs";
import { describe, it } from "vitest";
import { isInstalled } from "./program.ts";

/** Something that a machine may lack. */
export interface Need {
  readonly isMet: boolean;
  /** Why tests are skipped without it. */
  readonly lack: string;
  /** Added to the name of the tests that run, so that they can be chosen by it. */
  readonly note?: string;
}

/** A program that no package of ours brings. @param words that end it at once */
export function program(command: string, words?: readonly string[]): Need {
  return { isMet: isInstalled(command, words), lack: `${command} is not installed` };
}

/** What every machine has that runs the tests. */
export const nothing: Need = { isMet: true, lack: "" };

/** The rights of root. */
export const root: Need = { isMet: process.getuid?.() === 0, lack: "needs root" };

/** The words before a command that have root meet the rights of files like any other user: the program itself may lie where only root reads. */
export const WITHOUT_OVERRIDE = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] as const;
/** Root, and a system that lets it give those rights up. */
export const plainRoot: Need = {
  isMet: root.isMet && isInstalled(WITHOUT_OVERRIDE[0], [...WITHOUT_OVERRIDE.slice(1), "true"]),
  lack: "needs root that may give up rights (setpriv)",
};

/** The path of recorded responses or public lists, which are not part of the project. They may lie next to the repository. */
export function sharedPath(path: string): string {
  return `../shared/${path}`;
}

/** A path of {@link sharedPath}. */
export function shared(path: string): Need {
  return { isMet: existsSync(path), lack: `${path} is absent`, note: "with ../shared" };
}

/** Marks the tests that a run lists at its end. */
export const SKIPPED = /\(skipped: [^)]+\)$/;

/** Tests that need something. Where it is missing, `tests` is not called: collecting them may read what they need. */
export function describeWith(need: Need, name: string, tests: () => void): void {
  if (need.isMet) describe(nameWith(need, name), tests);
  else skip(need, name);
}

/** One test that needs something. */
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
