/** On a real terminal, a pseudo-terminal of the system, and on a pipe: widths, colours, progress. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { PLAIN } from "../kit/companies.ts";
import { composeInProcess } from "../kit/inProcess.ts";
import { describeWith, itWith, program } from "../kit/needs.ts";
import { MAIN, spawnOpzoek } from "../kit/opzoek.ts";
import { startProgram } from "../kit/program.ts";
import { makeWorld, temporaryFolder } from "../kit/world.ts";

const COLUMNS = 50;
const ESCAPE = "\u001b[";
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  const inside = await composeInProcess(await makeWorld());
  const OPZOEK_URL = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  const { key: OPZOEK_KEY } = await inside.account("plenty");
  environment = { PATH: process.env.PATH, TERM: "xterm-256color", OPZOEK_URL, OPZOEK_KEY };
});

/** The lines that a search shows on a terminal. */
async function shown(more: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const line = `stty cols ${COLUMNS}; exec "${process.execPath}" "${MAIN}" search fabelkorst`;
  const env = { ...environment, ...more };
  const { code, out } = await startProgram("script", ["-qec", line, "/dev/null"], { env }).ended;
  expect(code).toBe(0);
  return out.split("\r\n").filter((text) => text.includes("50000001"));
}

describeWith(program("script"), "a search on a terminal", () => {
  it("shows rows that fit, the number in bold, and plain text with NO_COLOR", async () => {
    const [coloured = ""] = await shown();
    expect(coloured).toContain(`${ESCAPE}1m50000001${ESCAPE}22m`);
    const [plain = ""] = await shown({ NO_COLOR: "1" });
    expect(plain).toMatch(/^50000001 {2}Bakkerij De.*… {2}BV {2}1234 AB {2}Verzinstad$/);
    expect([...plain].length).toBeLessThanOrEqual(COLUMNS);
  });
});

describeWith(program("script"), "a list with progress on a terminal, and output to a file", () => {
  it("shows progress on one line, which is removed at the end", async () => {
    const folder = temporaryFolder();
    const unknown = Array.from({ length: 250 - PLAIN.length }, (_, at) => String(60_000_000 + at));
    writeFileSync(join(folder, "list"), [...PLAIN, ...unknown].join("\n"));
    const line = `"${process.execPath}" "${MAIN}" batch - <"${folder}/list" >"${folder}/out"`;
    const { out } = await startProgram("script", ["-qec", line, "/dev/null"], { env: environment }).ended;
    const [, first = "", ...later] = out.split(`\r${ESCAPE}K`);
    expect(first).toMatch(/^companies {2}\[#{12}-{18}\] 40 % {2}100 of 250, [0-9,]+\/s$/);
    expect(later.at(-1)).toMatch(/^opzoek: 130 of 250 were not found/);
    const written = readFileSync(join(folder, "out"), "utf8");
    expect(written).not.toContain(ESCAPE);
    expect(written.trimEnd().split("\n")).toHaveLength(1 + 250);
  });
});

it("a search to a pipe has full names and no colours, even if the environment names a terminal", async () => {
  const { code, out } = await spawnOpzoek(["search", "fabelkorst"], environment);
  expect(code).toBe(0);
  expect(out).toContain("Bakkerij De Fabelkorst B.V.");
  expect(out).not.toContain(ESCAPE);
});

itWith(program("bash"), "a command whose reader has gone ends as if its output had been read", async () => {
  const line = `set -o pipefail; "${process.execPath}" "${MAIN}" lookup 50000001 | true`;
  const { code, err } = await startProgram("bash", ["-c", line], { env: environment }).ended;
  expect([code, err]).toEqual([0, ""]);
});
