import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineBlocks } from "./lineBlocks.ts";

const MOST = 20;

async function* inPieces(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const length of lengths) {
    yield bytes.subarray(at, at + length);
    at += length;
  }
  yield bytes.subarray(at);
}

async function blocksOf(content: string | Buffer, lengths: readonly number[]): Promise<Buffer[]> {
  const blocks: Buffer[] = [];
  for await (const block of lineBlocks(inPieces(Buffer.from(content), lengths), MOST))
    blocks.push(Buffer.from(block));
  return blocks;
}

describe("blocks of lines", () => {
  it("hold all lines in their order, of one that is too long enough to tell, in whatever pieces the stream comes", async () => {
    const line = fc.oneof(fc.constantFrom("", "a", "é", "b".repeat(MOST)), fc.constant("c".repeat(4 * MOST)));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.nat({ max: 50 }), { maxLength: 12 }),
        fc.boolean(),
        async (lines, lengths, hasMark) => {
          const content = lines.join("\n");
          const read = Buffer.concat(await blocksOf((hasMark ? "\ufeff" : "") + content, lengths)).toString();
          const shown = (text: string) =>
            text.split("\n").map((one) => (Buffer.byteLength(one) > MOST ? "too long" : one));
          expect(shown(read)).toEqual(shown(content));
        },
      ),
    );
  });

  it("end with a line break, but for the last, and keep little of a line without end", async () => {
    const line = `${"x".repeat(1023)}\n`;
    const piece = 100_000;
    const blocks = await blocksOf(line.repeat(3_000), Array<number>(40).fill(piece));
    expect(blocks.map((block) => block.at(-1))).toEqual(blocks.map(() => 10));
    expect(blocks.length).toBeGreaterThan(1);
    const endless = await blocksOf("y".repeat(5_000_000), Array<number>(40).fill(piece));
    expect(Buffer.concat(endless).length).toBeLessThanOrEqual(piece + MOST);
    expect(Buffer.concat(endless).length).toBeGreaterThan(MOST);
  });
});
