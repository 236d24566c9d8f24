import type { ImportInput } from "../../src/import/open/openInput.ts";

/** An open input for tests of a format: `content` as one chunk, like a pipe without size or time. */
export function inputOf(shownName: string, content: string | Buffer): ImportInput {
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from(content);
  }
  return {
    shownName,
    chunks: chunks(),
    totalBytes: undefined,
    bytesRead: () => 0,
    modifiedAt: undefined,
    close: async () => {},
  };
}
