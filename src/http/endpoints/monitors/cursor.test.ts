import { describe, expect, it } from "vitest";
import { cursorOf, sequenceIn } from "./cursor.ts";

const OWNER = { accountId: "acc_one" };

describe("a cursor", () => {
  it.each([0, 1, 25, 4_294_967_296, Number.MAX_SAFE_INTEGER])("holds the sequence number %d", (sequence) => {
    expect(cursorOf(sequence, OWNER)).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(sequenceIn(cursorOf(sequence, OWNER), OWNER)).toBe(sequence);
  });

  it("is refused for another account, and between live and test keys", () => {
    const cursor = cursorOf(25, OWNER);
    const test = { ...OWNER, isTest: true } as const;
    for (const other of [{ accountId: "acc_two" }, test]) {
      expect(() => sequenceIn(cursor, other)).toThrow(/after must be .*another account/);
    }
    expect(() => sequenceIn(cursorOf(25, test), OWNER)).toThrow(/another account/);
    expect(sequenceIn(cursorOf(25, test), test)).toBe(25);
  });

  const good = cursorOf(25, OWNER);
  it.each([
    "",
    "25",
    "x".repeat(21),
    "x".repeat(23),
    `${good}=`,
    good.replace(/.$/, "!"),
    // The last letter has bits that no cursor uses.
    good.slice(0, -1) + String.fromCharCode(good.charCodeAt(21) + 1),
    Buffer.concat([Buffer.alloc(8, 255), Buffer.from(good, "base64url").subarray(8)]).toString("base64url"),
  ])("is refused if malformed: %j", (cursor) => {
    expect(() => sequenceIn(cursor, OWNER)).toThrow(/after must be the `next` of an earlier call/);
  });
});
