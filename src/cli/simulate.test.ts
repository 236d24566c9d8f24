import { describe, expect, it } from "vitest";
import { terminal } from "../../test/kit/terminal.ts";
import { startViesSimulator } from "../simulators/vies/server.ts";
import { CommandFailure, WrongUse } from "./command.ts";
import { addSimulateCommand } from "./simulate.ts";

describe.each(["kvk", "vies"])("opzoek simulate %s", (name) => {
  it("is for this machine only", async () => {
    const { run } = terminal(addSimulateCommand);
    for (const host of ["0.0.0.0", "192.0.2.1", `${name}.example`]) {
      await expect(run("simulate", name, "--host", host)).rejects.toThrow(WrongUse);
    }
  });

  it("says which port is wrong or taken", async () => {
    const { run } = terminal(addSimulateCommand);
    for (const port of ["-1", "65536", "web"]) {
      await expect(run("simulate", name, `--port=${port}`)).rejects.toThrow(/--port must be/);
    }
    const other = await startViesSimulator();
    try {
      const taken = run("simulate", name, "--port", String(other.port));
      await expect(taken).rejects.toThrow(CommandFailure);
    } finally {
      await other.stop();
    }
  });
});
