import { describe, expect, it } from "vitest";
import { HandedLines } from "./threadLog.ts";

const LINE = `${"x".repeat(1_023)}\n`;
/** Four megabytes on their way, of a kibibyte a line. */
const MOST_LINES = 4_096;

function handed() {
  const texts: string[] = [];
  const told: number[] = [];
  const lines: HandedLines = new HandedLines(
    (text) => texts.push(text),
    (lost) => {
      told.push(lost);
      lines.write("some are lost\n");
    },
  );
  return { lines, told, text: () => texts.join("") };
}

describe("lines on their way to the main thread", () => {
  it("go together and in their order", () => {
    const { lines, text } = handed();
    lines.write("one\n");
    lines.write("two\n");
    expect(text()).toBe("");
    lines.hand();
    expect(text()).toBe("one\ntwo\n");
  });

  it("are lost beyond a bound, and counted once some are taken", () => {
    const { lines, told, text } = handed();
    for (let nth = 0; nth < MOST_LINES + 3; nth++) lines.write(LINE);
    expect(text()).toHaveLength(MOST_LINES * LINE.length);
    expect(told).toEqual([]);
    lines.taken(LINE.length * 16);
    expect(told).toEqual([3]);
    lines.hand();
    expect(text().endsWith("some are lost\n")).toBe(true);
  });

  it("tell at the end of their thread what was lost, though nothing was taken", () => {
    const { lines, told, text } = handed();
    for (let nth = 0; nth < MOST_LINES + 2; nth++) lines.write(LINE);
    lines.close();
    expect(told).toEqual([2]);
    expect(text().endsWith("some are lost\n")).toBe(true);
    lines.close();
    expect(told).toEqual([2]);
  });
});
