/**
 * Files that an operator makes in a checkout by the documents hold secrets: no image, release or commit contains them.
 */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT, textOf } from "../architecture/repository.ts";
import { npmOffline } from "../kit/npm.ts";
import { runProgram, startProgram } from "../kit/program.ts";
import { temporaryFolder } from "../kit/world.ts";

const PRIVATE = [
  "opzoek.env",
  "deploy/compose/.env",
  "deploy/compose/incoming/klanten.csv",
  "deploy/compose/before.dump",
  "deploy/kubernetes/secret.yaml",
  "deploy/kubernetes/registry.key",
] as const;

/** A folder with the rules of the checkout and the private files. */
const folder = temporaryFolder();
let packed: readonly string[];
beforeAll(async () => {
  for (const path of ["package.json", ".gitignore", "deploy"]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  for (const path of PRIVATE) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "tr0ub4dor");
  }
  const words = ["pack", "--dry-run", "--ignore-scripts", "--json"];
  const { out } = await runProgram("npm", words, { env: npmOffline(temporaryFolder()), cwd: folder });
  const [release] = JSON.parse(out) as readonly { readonly files: readonly { readonly path: string }[] }[];
  packed = release?.files.map(({ path }) => path) ?? [];
  await runProgram("git", ["init", "--quiet"], { cwd: folder });
});

/** Whether Docker reads a file of the checkout: the last rule of `.dockerignore` that names it decides. */
function isSentToDocker(path: string): boolean {
  const rules = textOf(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const names = (rule: string) => {
    const place = rule.replace("!", "");
    if (place.startsWith("**/*")) return path.endsWith(place.slice("**/*".length));
    return place === "*" || path === place || path.startsWith(`${place}/`);
  };
  return rules.findLast(names)?.startsWith("!") === true;
}

describe.each(PRIVATE)("%s", (path) => {
  it("is in no release", () => {
    expect(packed).toContain("deploy/compose/compose.yaml");
    expect(packed).not.toContain(path);
  });

  it("is in no image", () => {
    expect(isSentToDocker("deploy/compose/compose.yaml")).toBe(true);
    expect(isSentToDocker(path)).toBe(false);
  });

  it("is ignored by git", async () => {
    expect((await startProgram("git", ["check-ignore", path], { cwd: folder }).ended).code).toBe(0);
  });
});

it("the documents create files with secrets for their owner only, and folders before Docker does", () => {
  const lines = ["docs/install.md", "docs/backup-and-upgrade.md"].flatMap((path) =>
    [...textOf(path).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n")),
  );
  const creating = lines.filter((line) => /pg_dump |> \S+\.env|\bcp \S*\.?example/.test(line));
  expect(creating.length).toBeGreaterThanOrEqual(6);
  expect(creating.filter((line) => !line.startsWith("(umask 077 && "))).toEqual([]);
  const [folder, up] = ["mkdir -p incoming", "docker compose up"].map((words) =>
    lines.findIndex((line) => line.startsWith(words)),
  );
  expect(folder).toBeGreaterThan(-1);
  expect(folder).toBeLessThan(up ?? -1);
});
