import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { base32 } from "../lib/base32.ts";
import { codeOf, keyUri, stepAt, stepOfCode } from "./totp.ts";

const SECRET = Buffer.from("12345678901234567890", "ascii");

describe("time-based codes", () => {
  it("match RFC 6238, appendix B (SHA-1), and RFC 4226, appendix D", () => {
    const expected = [
      [59, "94287082"],
      [1_111_111_109, "07081804"],
      [1_111_111_111, "14050471"],
      [1_234_567_890, "89005924"],
      [2_000_000_000, "69279037"],
      [20_000_000_000, "65353130"],
    ] as const;
    for (const [seconds, eight] of expected) {
      expect(codeOf(SECRET, stepAt(seconds * 1_000))).toBe(eight.slice(2));
    }
    const counted = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583"];
    expect(counted.map((_code, step) => codeOf(SECRET, step))).toEqual(counted);
  });

  it("are accepted one step early or late, but not if they are as old as the last used code", () => {
    const nowMs = 1_800_000_000_000;
    const present = stepAt(nowMs);
    const fits = (step: number, lastStep = 0) =>
      stepOfCode(SECRET, codeOf(SECRET, step), { nowMs, lastStep });
    expect([-2, -1, 0, 1, 2].map((offset) => fits(present + offset))).toEqual([
      undefined,
      present - 1,
      present,
      present + 1,
      undefined,
    ]);
    expect(fits(present, present)).toBeUndefined();
    expect(fits(present - 1, present)).toBeUndefined();
    expect(fits(present + 1, present)).toBe(present + 1);
    for (const code of ["", "12345", "1234567", "12345６", "      ", "abcdef"]) {
      expect(stepOfCode(SECRET, code, { nowMs, lastStep: 0 })).toBeUndefined();
    }
  });

  it("come from a secret in the encoding that devices read", () => {
    expect(base32(Buffer.from("Hello!\u00de\u00ad\u00be\u00ef", "latin1"))).toBe("JBSWY3DPEHPK3PXP");
    expect(base32(Buffer.from("f"))).toBe("MY");
    expect(base32(createHmac("sha1", "k").digest())).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(keyUri(SECRET, "a+b&c@fabel.example"));
    expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
      "otpauth:",
      "totp",
      "/Opzoek:a+b&c@fabel.example",
    ]);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      issuer: "Opzoek",
      algorithm: "SHA1",
      digits: "6",
      period: "30",
    });
  });
});
