import { ImportRefused } from "../outcome.ts";

/** Bounds for the expansion of archives. */
export interface ExpansionLimits {
  /** The world-wide LEI golden copy expands to 5 GB, four million companies of ours to about as much. */
  readonly maxExpandedBytes: number;
  /** Real registers compress 10 to 40 times; deflate can reach 1,032. */
  readonly maxRatio: number;
  /** Smaller files may have any ratio: a short file of equal rows compresses well too. */
  readonly ratioFreeBytes: number;
}

export const EXPANSION_LIMITS: ExpansionLimits = {
  maxExpandedBytes: 64 * 2 ** 30,
  maxRatio: 200,
  ratioFreeBytes: 64 * 2 ** 20,
};

/**
 * Passes `expanded` on until it exceeds the limits.
 * @param compressedBytes how many bytes of the archive were read so far
 * @throws {ImportRefused} when it does
 */
export async function* capped(
  expanded: AsyncIterable<Buffer>,
  compressedBytes: () => number,
  limits: ExpansionLimits,
  shownName: string,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of expanded) {
    bytes += chunk.length;
    if (bytes > limits.maxExpandedBytes) {
      throw new ImportRefused(
        `${shownName} expands to more than ${shownBytes(limits.maxExpandedBytes)}, which no register does. ` +
          "Unpack it yourself and import the plain file if you trust it.",
      );
    }
    if (bytes > limits.ratioFreeBytes && bytes > compressedBytes() * limits.maxRatio) {
      throw new ImportRefused(
        `${shownName} expands more than ${limits.maxRatio} times (so far ${shownBytes(bytes)} out of ` +
          `${shownBytes(compressedBytes())}), as archives do that are made to exhaust a machine. ` +
          "Unpack it yourself and import the plain file if you trust it.",
      );
    }
    yield chunk;
  }
}

function shownBytes(bytes: number): string {
  const gibibytes = bytes / 2 ** 30;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
