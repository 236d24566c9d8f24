/** What is built: small enough for a first visit, compressed, and nothing in it that a strict policy would refuse. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { DIST } from "./support/built.ts";

const read = (path: string) => readFileSync(join(DIST, path));

/** What a page may bring along, compressed by gzip, before it can be used. */
const PAGES = [
  { name: "account page", index: "index.html", maxScript: 350 * 1024, maxBytes: 400 * 1024 },
  { name: "docs page", index: "docs/index.html", maxScript: 200 * 1024, maxBytes: 300 * 1024 },
] as const;

/** The scripts that a page loads before anything is clicked: those it names, and what these import at once. */
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

/** A file's size as it is sent to a client that knows gzip alone, the larger of the two forms. */
const sizeOf = (path: string) => read(existsSync(join(DIST, `${path}.gz`)) ? `${path}.gz` : path).length;
const sum = (paths: readonly string[]) => paths.reduce((total, path) => total + sizeOf(path), 0);

describe.each(PAGES)("the $name", ({ index, maxScript, maxBytes }) => {
  it("loads little before it can be used", () => {
    const scripts = firstScripts(index);
    expect(scripts.length).toBeGreaterThan(0);
    expect(sum(scripts)).toBeLessThanOrEqual(maxScript);
    expect(sum([...scripts, ...namedIn(index, "css"), index])).toBeLessThanOrEqual(maxBytes);
  });

  it("has no script and no style in the document, and nothing from another address", () => {
    const html = read(index).toString("utf8");
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(html).not.toMatch(/(?:src|href)="(?!\/)/);
    // The account page's kit writes styles; the docs page's must not.
    expect(html.includes("{{nonce}}")).toBe(index === "index.html");
  });
});

describe("what is built", () => {
  const first = (index: string) => firstScripts(index).map((path) => read(path).toString("utf8"));
  const inAssets = (ending: string) =>
    readdirSync(join(DIST, "assets")).filter((name) => name.endsWith(ending));

  it("leaves charts and the operator's views for later", () => {
    expect(inAssets(".js").some((file) => read(`assets/${file}`).includes("recharts"))).toBe(true);
    for (const { index } of PAGES) {
      const scripts = first(index);
      expect(inAssets(".js").length).toBeGreaterThan(scripts.length);
      expect(scripts.some((script) => script.includes("recharts"))).toBe(false);
    }
  });

  it("is shared by both pages as far as it can be", () => {
    const [account = [], docs = []] = PAGES.map(({ index }) => firstScripts(index));
    const shared = docs.filter((path) => account.includes(path));
    expect(sum(shared)).toBeGreaterThan(sum(docs) / 2);
  });

  it("lies there compressed in both ways, and these say the same", () => {
    // Of a few words the compressed form may be the larger one, and is left out.
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

  it("loads no style from another address", () => {
    for (const file of inAssets(".css"))
      expect(read(`assets/${file}`).toString("utf8")).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
  });
});
