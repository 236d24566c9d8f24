import { readFile } from "node:fs/promises";

/** The passwords that were found most often in breaches, some 49,000, in lower case. */
export interface CommonPasswords {
  has(text: string): boolean;
}

/** What the build wrote of them beside the built program; the sources have none beside them. */
const BUILT = new URL("./commonPasswords.built.txt", import.meta.url);

let list: Promise<Buffer> | undefined;

/**
 * Reads them when they are first needed. They stay bytes that are searched from the first to the last, a third of a millisecond: to make
 * a set of them takes 30 ms or more, in which the thread answers nobody, and ten times the memory.
 * @throws whatever reading fails with; the next who asks tries again
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
