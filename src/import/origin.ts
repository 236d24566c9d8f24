import { basename } from "node:path";
import { STDIN } from "./open/openInput.ts";

const EXTENSION = /\.(?:csv|tsv|txt|json|jsonl|ndjson|gz|zip)$/i;

/** What `text` becomes as the name of an origin: a-z, 0-9, `.`, `_` and `-`, 64 characters at most. */
export function cleanName(text: string): string {
  const plain = text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 64)
    .replace(/[^a-z0-9]+$/, "");
  return plain === "" ? "file" : plain;
}

/** The origin of what a file holds: `import:` and the given name, else the file's own without its extensions. */
export function originOf(path: string, name: string | undefined): string {
  if (name !== undefined) return `import:${cleanName(name)}`;
  if (path === STDIN) return "import:stdin";
  let base = basename(path);
  while (EXTENSION.test(base)) base = base.replace(EXTENSION, "");
  return `import:${cleanName(base)}`;
}
