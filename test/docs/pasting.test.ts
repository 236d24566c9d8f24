/** The blocks of commands in all documents can be pasted into an interactive bash or zsh. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { repositoryFiles, textOf } from "../architecture/repository.ts";
import { itWith, program } from "../kit/needs.ts";

const pages = repositoryFiles().filter((path) => path.endsWith(".md"));
const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```(?:sh|bash)\n((?:(?!```).*\n)*)/gm)].map(({ index, 1: text = "" }) => ({
    page,
    index,
    text,
  })),
);

const HEREDOC = /<<'END'(.*)\n(?:(?!END$).*\n)*END$/gm;
/** Commands whose patterns mean files that exist. */
const WITH_FILES = /^(?:install|rm) .*/gm;
const SINGLE_QUOTED = /'[^']*'/g;
const DOUBLE_QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** Signs that an interactive zsh takes for something else than sh does, by what it takes them for. */
const TRAPS: readonly (readonly [string, RegExp])[] = [
  ["a comment is arguments", /(?:^|\s)#/m],
  ["a pattern that fits no file ends the command", /[?*[\]]/],
  ["= before a name is the path of a command", /(?:^|\s)=\w/m],
  ["~ before a name is a folder", /(?:^|\s)~\w/m],
  ["^ is a pattern", /\^/],
];
/** Double quotes do not protect from the history of commands. */
const HISTORY = /!(?=[\w"$?!#{-])/;

/** Returns why a block cannot be pasted. */
function trapsIn(text: string): string[] {
  const unquoted = text.replace(HEREDOC, "$1").replace(SINGLE_QUOTED, "q");
  const bare = unquoted
    .replace(DOUBLE_QUOTED, "q")
    .replace(WITH_FILES, (command) => command.replaceAll("*", ""));
  const found = TRAPS.filter(([, sign]) => sign.test(bare)).map(([trap]) => trap);
  return HISTORY.test(unquoted.replaceAll("$!", "")) ? [...found, "! is an earlier command"] : found;
}

describe("blocks of commands", () => {
  it("have nothing that an interactive zsh reads differently", () => {
    expect(blocks.length).toBeGreaterThan(80);
    expect(
      blocks.map(({ page, text }) => [page, text, trapsIn(text)]).filter(([, , traps]) => traps?.length),
    ).toEqual([]);
  });

  it.each([
    "opzoek registry  # list snapshots",
    "# list snapshots\nopzoek registry",
    "export A=b # or c",
    "opzoek key create --origin *.shop.example",
    "curl http://127.0.0.1:8080/v1/search?q=a",
    "curl http://127.0.0.1:8080/v1/jobs[1-3]",
    'curl -d "{\\"name\\": \\"Yes!Really\\"}" http://127.0.0.1:8080',
    "opzoek lookup =cat",
    "git show HEAD^",
  ])("%s is found", (text) => {
    expect(trapsIn(`${text}\n`)).not.toEqual([]);
  });

  itWith(program("zsh"), "are parsed by an interactive zsh", () => {
    const failed = blocks.filter(({ text }) => {
      try {
        execFileSync("zsh", ["-f", "-i", "-n", "-c", text], { stdio: ["ignore", "ignore", "pipe"] });
        return false;
      } catch {
        return true;
      }
    });
    expect(failed).toEqual([]);
  });

  it("that run `opzoek` say before how to get it, or install it", () => {
    const first = new Map(
      blocks
        .filter(({ text }) => /^(?:\w+=\S+ )?opzoek /m.test(text))
        .toReversed()
        .map(({ page, index }) => [page, index]),
    );
    expect(first.size).toBeGreaterThan(8);
    const silent = [...first].filter(([page, index]) => {
      const end = textOf(page).indexOf("```", index + 3);
      return !/alias opzoek="npm run --silent opzoek --"|install -m 0755 opzoek \/usr\/local\/bin/.test(
        textOf(page).slice(0, end),
      );
    });
    expect(silent).toEqual([]);
  });

  it("write only files that git ignores, if they write into the checkout", () => {
    const checkout = ["README.md", "CONTRIBUTING.md", "docs/lists.md", "docs/monitors.md"];
    const written = blocks
      .filter(({ page }) => checkout.includes(page))
      .flatMap(({ text }) =>
        [...text.matchAll(/(?:>>? ?|-o |-D )([\w.-]+)(?=\s|$)/g)].map(([, name = ""]) => name),
      );
    expect(written.length).toBeGreaterThan(5);
    const ignored = execFileSync("git", ["check-ignore", "--no-index", ...written], { encoding: "utf8" });
    expect(written.filter((name) => !ignored.split("\n").includes(name))).toEqual([]);
  });
});
