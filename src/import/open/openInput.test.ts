import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deflateRawSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { zipOf } from "../../../test/kit/zip.ts";
import { ImportRefused } from "../outcome.ts";
import { type ExpansionLimits, openInput } from "./openInput.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = "kvkNumber,name\n50000012,Bakkerij De Gouden Korenaar B.V.\n".repeat(2_000);
const NO_STDIN = Readable.from([]);
let count = 0;

function file(content: Buffer | string, name = `file-${count++}`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function read(path: string, options: { stdin?: Buffer; limits?: ExpansionLimits } = {}) {
  const stdin = options.stdin === undefined ? NO_STDIN : Readable.from([options.stdin]);
  const input = await openInput(path, stdin, options.limits);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of input.chunks) chunks.push(chunk);
    return { text: Buffer.concat(chunks).toString(), input };
  } finally {
    await input.close();
  }
}

async function refusal(path: string, options: Parameters<typeof read>[1] = {}): Promise<string> {
  const error = await read(path, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ImportRefused);
  return error instanceof ImportRefused ? error.message : "";
}

describe("opening a file", () => {
  it("recognises gzip and zip by content, not by name", async () => {
    expect((await read(file(TEXT, "plain.gz"))).text).toBe(TEXT);
    expect((await read(file(gzipSync(TEXT), "packed.csv"))).text).toBe(TEXT);
    expect((await read(file(zipOf({ "a.csv": TEXT }), "packed.txt"))).text).toBe(TEXT);
    expect((await read(file(zipOf({ "a.csv": TEXT }, { stored: true })))).text).toBe(TEXT);
  });

  it("reads all members of a concatenated gzip file", async () => {
    expect((await read(file(Buffer.concat([gzipSync("a\n"), gzipSync("b\n")])))).text).toBe("a\nb\n");
  });

  it("reads plain and gzip text from standard input, and rejects zip", async () => {
    expect((await read("-", { stdin: Buffer.from(TEXT) })).text).toBe(TEXT);
    expect((await read("-", { stdin: gzipSync(TEXT) })).text).toBe(TEXT);
    const message = await refusal("-", { stdin: zipOf({ "a.csv": TEXT }) });
    expect(message).toMatch(/zip archive, which cannot be read from a pipe/);
  });

  it("knows the size, the bytes read so far and the time of a file", async () => {
    const packed = gzipSync(TEXT);
    const { input } = await read(file(packed));
    expect([input.totalBytes, input.bytesRead()]).toEqual([packed.length, packed.length]);
    expect(input.modifiedAt).toBeInstanceOf(Date);
    const zipped = await read(file(zipOf({ "a.csv": TEXT })));
    const deflated = deflateRawSync(TEXT).length;
    expect([zipped.input.totalBytes, zipped.input.bytesRead()]).toEqual([deflated, deflated]);
    const piped = await read("-", { stdin: Buffer.from(TEXT) });
    expect([piped.input.totalBytes, piped.input.modifiedAt]).toEqual([undefined, undefined]);
  });

  it("ignores folders and files that macOS adds to a zip", async () => {
    const zip = zipOf({
      "data/": "",
      "data/a.csv": TEXT,
      "__MACOSX/data/._a.csv": "x",
      "data/.DS_Store": "x",
    });
    expect((await read(file(zip))).text).toBe(TEXT);
  });
});

describe("an unusable file is rejected with an explanation", () => {
  it.each([
    ["a PDF", Buffer.from("%PDF-1.7\n"), /is a PDF document/],
    ["an error page", Buffer.from("  <!doctype html><title>404</title>"), /is an HTML page or XML/],
    ["UTF-16", Buffer.from("\ufeffkvk,naam", "utf16le"), /text in UTF-16\. Save it as UTF-8/],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), /is binary data/],
    ["nothing", Buffer.alloc(0), /is empty/],
    ["gzip of nothing", gzipSync(""), /is empty/],
    ["gzip within gzip", gzipSync(gzipSync(TEXT)), /an archive within an archive/],
    ["a PDF in a zip", zipOf({ "a.csv": "%PDF-1.7" }), /is a PDF document/],
    ["7-Zip", Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"), /7-Zip archive\. Unpack it first/],
    ["a zip without a file", zipOf({ "data/": "" }), /without a file in it/],
    [
      "a zip with two files",
      zipOf({ "a.csv": "x", "b.csv": "y" }),
      /more than one file: "a\.csv", "b\.csv"\. Unpack/,
    ],
    [
      "an Excel sheet",
      zipOf({ "[Content_Types].xml": "<", "xl/workbook.xml": "<" }),
      /Excel sheet\. Save the sheet as CSV/,
    ],
    ["an encrypted zip", zipOf({ "a.csv": "x" }, { encrypted: true }), /is encrypted/],
    ["an unknown zip method", zipOf({ "a.csv": "x" }, { method: 14 }), /zip method 14/],
  ])("%s", async (_what, content, message) => {
    expect(await refusal(file(content))).toMatch(message);
  });

  it("a path that is missing or a folder", async () => {
    expect(await refusal(join(folder, "missing.csv"))).toMatch(/missing\.csv does not exist/);
    expect(await refusal(folder)).toMatch(/is a folder/);
  });

  it("an archive that is truncated anywhere or damaged", async () => {
    const gzip = gzipSync(TEXT);
    for (const length of [20, gzip.length >> 1, gzip.length - 1]) {
      expect(await refusal(file(gzip.subarray(0, length)))).toMatch(/it is cut off\. Fetch it again/);
    }
    const zip = zipOf({ "a.csv": TEXT });
    for (const length of [4, zip.length >> 1, zip.length - 1]) {
      expect(await refusal(file(zip.subarray(0, length)))).toMatch(/cut off or damaged\. Fetch it again/);
    }
    const changed = zipOf({ "a.csv": TEXT }, { stored: true });
    changed[200] = (changed[200] ?? 0) ^ 1;
    expect(await refusal(file(changed))).toMatch(/does not match its checksum/);
  });

  it("a bomb, by ratio and by size, before it is unpacked", async () => {
    const bomb = Buffer.alloc(4_000_000, "kvk,naam\n");
    const limits = { maxExpandedBytes: 2 ** 40, maxRatio: 200, ratioFreeBytes: 2 ** 20 };
    expect(await refusal(file(gzipSync(bomb)), { limits })).toMatch(/expands more than 200 times/);
    expect(await refusal(file(zipOf({ "a.csv": bomb })), { limits })).toMatch(/expands more than 200 times/);
    const small = { ...limits, maxExpandedBytes: 2 ** 20, maxRatio: 2000 };
    expect(await refusal(file(gzipSync(bomb)), { limits: small })).toMatch(/expands to more than 1\.0 MiB/);
  });
});

describe.skipIf(process.platform === "win32")("a named pipe", () => {
  it("is read like standard input: it has neither size nor time", async () => {
    const path = join(folder, "pipe");
    execFileSync("mkfifo", [path]);
    const writer = import("node:fs/promises").then((fs) => fs.writeFile(path, TEXT));
    const { text, input } = await read(path);
    await writer;
    expect([text, input.totalBytes, input.modifiedAt]).toEqual([TEXT, undefined, undefined]);
  });

  it("is rejected if it contains a zip archive", async () => {
    const path = join(folder, "zip-pipe");
    execFileSync("mkfifo", [path]);
    const writer = import("node:fs/promises").then((fs) => fs.writeFile(path, zipOf({ "a.csv": "a" })));
    expect(await refusal(path)).toMatch(/cannot be read from a pipe/);
    await writer;
  });
});

describe("a file that is changed while it is read", () => {
  /** Changes a file of several chunks after its beginning was read, then reads the rest. */
  async function changed(content: Buffer | string, change: (path: string) => void): Promise<string> {
    const path = file(content);
    const input = await openInput(path, NO_STDIN);
    try {
      change(path);
      let bytes = 0;
      for await (const chunk of input.chunks) bytes += chunk.length;
      return `read ${bytes}`;
    } catch (error) {
      return error instanceof ImportRefused ? error.message : String(error);
    } finally {
      await input.close();
    }
  }

  const LARGE = TEXT.repeat(10);

  it("is rejected if it was truncated, extended or rewritten", async () => {
    const message = /was changed while it was read.*import the file again/;
    expect(await changed(LARGE, (path) => truncateSync(path, LARGE.length / 2))).toMatch(message);
    expect(await changed(LARGE, (path) => truncateSync(path, 0))).toMatch(message);
    expect(await changed(LARGE, (path) => appendFileSync(path, "50000021,Molen\n"))).toMatch(message);
    expect(await changed(LARGE, (path) => utimesSync(path, 1, 1))).toMatch(message);
    expect(await changed(gzipSync(TEXT), (path) => appendFileSync(path, "x"))).toMatch(message);
  });

  it("is read in its original version if it is replaced or deleted", async () => {
    const whole = `read ${LARGE.length}`;
    expect(await changed(LARGE, (path) => rmSync(path))).toBe(whole);
    expect(await changed(LARGE, (path) => renameSync(file("kvkNumber,name\n"), path))).toBe(whole);
  });
});
