import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { opzoek } from "../../test/kit/opzoek.ts";
import { COLUMN_NAMES, CSV_FIELDS } from "../company/table/columns.ts";
import { CompanySchema } from "../contract/resources.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-import-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const page = readFileSync("docs/import.md", "utf8");
const program = "opzoek ";

/** The example files of the page, by name. */
const files = new Map(
  [...page.matchAll(/^`([a-z.]+)`:\n\n```[a-z]+\n([\s\S]*?)```$/gm)].map(([, name = "", content = ""]) => [
    name,
    content,
  ]),
);

async function run(command: string): Promise<number | null> {
  const words = command.slice(program.length).split(" ");
  const { code } = await opzoek(
    words.map((word) => (/^[a-z]+\.[a-z]+$/.test(word) ? join(folder, word) : word)),
    { DATA_DIR: join(folder, "data") },
  );
  return code;
}

describe("docs/import.md", () => {
  it("shows commands that work on its example files", async () => {
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    const commands = page.split("\n").filter((line) => line.startsWith(program));
    // The golden copy is half a gigabyte: everything else runs here.
    const runnable = commands.filter((command) => !command.includes("lei2-golden-copy"));
    expect(runnable.length).toBe(commands.length - 1);
    for (const command of runnable) expect(await run(command), command).toBe(0);
    const [first = ""] = readFileSync(join(folder, "alles.jsonl"), "utf8").split("\n");
    expect(JSON.parse(first)).toMatchObject({ kvkNumber: "50000012", legalForm: "BV", branchCount: 1 });
  });

  it("lists the column names of each field, and every property of a line", () => {
    const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
    const csv = page.slice(page.indexOf("## csv"), page.indexOf("## gleif"));
    for (const field of CSV_FIELDS) {
      const row = csv.split("\n").find((line) => line.startsWith(`| \`${field}\` |`));
      const [names = ""] = row?.split("|")[2]?.split(/[:;]/) ?? [];
      const known: readonly string[] = COLUMN_NAMES[field];
      for (const name of names.split(",").map(plain)) expect(known, field).toContain(name);
    }
    const jsonl = page.slice(page.indexOf("## jsonl"));
    for (const key of [...Object.keys(CompanySchema.properties), "branches", "vatNumber"]) {
      expect(jsonl).toContain(`\`${key}\``);
    }
  });

  it("lists every option of the command", async () => {
    const { out } = await opzoek(["import", "--help"], {});
    const options = [...out.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options).toContain("--replace");
    for (const option of options) expect(page).toContain(`\`${option}`);
  });
});
