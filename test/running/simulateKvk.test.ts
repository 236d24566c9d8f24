/** The simulated KVK of the command line: what it prints works, and it ends as it should. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { startOpzoek } from "../support/opzoek.ts";
import { until } from "../support/until.ts";

const shell = promisify(execFile);

it("prints calls that work, fails as it is told to, and ends on SIGTERM", async () => {
  const program = startOpzoek(["simulate", "kvk"], { PATH: process.env["PATH"] });
  try {
    await until("it says how to stop it", () => program.err().includes("Ctrl-C"));
    const lines = program.err().split("\n");
    const [, url = ""] = /KVK_API_URL=(\S+) KVK_API_KEY=\S+/.exec(program.err()) ?? [];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/api$/);
    const curls = lines.filter((line) => line.trim().startsWith("curl "));
    expect(curls.length).toBe(4);
    const answers: string[] = [];
    for (const curl of curls) answers.push((await shell("sh", ["-c", `${curl.trim()} -s`])).stdout);
    expect(answers[0]).toContain('"naam":"Eenzame Appel"');
    expect(answers[1]).toContain('"kvkNummer":"90000010"');
    expect(answers[3]).toContain('"mostInASecond"');
    expect((await shell("sh", ["-c", `${curls[0]?.trim()} -s`])).stdout).toContain("IPD9999");
  } finally {
    program.child.kill("SIGTERM");
  }
  expect((await program.ended).code).toBe(0);
});
