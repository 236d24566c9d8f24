import { withTimeout } from "../../lib/deadline.ts";
import type { Reading, ReadSome } from "./readings.ts";

/** Prometheus gives up after ten seconds: what is slow must leave the rest of the answer its time. */
const READ_WITHIN_MS = 3_000;

/** What is read under its name. */
export type ReadSources = Readonly<Record<string, ReadSome>>;

/** Reads everything side by side. What fails or takes too long is left out, and said to be. Never rejects. */
export async function readAll(sources: ReadSources, withinMs = READ_WITHIN_MS): Promise<readonly Reading[]> {
  const all = await Promise.all(
    Object.entries(sources).map(async ([what, read]): Promise<readonly Reading[]> => {
      const readings = await succeeded(withinMs, read);
      const failed: Reading = {
        name: "opzoek_reading_failed",
        labels: { what },
        value: readings === undefined ? 1 : 0,
      };
      return [...(readings ?? []), failed];
    }),
  );
  return all.flat();
}

async function succeeded(withinMs: number, read: ReadSome): Promise<readonly Reading[] | undefined> {
  try {
    return await withTimeout(withinMs, Promise.resolve(read()));
  } catch {
    return undefined;
  }
}
