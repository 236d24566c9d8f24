import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { cliContext } from "../../src/cli/context.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { repositoryFiles, textOf } from "../architecture/repository.ts";

interface Known {
  /** `account create` */
  readonly words: string;
  readonly options: readonly string[];
  readonly hasOwnAction: boolean;
}

/** Every command with its options. A command with subcommands counts if it runs by itself. */
function commandsOf(command: Command, before: readonly string[] = []): Known[] {
  return command.commands.flatMap((child) => {
    const words = [...before, child.name()];
    const below = commandsOf(child, words);
    const known: Known = {
      words: words.join(" "),
      options: child.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
      hasOwnAction: below.length === 0 || child.options.length > 0,
    };
    return known.hasOwnAction ? [known, ...below] : below;
  });
}

const commands = commandsOf(await buildProgram(cliContext({})));

/** The command that a line calls: the longest one that the line begins with. */
function commandIn(words: readonly string[]): Known | undefined {
  const line = `${words.join(" ")} `;
  return commands
    .filter((command) => line.startsWith(`${command.words} `))
    .sort((a, b) => b.words.length - a.words.length)[0];
}

/** By npm, in prose, by the path of an installed program, and as a shell line. */
const CALL =
  /^npm run --silent opzoek -- ([^#\n]+)|`opzoek ([a-z][^`]*)`|bin\/opzoek(?:\.js)? ([a-z][^#`\n]*)|^opzoek ([a-z][^#\n]*)/gm;

describe("commands in the documents and deployment files", () => {
  const calls = repositoryFiles()
    .filter((path) => /\.md$|^deploy\/systemd\//.test(path))
    .flatMap((path) =>
      [...textOf(path).matchAll(CALL)].map(([, line, inText, byPath, inShell]) => ({
        path,
        line: (line ?? inText ?? byPath ?? inShell ?? "").trim(),
      })),
    );

  it("exist, with the options that are used", () => {
    expect(calls.length).toBeGreaterThan(20);
    const groups = new Set(commands.map(({ words }) => words.split(" ")[0]));
    for (const { path, line } of calls) {
      const words = line.split(/\s+/);
      const known = commandIn(words);
      if (known === undefined) {
        expect(groups.has(words[0]) && words.length === 1, `${path}: opzoek ${line}`).toBe(true);
        continue;
      }
      for (const option of words.filter((word) => word.startsWith("--") && word !== "--help")) {
        expect(known.options, `${path}: opzoek ${line}`).toContain(option);
      }
    }
  });
});
