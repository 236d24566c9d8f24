import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { writeInPlace } from "../../lib/inPlace.ts";
import type { Manifest } from "./manifest.ts";

const FILE = "published.json";

const TakenSchema = Type.Object({ serial: Type.Integer({ minimum: 1 }), sha256: Type.String() });
/** Which publication a folder took last, by its serial and the snapshot's checksum. */
type Taken = Static<typeof TakenSchema>;

/** What was taken last; undefined when nothing was, or when that cannot be read any more. */
export function readTaken(directory: string): Taken | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(join(directory, FILE), "utf8"));
  } catch {
    return undefined;
  }
  return Value.Check(TakenSchema, parsed) ? parsed : undefined;
}

/** Remembers what is in place now. Only under the lock, after it is in place: a kill before is made good by the next round. */
export function writeTaken(directory: string, { serial, snapshot }: Manifest): void {
  writeInPlace(directory, FILE, `${JSON.stringify({ serial, sha256: snapshot.sha256 })}\n`);
}
