/** What `opzoek completion` prints is run by the shells that are here. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { itWith, program } from "../kit/needs.ts";
import { opzoek } from "../kit/opzoek.ts";
import { temporaryFolder } from "../kit/world.ts";

const scripts = new Map<string, string>();
beforeAll(async () => {
  const folder = temporaryFolder();
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, out } = await opzoek(["completion", shell], {});
    expect(code).toBe(0);
    const file = join(folder, shell);
    writeFileSync(file, out);
    scripts.set(shell, file);
  }
});

/** Without the language of this machine, which a shell complains about where it is not installed. */
const env = { PATH: process.env["PATH"] };

/** What bash offers behind these words; the last is being typed. */
function offered(...words: string[]): string[] {
  const program = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _opzoek; printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Without `--norc` bash may read the settings of who runs the tests: its stdin is a socket.
  const line = ["--norc", "-c", program, "-", scripts.get("bash") ?? "", ...words];
  const { stdout, stderr } = spawnSync("bash", line, { encoding: "utf8", env });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("in bash", () => {
  itWith(program("bash"), "commands, those below them, and options of each are completed", () => {
    expect(offered("opzoek", "loo")).toEqual(["lookup"]);
    expect(offered("opzoek", "key", "")).toEqual(["create", "list", "change", "revoke"]);
    expect(offered("opzoek", "lookup", "--e")).toEqual(["--enrich"]);
    expect(offered("opzoek", "account", "create", "--t")).toEqual(["--tier"]);
    expect(offered("opzoek", "jobs", "re")).toEqual(["resume", "results"]);
    expect(offered("opzoek", "jobs", "submit", "--d")).toEqual(["--dry-run"]);
    expect(offered("opzoek", "batch", "--format", "csv", "--en")).toEqual(["--enrich"]);
    expect(offered("opzoek", "lookup", "x")).toEqual([]);
  });
});

describe.each([
  ["zsh", ["-n"]],
  ["fish", ["--no-execute"]],
])("in %s", (shell, words) => {
  itWith(program(shell), "the script can be read", () => {
    const { status, stderr } = spawnSync(shell, [...words, scripts.get(shell) ?? ""], {
      encoding: "utf8",
      env,
    });
    expect([status, stderr]).toEqual([0, ""]);
  });
});

it("is refused for another shell", async () => {
  expect(await opzoek(["completion", "tcsh"], {})).toMatchObject({ code: 2 });
});
