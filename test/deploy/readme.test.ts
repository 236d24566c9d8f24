import { expect, it } from "vitest";
import { repositoryFiles, textOf } from "../architecture/repository.ts";

const page = textOf("deploy/README.md");

it("deploy/README.md names every file of the folder", () => {
  const files = repositoryFiles()
    .filter((path) => path.startsWith("deploy/") && path !== "deploy/README.md")
    .map((path) => path.replace("deploy/", ""));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((path) => !isNamed(path))).toEqual([]);
});

/** By itself, by its folder or a page of it, or by a common prefix. */
function isNamed(path: string): boolean {
  const [folder = ""] = path.split("/");
  const kind = /^systemd\/opzoek-([a-z]+)\.(service|timer)$/.exec(path);
  if (kind !== null) return page.includes(`-${kind[1]}`);
  return (
    page.includes(`\`${path}\``) ||
    page.includes(`\`${folder}/*.yaml\``) ||
    page.includes(`(${folder}/README.md)`)
  );
}
