import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { writeInPlace } from "../../lib/inPlace.ts";
import { readPointer } from "../directory.ts";
import { momentOf, type RegistryMoment } from "./learnFacts.ts";

const FILE = "learned.json";
const Count = Type.Integer({ minimum: 0 });

const CursorSchema = Type.Object(
  {
    format: Type.Literal(1),
    /** Which state was read: a word of its own. */
    state: Type.String(),
    /** Everything was read up to this mark. */
    mark: Count,
    /** All companies up to this KVK number were read, whatever their mark; absent when that is done. */
    passed: Type.Optional(Type.String()),
    /** Where the registry was then. */
    number: Count,
    learned: Count,
  },
  { additionalProperties: false },
);

/** How far what a live registry told was read into the registry of a folder. */
export type LearnedCursor = Pick<Static<typeof CursorSchema>, "mark" | "passed">;

const FROM_THE_FIRST: LearnedCursor = { mark: 0, passed: "" };

/**
 * How far it was read: from the first on where nothing says so, where another state was read, and where the registry has lost since what it had learned, as one
 * went back or started afresh. Reading too much costs time and changes nothing.
 */
export function readCursor(directory: string, state: string): LearnedCursor {
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(join(directory, FILE), "utf8"));
  } catch {
    return FROM_THE_FIRST;
  }
  if (!Value.Check(CursorSchema, parsed) || parsed.state !== state) return FROM_THE_FIRST;
  const { number, learned } = momentOf(readPointer(directory));
  if (number < parsed.number || learned < parsed.learned) return FROM_THE_FIRST;
  const { mark, passed } = parsed;
  return passed === undefined ? { mark } : { mark, passed };
}

/** Notes how far it was read; durable when it returns. */
export function writeCursor(
  directory: string,
  state: string,
  cursor: LearnedCursor,
  moment: RegistryMoment,
): void {
  const noted: Static<typeof CursorSchema> = { format: 1, state, ...cursor, ...moment };
  writeInPlace(directory, FILE, `${JSON.stringify(noted)}\n`);
}

/** The same where nothing was added, or companies were taken out: with the registry as it is now. */
export function noteRead(directory: string, state: string, cursor: LearnedCursor): void {
  writeCursor(directory, state, cursor, momentOf(readPointer(directory)));
}
