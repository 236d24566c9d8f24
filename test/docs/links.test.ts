import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, repositoryFiles, textOf } from "../architecture/repository.ts";

const pages = repositoryFiles().filter((path) => path.endsWith(".md"));

const LINK = /\]\(([^)\s]+)\)/g;

/** The anchors of headings: lowercase, blanks as dashes, without punctuation. */
function anchorsOf(page: string): Set<string> {
  const headings = textOf(page).matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

describe("links between documents", () => {
  it("lead to a file, and to a heading if they name one", () => {
    const lost = pages.flatMap((page) =>
      [...textOf(page).matchAll(LINK)]
        .map(([, link = ""]) => link)
        .filter((link) => !/^[a-z]+:/.test(link) && !leads(page, link))
        .map((link) => `${page} → ${link}`),
    );
    expect(lost).toEqual([]);
  });

  it("are relative: this machine and the demo are named only in code", () => {
    const wrong = pages.flatMap((page) =>
      [...textOf(page).matchAll(LINK)]
        .map(([, link = ""]) => link)
        .filter((link) => link.startsWith("/") || link.startsWith("file:"))
        .map((link) => `${page} → ${link}`),
    );
    expect(wrong).toEqual([]);
  });

  it("reach every page of docs from the README", () => {
    const reached = new Set<string>();
    const waiting = ["README.md"];
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      if (reached.has(page) || !pages.includes(page)) continue;
      reached.add(page);
      for (const [, link = ""] of textOf(page).matchAll(LINK)) {
        if (/^[a-z]+:/.test(link)) continue;
        const target = join(dirname(page), link.split("#")[0] ?? "");
        // A link to a folder leads to each of its pages.
        waiting.push(
          ...(target.endsWith("/")
            ? pages.filter((other) => dirname(other) === target.slice(0, -1))
            : [target]),
        );
      }
    }
    const ours = pages.filter((page) => page.startsWith("docs/") || !page.includes("/"));
    expect(ours.filter((page) => !reached.has(page))).toEqual([]);
  });
});

describe("documents named by messages of the program", () => {
  const named = repositoryFiles()
    .filter(
      (path) => /^(?:src|dashboard\/src|deploy)\/|^Dockerfile$/.test(path) && !path.endsWith(".test.ts"),
    )
    .flatMap((path) =>
      [...textOf(path).matchAll(/\b(docs\/[\w-]+\.md)/g)].map(([, page = ""]) => ({ path, page })),
    );

  it("exist", () => {
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([]);
  });

  it("have the sections that doctor refers to", () => {
    const sent = repositoryFiles()
      .filter((path) => /^src\/app\/doctor\/\w+\.ts$/.test(path))
      .flatMap((path) => [
        ...textOf(path).matchAll(/\bsee ([A-Z][\w ]*?)(?: under [\w ]+)? in (docs\/[\w-]+\.md)/g),
      ]);
    expect(sent.length).toBeGreaterThan(2);
    const lost = sent.filter(
      ([, section, page = ""]) => !new RegExp(`^#+ ${section}$`, "m").test(textOf(page)),
    );
    expect(lost.map(([words]) => words)).toEqual([]);
  });
});

function leads(page: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? page : join(dirname(page), file);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(target).has(anchor);
}
