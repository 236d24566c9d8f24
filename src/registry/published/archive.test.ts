import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256, tarOf } from "../../../test/kit/published.ts";
import { temporaryFolder } from "../../../test/kit/registry.ts";
import { unpackArchive, writeArchive } from "./archive.ts";
import { FetchFailure } from "./failure.ts";

const receiving = { signal: new AbortController().signal, onBytes: () => {} };

/** Unpacks a tar in a separate folder and lists the files in and next to it. */
async function unpack(tar: Buffer, packed: Buffer = zstdCompressSync(tar), unpackedBytes = tar.length) {
  const around = temporaryFolder();
  const folder = join(around, "a", "b");
  mkdirSync(folder, { recursive: true });
  const path = join(around, "archive");
  writeFileSync(path, packed);
  const promised = { sha256: sha256(packed), bytes: packed.length, unpackedBytes };
  const failure = await unpackArchive(path, folder, promised, receiving).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { failure, folder, outside: [...readdirSync(around), ...readdirSync(join(around, "a"))] };
}

describe("an archive", () => {
  it("is unpacked to the same files, whatever their sizes", async () => {
    const bytes = fc.uint8Array({ minLength: 0, maxLength: 1_600 }).map((content) => Buffer.from(content));
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 4 }), async (contents) => {
        const files = contents.map((content, at) => [`segment-${at + 1}.names`, content] as const);
        const path = join(temporaryFolder(), "archive");
        const entries = files.map(([name, body]) => ({
          name,
          bytes: body.length,
          body: Readable.from([body]),
        }));
        const written = await writeArchive(entries, path, () => {});
        const packed = readFileSync(path);
        expect(written).toMatchObject({ sha256: sha256(packed), bytes: packed.length });
        const { failure, folder } = await unpack(Buffer.alloc(0), packed, written.unpackedBytes);
        expect(failure).toBeUndefined();
        expect(readdirSync(folder).sort()).toEqual(files.map(([name]) => name));
        for (const [name, body] of files) expect(readFileSync(join(folder, name))).toEqual(body);
      }),
      { numRuns: 20 },
    );
  });
});

const TEXT = Buffer.from("content");
const good = () => tarOf({ "current.json": TEXT, "snapshot-1.sqlite": TEXT });
const renamed = (name: string) => tarOf({ "current.json": TEXT, [name]: TEXT });

/** A tar whose second header is changed, with a matching checksum. */
async function withHeader(change: (header: Buffer) => void): Promise<Buffer> {
  const tar = await good();
  const header = tar.subarray(1_024, 1_536);
  change(header);
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return tar;
}

describe("an invalid archive is rejected and writes nothing outside its folder:", () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    ["a name with ..", () => renamed("../x"), "name"],
    ["a name with .. after a folder", () => renamed("snapshot-1.sqlite/../../x"), "name"],
    ["an absolute name", () => renamed("/snapshot-1.sqlite"), "name"],
    ["a Windows path", () => renamed("..\\snapshot-1.sqlite"), "name"],
    ["a name with a line end", () => renamed("snapshot-1.sqlite\n"), "name"],
    ["another file of a registry", () => renamed("published.json"), "name"],
    [
      "the same file twice",
      async () => Buffer.concat([(await good()).subarray(0, 2_048), await good()]),
      "name",
    ],
    ["no name", () => renamed(""), "name"],
    ["a name with a prefix", () => withHeader((header) => header.write("..", 345)), "plain files"],
    ["a symbolic link", () => withHeader((header) => header.write("2/etc/passwd", 156)), "plain files"],
    ["a hard link", () => withHeader((header) => header.write("1current.json", 156)), "plain files"],
    ["a folder", () => withHeader((header) => header.write("5", 156)), "plain files"],
    ["a device", () => withHeader((header) => header.write("3", 156)), "plain files"],
    ["an extended header", () => withHeader((header) => header.write("x", 156)), "plain files"],
    ["a long name of GNU tar", () => withHeader((header) => header.write("L", 156)), "plain files"],
    ["a size in base 256", () => withHeader((header) => header.fill(0xff, 124, 136)), "plain files"],
    ["a negative size", () => withHeader((header) => header.write("-0000000001", 124)), "plain files"],
    ["a size of 8 GiB", () => withHeader((header) => header.write("77777777777", 124)), "ends early"],
    ["a setuid mode", () => withHeader((header) => header.write("0004755", 100)), "plain files"],
    [
      "a wrong checksum",
      async () => Buffer.from((await good()).toString("latin1").replace("ustar", "Ustar"), "latin1"),
      "plain files",
    ],
    ["a missing end", async () => (await good()).subarray(0, 2_048), "ends early"],
    ["nothing", async () => Buffer.alloc(0), "ends early"],
  ])("%s", async (_what, make, reason) => {
    const { failure, outside } = await unpack(await make());
    expect(failure).toBeInstanceOf(FetchFailure);
    expect(failure).toMatchObject({ kind: "content", message: expect.stringContaining(reason) });
    expect(outside.sort()).toEqual(["a", "archive", "b"]);
  });

  it.each<[string, (tar: Buffer) => [packed: Buffer, unpackedBytes: number], string]>([
    ["no zstd", (tar) => [Buffer.alloc(8_192, 7), tar.length], "not zstd"],
    ["a truncated zstd stream", (tar) => [zstdCompressSync(tar).subarray(0, -10), tar.length], "not zstd"],
    ["more than promised", (tar) => [zstdCompressSync(tar), tar.length - 1], "unpacks to more"],
    ["less than promised", (tar) => [zstdCompressSync(tar), tar.length + 1], "unpacks to less"],
    ["a bomb of zeros", (tar) => [zstdCompressSync(Buffer.alloc(64 << 20)), tar.length], "unpacks to more"],
    [
      "a bomb after the end",
      (tar) => [zstdCompressSync(Buffer.concat([tar, Buffer.alloc(64 << 20)])), tar.length],
      "unpacks to more",
    ],
  ])("%s", async (_what, make, reason) => {
    const tar = await good();
    const { failure } = await unpack(tar, ...make(tar));
    expect(failure).toMatchObject({ kind: "content", message: expect.stringContaining(reason) });
  });
});
