/**
 * The built pages: small enough for a first visit, compressed, and compatible with a strict content security policy.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DIST } from "./support/built.ts";

const read = (path: string) => readFileSync(join(DIST, path));

/** The limits of a page's initial scripts and files, compressed with gzip. */
const PAGES = [
  { name: "account page", index: "index.html", maxScript: 350 * 1024, maxBytes: 400 * 1024 },
  { name: "docs page", index: "docs/index.html", maxScript: 200 * 1024, maxBytes: 300 * 1024 },
] as const;

/** Returns the scripts that a page loads at first: those in the document and their static imports. */
function firstScripts(index: string): string[] {
  const found = new Set<string>();
  const follow = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const imports = read(path)
      .toString("utf8")
      .matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g);
    for (const [, file] of imports) follow(`assets/${file}`);
  };
  for (const path of namedIn(index, "js")) follow(path);
  return [...found];
}

function namedIn(index: string, ending: string): string[] {
  const html = read(index).toString("utf8");
  return [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)]
    .map(([, path = ""]) => path)
    .filter((path) => path.endsWith(`.${ending}`));
}

/** Returns the size of a file as sent to a client that supports only gzip. */
const sizeOf = (path: string) => read(existsSync(join(DIST, `${path}.gz`)) ? `${path}.gz` : path).length;
const sum = (paths: readonly string[]) => paths.reduce((total, path) => total + sizeOf(path), 0);

describe.each(PAGES)("the $name", ({ index, maxScript, maxBytes }) => {
  it("stays within the size limits of its initial load", () => {
    const scripts = firstScripts(index);
    expect(scripts.length).toBeGreaterThan(0);
    expect(sum(scripts)).toBeLessThanOrEqual(maxScript);
    expect(sum([...scripts, ...namedIn(index, "css"), index])).toBeLessThanOrEqual(maxBytes);
  });

  it("has no inline script or style and loads nothing from other origins", () => {
    const html = read(index).toString("utf8");
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(html).not.toMatch(/(?:src|href)="(?!\/)/);
    // Mantine adds style elements on the account page; the docs page must not have any.
    expect(html.includes("{{nonce}}")).toBe(index === "index.html");
  });
});

describe("the build", () => {
  const first = (index: string) => firstScripts(index).map((path) => read(path).toString("utf8"));
  const inAssets = (ending: string) =>
    readdirSync(join(DIST, "assets")).filter((name) => name.endsWith(ending));

  it("loads charts and the operator's views on demand", () => {
    expect(inAssets(".js").some((file) => read(`assets/${file}`).includes("recharts"))).toBe(true);
    for (const { index } of PAGES) {
      const scripts = first(index);
      expect(inAssets(".js").length).toBeGreaterThan(scripts.length);
      expect(scripts.some((script) => script.includes("recharts"))).toBe(false);
    }
  });

  it("shares code between both pages", () => {
    const [account = [], docs = []] = PAGES.map(({ index }) => firstScripts(index));
    const shared = docs.filter((path) => account.includes(path));
    expect(sum(shared)).toBeGreaterThan(sum(docs) / 2);
  });

  it("contains gzip and brotli forms with the same content", () => {
    // A compressed form that is larger than the original is left out.
    const texts = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter(
      (path) => /\.(js|css|html|svg)$/.test(path) && read(path).length > 500,
    );
    expect(texts.length).toBeGreaterThan(6);
    for (const path of texts) {
      const content = read(path);
      expect(brotliDecompressSync(read(`${path}.br`)).equals(content), path).toBe(true);
      expect(gunzipSync(read(`${path}.gz`)).equals(content), path).toBe(true);
      expect(read(`${path}.br`).length, path).toBeLessThan(content.length);
    }
  });

  it("loads no styles from other origins", () => {
    for (const file of inAssets(".css"))
      expect(read(`assets/${file}`).toString("utf8")).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
  });
});
