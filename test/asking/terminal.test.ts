/** On a real terminal, a pseudo-terminal of the system's: rows fit its width, and colours go with NO_COLOR. */
import { beforeAll, describe, expect, it } from "vitest";
import { composeInProcess } from "../kit/inProcess.ts";
import { MAIN } from "../kit/opzoek.ts";
import { isInstalled, startProgram } from "../kit/program.ts";
import { makeWorld } from "../kit/world.ts";

const COLUMNS = 50;
const ESCAPE = "\u001b[";
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  const inside = await composeInProcess(await makeWorld());
  const OPZOEK_URL = await inside.app.listen({ host: "127.0.0.1", port: 0 });
  const { key: OPZOEK_KEY } = await inside.account("plenty");
  environment = { PATH: process.env.PATH, TERM: "xterm-256color", OPZOEK_URL, OPZOEK_KEY };
});

/** What a search shows on a terminal, line by line. */
async function shown(more: NodeJS.ProcessEnv = {}): Promise<string[]> {
  const line = `stty cols ${COLUMNS}; exec "${process.execPath}" "${MAIN}" search fabelkorst`;
  const env = { ...environment, ...more };
  const { code, out } = await startProgram("script", ["-qec", line, "/dev/null"], { env }).ended;
  expect(code).toBe(0);
  return out.split("\r\n").filter((text) => text.includes("50000001"));
}

describe.skipIf(!isInstalled("script"))("a search on a terminal", () => {
  it("shows rows that fit, the number in bold, and nothing but text with NO_COLOR", async () => {
    const [coloured = ""] = await shown();
    expect(coloured).toContain(`${ESCAPE}1m50000001${ESCAPE}22m`);
    const [plain = ""] = await shown({ NO_COLOR: "1" });
    expect(plain).toMatch(/^50000001 {2}Bakkerij De.*… {2}BV {2}1234 AB {2}Verzinstad$/);
    expect([...plain].length).toBeLessThanOrEqual(COLUMNS);
  });
});
