import { describe, expect, it } from "vitest";
import { startKvkSimulator } from "../registry/kvk/simulator/server.ts";
import { CommandFailure, WrongUse } from "./command.ts";
import { addSimulateCommand } from "./simulate.ts";
import { terminal } from "./testTerminal.ts";

describe("opzoek simulate kvk", () => {
  it("is for this machine only", async () => {
    const { run } = terminal(addSimulateCommand);
    for (const host of ["0.0.0.0", "192.0.2.1", "kvk.example"]) {
      await expect(run("simulate", "kvk", "--host", host)).rejects.toThrow(WrongUse);
    }
  });

  it("says which port is wrong or taken", async () => {
    const { run } = terminal(addSimulateCommand);
    for (const port of ["-1", "65536", "web"]) {
      await expect(run("simulate", "kvk", `--port=${port}`)).rejects.toThrow(/--port must be/);
    }
    const other = await startKvkSimulator();
    try {
      const taken = run("simulate", "kvk", "--port", String(other.port));
      await expect(taken).rejects.toThrow(CommandFailure);
    } finally {
      await other.stop();
    }
  });
});
