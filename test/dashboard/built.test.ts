/** What is built: small enough for a first page, and nothing in it that a strict policy would refuse. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { DIST, ensureBuilt } from "./support/built.ts";

const MOST_FIRST_BYTES = 350 * 1024;

beforeAll(ensureBuilt);
const read = (path: string) => readFileSync(join(DIST, path));

/** The scripts that the page loads before anything is clicked: those it names, and what these import at once. */
function firstScripts(): string[] {
  const found = new Set<string>();
  const follow = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    const imports = read(path)
      .toString("utf8")
      .matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([^"']+\.js)["']/g);
    for (const [, file] of imports) follow(`assets/${file}`);
  };
  for (const [, path] of read("index.html")
    .toString("utf8")
    .matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)) {
    if (path !== undefined) follow(path);
  }
  return [...found];
}

describe("the built page", () => {
  it("loads at most 350 KB of JavaScript, packed, before it can be used", () => {
    const scripts = firstScripts();
    const bytes = scripts.reduce((sum, path) => sum + gzipSync(read(path)).length, 0);
    expect(scripts.length).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MOST_FIRST_BYTES);
  });

  it("leaves charts and the operator's views for later", () => {
    const first = firstScripts().map((path) => read(path).toString("utf8"));
    const all = readdirSync(join(DIST, "assets")).filter((file) => file.endsWith(".js"));
    expect(all.length).toBeGreaterThan(first.length);
    expect(all.some((file) => read(`assets/${file}`).includes("recharts"))).toBe(true);
    expect(first.some((script) => script.includes("recharts"))).toBe(false);
  });

  it("has no script and no style in the document, and nothing from another address", () => {
    const html = read("index.html").toString("utf8");
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
    expect(html).not.toMatch(/(?:src|href)="(?!\/)/);
    expect(html).toContain('content="{{nonce}}"');
    for (const file of readdirSync(join(DIST, "assets")).filter((name) => name.endsWith(".css"))) {
      expect(read(`assets/${file}`).toString("utf8")).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
    }
  });
});
