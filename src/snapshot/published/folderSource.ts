import { createReadStream, existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FetchFailure } from "./failure.ts";
import { MANIFEST_FILE, MOST_MANIFEST_BYTES, tooLong } from "./manifest.ts";
import { NAMES_LIST_FILE } from "./namesList.ts";
import type { PublishedSource } from "./source.ts";

const READ_AT_ONCE_BYTES = 256 << 10;

/** A published folder that this machine can read: on its own disk or on one that is shared. */
export function openFolder(url: string): PublishedSource {
  const folder = fileURLToPath(url);
  return {
    async manifest() {
      return { bytes: await readSmall(join(folder, MANIFEST_FILE)), etag: undefined };
    },

    async namesList() {
      const path = join(folder, NAMES_LIST_FILE);
      return existsSync(path) ? readSmall(path) : undefined;
    },

    async file(name, from, signal) {
      const path = join(folder, name);
      const stream = createReadStream(path, { start: from, highWaterMark: READ_AT_ONCE_BYTES, signal });
      return { start: from, body: explaining(stream, path, signal) };
    },

    close: async () => {},
  };
}

async function readSmall(path: string): Promise<Buffer> {
  try {
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MOST_MANIFEST_BYTES + 1) });
      if (bytesRead > MOST_MANIFEST_BYTES) throw tooLong(path);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(error, path);
  }
}

async function* explaining(
  stream: AsyncIterable<Buffer>,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw signal.aborted ? error : unreadable(error, path);
  }
}

function unreadable(error: unknown, path: string): unknown {
  if (error instanceof FetchFailure) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return new FetchFailure(
    code === "ENOENT" ? "answer" : "address",
    `${path} cannot be read (${code}): check that REGISTRY_URL is the folder that "opzoek registry publish" wrote and that this user may read it.`,
    { cause: error },
  );
}
