import { readFile } from "node:fs/promises";

/** The about 49,000 most common passwords from breaches, in lower case. */
export interface CommonPasswords {
  has(text: string): boolean;
}

/** The list that the build writes next to the built program. Without a build the package is read instead. */
const BUILT = new URL("./commonPasswords.built.txt", import.meta.url);

let list: Promise<Buffer> | undefined;

/**
 * Reads the list on first use. It stays a buffer, which takes a third of a millisecond to search: building a set would
 * block the event loop for 30 ms and take ten times the memory.
 * @throws (the promise) errors of reading; the next call tries again
 */
export async function commonPasswords(): Promise<CommonPasswords> {
  list ??= readList().catch((error: unknown) => {
    list = undefined;
    throw error;
  });
  const lines = await list;
  return { has: (text) => !text.includes("\n") && lines.includes(`\n${text}\n`) };
}

async function readList(): Promise<Buffer> {
  try {
    return await readFile(BUILT);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    const { packagedPasswords } = await import("./packagedPasswords.ts");
    return Buffer.from(packagedPasswords());
  }
}
