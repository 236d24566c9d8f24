import { describe, expect, it } from "vitest";
import { inputOf } from "../../../test/kit/input.ts";
import type { RecordResult } from "../outcome.ts";
import { readJsonl } from "./json.ts";

async function read(content: string | Buffer, asOf?: string): Promise<RecordResult[]> {
  const input = inputOf("file.jsonl", content);
  const outcomes: RecordResult[] = [];
  for await (const outcome of readJsonl({ input, origin: "import:file", asOf })) outcomes.push(outcome);
  return outcomes;
}

const line = '{"kvkNumber":"50000012","name":"Korenaar","isActive":true}';
const sourced =
  '{"kvkNumber":"50000021","name":"Molen","isActive":true,"source":{"kvk":"gleif","cachedAt":"2026-02-03"}}';

describe("our own lines", () => {
  it("keep their own source, and use that of the import if they have none", async () => {
    const outcomes = await read(`${line}\n${sourced}\n`, "2026-01-01T00:00:00.000Z");
    expect(
      outcomes.map((outcome) => outcome.kind === "facts" && [outcome.sourced.origin, outcome.sourced.asOf]),
    ).toEqual([
      ["import:file", "2026-01-01T00:00:00.000Z"],
      ["gleif", "2026-02-03T00:00:00.000Z"],
    ]);
  });

  it("are skipped individually if they are invalid, even the first one", async () => {
    const latin1 = Buffer.concat([Buffer.from('{"name":"Caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
    const content = Buffer.concat([
      Buffer.from(`{"kvkNumber"\n${sourced}\n{"kvkNumber":\n`),
      latin1,
      Buffer.from(`\n${line}`),
    ]);
    const outcomes = await read(content);
    expect(
      outcomes.map((outcome) => (outcome.kind === "skipped" ? outcome.rejection.reason : outcome.kind)),
    ).toEqual([
      "the line is not JSON",
      "facts",
      "the line is not JSON",
      "is not valid UTF-8",
      "carries no date, and a pipe has no time: pass --as-of DATE, the date of the data",
    ]);
  });

  it("are read from an array and from pretty-printed JSON too", async () => {
    const pretty = JSON.stringify([JSON.parse(sourced), JSON.parse(sourced)], undefined, 2);
    for (const content of [`[${sourced},${sourced}]`, pretty, pretty.slice(1, -1)]) {
      expect((await read(content)).map(({ kind }) => kind)).toEqual(["facts", "facts"]);
    }
  });

  it("are not searched for in a file that is not JSON", async () => {
    await expect(read("kvk,naam\n50000012,Korenaar\n")).rejects.toThrow("is not JSON");
  });
});
