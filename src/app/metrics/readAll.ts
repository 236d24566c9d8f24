import { withTimeout } from "../../lib/deadline.ts";
import type { Readings, ReadSome } from "./readings.ts";

/** Prometheus gives up after ten seconds: what is slow must leave the rest of the answer its time. */
const READ_WITHIN_MS = 3_000;

/** Reads everything at once, each under its name. What fails or takes too long is left out, and reported. Never rejects. */
export async function readAll(
  sources: Readonly<Record<string, ReadSome>>,
  withinMs = READ_WITHIN_MS,
): Promise<Readings> {
  const all = await Promise.all(Object.values(sources).map((read) => succeeded(withinMs, read)));
  const failed = Object.keys(sources).map((what, index) => ({
    labels: { what },
    value: Number(all[index] === undefined),
  }));
  return Object.assign({}, ...all, { opzoek_reading_failed: failed });
}

async function succeeded(withinMs: number, read: ReadSome): Promise<Readings | undefined> {
  try {
    return await withTimeout(withinMs, Promise.resolve(read()));
  } catch {
    return undefined;
  }
}
