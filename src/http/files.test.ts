import { describe, expect, it } from "vitest";
import { chooseEncoding } from "./files.ts";

const FORM = Buffer.from("packed");
const BOTH = { br: FORM, gzip: FORM };

describe("the form of a file", () => {
  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP;Q=0.5", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000, gzip", "gzip"],
    ["*", undefined],
    ["br;q=0, gzip;q=0", undefined],
    ["identity", undefined],
    ["identity;q=0, gzip", "gzip"],
    ["zstd", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("for %j is %j", (accepted, expected) => {
    expect(chooseEncoding(accepted, BOTH)).toBe(expected);
  });

  it("is one that exists for the file", () => {
    expect(chooseEncoding("br, gzip", { gzip: FORM })).toBe("gzip");
    expect(chooseEncoding("br, gzip", {})).toBeUndefined();
  });
});
