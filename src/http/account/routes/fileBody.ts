/** Files that are read while they leave: neither the state nor this thread nor its memory has more of one than a step. */
import type { Readable } from "node:stream";
import type { DownloadBody } from "../../downloads.ts";

/**
 * The body of a file. Its first piece is read before, so that what keeps the file from being made is told as an error, with its status; what comes
 * later cuts the answer off.
 * @param pieces the text, each piece some milliseconds of work
 */
export async function fileBody(
  pieces: AsyncGenerator<string, void>,
  bodyOf: DownloadBody,
): Promise<Readable> {
  const first = await pieces.next();
  return bodyOf(behind(first, pieces));
}

async function* behind(
  first: IteratorResult<string, void>,
  pieces: AsyncGenerator<string, void>,
): AsyncGenerator<string, void> {
  if (first.done === true) return;
  yield first.value;
  yield* pieces;
}

/** Some items of a list at a time. */
export type InSteps<Item> = AsyncIterable<readonly Item[]>;

/** A member of {@link jsonPieces} that is a list and comes in steps. */
export class ListInSteps {
  readonly steps: InSteps<unknown>;

  constructor(steps: InSteps<unknown>) {
    this.steps = steps;
  }
}

/** An object as `JSON.stringify` writes it with an indentation of two, with a line break at its end, of which lists come in steps. */
export async function* jsonPieces(members: Readonly<Record<string, unknown>>): AsyncGenerator<string, void> {
  let before = "{";
  for (const [name, value] of Object.entries(members)) {
    const start = `${before}\n  ${JSON.stringify(name)}: `;
    if (value instanceof ListInSteps) yield* listPieces(start, value.steps);
    else yield start + indented(value, "  ");
    before = ",";
  }
  yield "\n}\n";
}

async function* listPieces(start: string, steps: InSteps<unknown>): AsyncGenerator<string, void> {
  let before = `${start}[`;
  for await (const items of steps) {
    if (items.length === 0) continue;
    yield before + items.map((item) => `\n    ${indented(item, "    ")}`).join(",");
    before = ",";
  }
  yield before === "," ? "\n  ]" : `${before}]`;
}

function indented(value: unknown, by: string): string {
  return JSON.stringify(value, undefined, 2).replaceAll("\n", `\n${by}`);
}

/** Steps with each item made to another. */
export async function* eachOf<Item, Made>(
  steps: InSteps<Item>,
  make: (item: Item) => Made,
): AsyncGenerator<readonly Made[], void> {
  for await (const items of steps) yield items.map(make);
}
