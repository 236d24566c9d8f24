import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterFile } from "./afterFile.ts";
import { IS_THOROUGH } from "./isThorough.ts";
import { type Need, nothing, program } from "./needs.ts";

/** A program that runs examples with `curl`. */
export interface Curl {
  readonly name: string;
  readonly need: Need;
  /** A PATH with this `curl`; its files are deleted after the test file. */
  path(): string;
}

const RUNNER = fileURLToPath(new URL("curl.ts", import.meta.url));

/** A folder in which {@link RUNNER} is named `curl`. */
function runnerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-curl-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "curl");
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${RUNNER}' "$@"\n`);
  chmodSync(file, 0o755);
  return folder;
}

const ALL: readonly Curl[] = [
  { name: "curl", need: program("curl"), path: () => process.env["PATH"] ?? "" },
  {
    name: "curl replacement",
    need: nothing,
    path: () => [runnerFolder(), process.env["PATH"]].join(delimiter),
  },
];

/** Examples run with curl where it is installed and with our replacement elsewhere; in a thorough run with both. */
export const CURLS = IS_THOROUGH ? ALL : ALL.filter(({ need }) => need.isMet).slice(0, 1);
