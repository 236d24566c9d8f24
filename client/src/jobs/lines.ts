import { UnexpectedAnswerError } from "../errors.ts";
import type { ResultsPart } from "./download.ts";
import type { JobKind, ResultLine } from "./types.ts";

/** Yields each line of a download once, also when the download restarts. */
export async function* linesIn<Kind extends JobKind>(
  parts: AsyncIterable<ResultsPart>,
): AsyncGenerator<ResultLine<Kind>, void, undefined> {
  let decoder = new TextDecoder();
  let [rest, received, seen, yielded] = ["", 0, 0, 0];
  for await (const { at, bytes } of parts) {
    if (at !== received) {
      decoder = new TextDecoder();
      [rest, seen] = ["", 0];
    }
    received = at + bytes.length;
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      seen += 1;
      if (seen <= yielded) continue;
      yielded = seen;
      yield parsed(line) as ResultLine<Kind>;
    }
  }
  // Without a length, half a line is the only sign that the response was cut off.
  if (rest !== "" && seen >= yielded) yield parsed(rest) as ResultLine<Kind>;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new UnexpectedAnswerError({ status: 200 });
  }
}
