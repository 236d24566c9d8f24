import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** Text files. Pictures and fonts are compressed already. */
const TEXTS = new Set([".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".txt"]);

/** The endings that `src/http/files.ts` looks for. */
const FORMS = [
  [".br", (content: Buffer) => brotliCompressSync(content)],
  [".gz", (content: Buffer) => gzipSync(content, { level: 9 })],
] as const;

/** Writes compressed copies next to the text files of a folder, if they are smaller, at the highest level. */
export function packFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!TEXTS.has(extname(path)) || !statSync(path).isFile()) continue;
    const content = readFileSync(path);
    for (const [ending, compress] of FORMS) {
      const form = compress(content);
      if (form.length < content.length) writeFileSync(path + ending, form);
    }
  }
}
