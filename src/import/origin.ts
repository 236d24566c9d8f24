import { basename } from "node:path";
import { STDIN } from "./open/openInput.ts";

const EXTENSION = /\.(?:csv|tsv|txt|json|jsonl|ndjson|gz|zip)$/i;

/** Makes `text` a name for an origin: a-z, 0-9, `.`, `_` and `-`, at most 64 characters. */
export function cleanOriginName(text: string): string {
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

/** The origin of a file's data: `import:` and the given name, or the name of the file without extensions. */
export function originOf(path: string, name: string | undefined): string {
  if (name !== undefined) return `import:${cleanOriginName(name)}`;
  if (path === STDIN) return "import:stdin";
  let base = basename(path);
  while (EXTENSION.test(base)) base = base.replace(EXTENSION, "");
  return `import:${cleanOriginName(base)}`;
}
