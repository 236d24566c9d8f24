/** The keys that encrypt people's secrets, from the settings or from a file next to the embedded state. */

import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SealKeys } from "../../accounts/sealing.ts";
import { SEAL_KEY_BYTES } from "../../database/schema/sealed.ts";
import { syncToDisk } from "../../lib/inPlace.ts";
import { makeOwnFolder, OWN_FILE_MODE } from "../../lib/ownFiles.ts";
import type { Settings } from "../settings/settings.ts";

const FILE = "two-factor.key";

/** The key file in a data folder, if the key is not in the settings. */
export function sealKeyPath(dataDir: string): string {
  return join(dataDir, FILE);
}

/** Whether two-factor sign-in can be turned on: nodes that share a state must share a key as well. */
export function offersTwoFactor({ TWO_FACTOR_KEY, DATABASE_URL }: Settings): boolean {
  return TWO_FACTOR_KEY.length > 0 || DATABASE_URL === undefined;
}

/**
 * Returns the keys of the setting, the first of which encrypts; otherwise the key of the file, which is created on
 * first use.
 */
export function sealKeys({ TWO_FACTOR_KEY, DATABASE_URL, DATA_DIR }: Settings): SealKeys {
  const configured = TWO_FACTOR_KEY.map((text) => Buffer.from(text, "base64"));
  const path = sealKeyPath(DATA_DIR);
  if (configured.length > 0) {
    return { toSeal: () => configured[0], toOpen: () => [...configured, ...readKey(path)] };
  }
  if (DATABASE_URL !== undefined) return { toSeal: () => undefined, toOpen: () => [] };
  return {
    toSeal() {
      const [key] = readKey(path);
      if (key !== undefined) return key;
      makeKey(DATA_DIR, path);
      return readKey(path)[0];
    },
    toOpen: () => readKey(path),
  };
}

function readKey(path: string): Buffer[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  const key = Buffer.from(text, "base64");
  if (key.length !== SEAL_KEY_BYTES) {
    throw new Error(`${FILE} in DATA_DIR has no valid key: restore the original file`);
  }
  return [key];
}

/** Created atomically and once: if several processes start together, the first one's file stays. */
function makeKey(dataDir: string, path: string): void {
  makeOwnFolder(dataDir);
  const partial = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  const key = randomBytes(SEAL_KEY_BYTES).toString("base64");
  writeFileSync(partial, `${key}\n`, { flag: "wx", mode: OWN_FILE_MODE, flush: true });
  try {
    linkSync(partial, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(partial);
  }
  syncToDisk(dataDir);
}
