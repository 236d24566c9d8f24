import { sign } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeTestKeys, manifest } from "../../../test/kit/published.ts";
import { LAYOUT_VERSION } from "../layout.ts";
import { FetchFailure } from "./failure.ts";
import { type Manifest, readManifest, signManifest } from "./manifest.ts";

const keys = makeTestKeys();
const signed = signManifest(manifest(), keys.privateKey);

const read = (text: string | Buffer): Manifest => readManifest(Buffer.from(text), [keys.publicKey]);

/** Signs any text like a manifest. */
function sealed(text: string): string {
  const signature = sign(null, Buffer.from(`opzoek registry manifest\n${text}`), keys.privateKey);
  return JSON.stringify({ manifest: text, ed25519: signature.toString("base64url") });
}

function failureOf(work: () => unknown): FetchFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof FetchFailure) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("a manifest", () => {
  it("can be read back", () => {
    expect(read(signed)).toEqual(manifest());
    expect(read(sealed(JSON.stringify(manifest())))).toEqual(manifest());
  });

  it("is accepted if signed by any of several keys, and by no other", () => {
    const other = makeTestKeys();
    expect(readManifest(Buffer.from(signed), [other.publicKey, keys.publicKey])).toEqual(manifest());
    const failure = failureOf(() => readManifest(Buffer.from(signed), [other.publicKey]));
    expect([failure.kind, failure.message]).toEqual([
      "untrusted",
      expect.stringContaining("REGISTRY_PUBLIC_KEY"),
    ]);
    expect(failureOf(() => readManifest(Buffer.from(signed), [])).kind).toBe("untrusted");
  });

  it("with any byte changed, added or removed is rejected or equal", () => {
    const bytes = Buffer.from(signed);
    const change = fc.record({
      at: fc.nat({ max: bytes.length - 1 }),
      by: fc.uint8Array({ minLength: 0, maxLength: 3 }),
      over: fc.nat({ max: 3 }),
    });
    fc.assert(
      fc.property(change, ({ at, by, over }) => {
        const changed = Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + over)]);
        try {
          expect(read(changed)).toEqual(manifest());
        } catch (error) {
          expect(error).toBeInstanceOf(FetchFailure);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("with any bit of its text flipped is rejected", () => {
    const [start, end] = [signed.indexOf("format"), signed.indexOf("ed25519")];
    for (let at = start; at < end; at++) {
      const bytes = Buffer.from(signed);
      bytes[at] = (bytes[at] ?? 0) ^ 0x01;
      expect(failureOf(() => read(bytes)).kind).toBe("untrusted");
    }
  });

  it.each([
    ["nothing", ""],
    ["no signature", JSON.stringify({ manifest: JSON.stringify(manifest()) })],
    ["an empty signature", signed.replace(/"ed25519":"[^"]+"/, '"ed25519":""')],
    ["a page", "<!doctype html>\n<title>Not here</title>"],
    ["a manifest of the previous format", `${JSON.stringify(manifest())}\n{"ed25519":"${"A".repeat(86)}"}\n`],
    ["deeply nested", "[".repeat(200_000)],
    [
      "a signature of another text by the same key",
      JSON.stringify({ ...JSON.parse(sealed("{}")), manifest: JSON.stringify(manifest()) }),
    ],
  ])("that is %s is rejected by its signature", (_what, text) => {
    expect(failureOf(() => read(text)).kind).toBe("untrusted");
  });

  const changedLine = (changed: object) => JSON.stringify({ ...manifest(), ...changed });
  const { snapshot, archive } = manifest();
  it.each([
    ["no JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"manifest"'],
    ["no fields", "{}"],
    ["a __proto__ field", `${JSON.stringify(manifest()).slice(0, -1)},"__proto__":{"serial":9}}`],
    ["an unknown field", changedLine({ more: 1 })],
    ["a serial of 0", changedLine({ serial: 0 })],
    ["a serial that is not a safe integer", changedLine({ serial: 2 ** 53 })],
    ["a negative number", changedLine({ snapshot: { ...snapshot, companies: -1 } })],
    ["a size that is a string", changedLine({ archive: { ...archive, bytes: "512" } })],
    ["a name outside the folder", changedLine({ archive: { ...archive, name: "../registry-5.tar.zst" } })],
    ["an absolute name", changedLine({ archive: { ...archive, name: "/registry-5.tar.zst" } })],
    ["a name with a query", changedLine({ archive: { ...archive, name: "registry-5.tar.zst?x" } })],
    ["control characters in a time", changedLine({ publishedAt: "2026-03-04T05:06:07\u001b[2JZ" })],
  ])("that is signed but has %s is rejected", (_what, line) => {
    const failure = failureOf(() => read(sealed(line)));
    expect([failure.kind, failure.message]).toEqual(["untrusted", expect.stringContaining("not valid")]);
  });

  it.each([
    ["a format", { format: 4, whatever: true }],
    ["a layout", { layout: LAYOUT_VERSION + 1 }],
  ])("of an unsupported %s names the version to run", (_what, changed) => {
    const failure = failureOf(() => read(sealed(changedLine(changed))));
    expect(failure.kind).toBe("version");
    expect(failure.message).toContain("run the publisher's version");
  });
});
