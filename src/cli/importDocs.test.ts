import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { settingsOf } from "../../test/kit/terminal.ts";
import { CompanySchema } from "../contract/resources.ts";
import { COLUMN_NAMES, CSV_FIELDS } from "../import/formats/csv/columns.ts";
import { addExportCommand } from "./export.ts";
import { addImportCommand } from "./import.ts";

const folder = mkdtempSync(join(tmpdir(), "opzoek-import-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const page = readFileSync("docs/import.md", "utf8");
const program = "npm run --silent opzoek -- ";

/** The files that the page shows, by name. */
const files = new Map(
  [...page.matchAll(/^`([a-z.]+)`:\n\n```[a-z]+\n([\s\S]*?)```$/gm)].map(([, name = "", content = ""]) => [
    name,
    content,
  ]),
);

async function run(command: string): Promise<void> {
  const context = {
    settings: () => settingsOf({ DATA_DIR: join(folder, "data") }),
    out: () => {},
    err: () => {},
    stderrIsTerminal: false,
    keepTemporaryFiles() {},
    suppressed: async () => new Set<string>(),
    withRegistryState: () => Promise.reject(new Error("there is no state")),
  };
  const opzoek = new Command().exitOverride();
  addImportCommand(opzoek, context);
  addExportCommand(opzoek, context);
  const words = command.slice(program.length).split(" ");
  await opzoek.parseAsync(
    words.map((word) => (/^[a-z]+\.[a-z]+$/.test(word) ? join(folder, word) : word)),
    { from: "user" },
  );
}

describe("docs/import.md", () => {
  it("shows commands that run on the files that it shows", async () => {
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    const commands = page.split("\n").filter((line) => line.startsWith(program));
    // The golden copy is half a gigabyte: everything else runs here.
    const runnable = commands.filter((command) => !command.includes("lei2-golden-copy"));
    expect(runnable.length).toBe(commands.length - 1);
    for (const command of runnable) await run(command);
    const [first = ""] = readFileSync(join(folder, "alles.jsonl"), "utf8").split("\n");
    expect(JSON.parse(first)).toMatchObject({ kvkNumber: "50000012", legalForm: "BV", branchCount: 1 });
  });

  it("names every column by which a field is known, and every key of a line", () => {
    const plain = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
    const csv = page.slice(page.indexOf("## csv"), page.indexOf("## gleif"));
    for (const field of CSV_FIELDS) {
      const row = csv.split("\n").find((line) => line.startsWith(`| \`${field}\` |`));
      const [, , cell = ""] = row?.split("|") ?? [];
      const names = cell.split(/[,;:]/).map(plain);
      for (const name of COLUMN_NAMES[field]) expect(names, field).toContain(name);
    }
    const jsonl = page.slice(page.indexOf("## jsonl"));
    for (const key of [...Object.keys(CompanySchema.properties), "branches", "vatNumber"]) {
      expect(jsonl).toContain(`\`${key}\``);
    }
  });

  it("names every option of the command", () => {
    const opzoek = new Command();
    addImportCommand(opzoek, {
      settings: () => settingsOf({}),
      out: () => {},
      err: () => {},
      stderrIsTerminal: false,
      keepTemporaryFiles() {},
      suppressed: async () => new Set<string>(),
      withRegistryState: () => Promise.reject(new Error("there is no state")),
    });
    for (const option of opzoek.commands[0]?.options ?? []) expect(page).toContain(`\`${option.long}`);
  });
});
