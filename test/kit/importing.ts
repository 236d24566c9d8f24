import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach } from "vitest";
import { parseKvkNumber } from "../../src/contract/numbers.ts";
import { importFiles } from "../../src/import/importFiles.ts";
import type { ImportRequest } from "../../src/import/request.ts";
import { openRegistry } from "../../src/registry/registry.ts";

/** Gives each test a folder with files to import and the registry that they are imported into. */
export function importing() {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opzoek-import-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const pathOf = (...names: readonly string[]) => join(folder, ...names);
  return {
    pathOf,
    file(name: string, content: string | Buffer): string {
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
    run: (format: ImportRequest["format"], files: readonly string[], more: Partial<ImportRequest> = {}) =>
      importFiles({ directory: pathOf("registry"), format, files, stdin: Readable.from([]), ...more }),
    async lookup(digits: string) {
      const registry = await openRegistry(pathOf("registry"));
      try {
        const kvkNumber = parseKvkNumber(digits);
        return kvkNumber === undefined ? undefined : registry.current?.enriched(kvkNumber);
      } finally {
        registry.close();
      }
    },
  };
}
