import { describe, expect, it } from "vitest";
import { endedWith, terminal } from "../../test/kit/terminal.ts";
import { startViesSimulator } from "../demo/vies/server.ts";

describe.each(["kvk", "court", "vies"])("opzoek simulate %s", (name) => {
  it("reports a port that is invalid or in use", async () => {
    const { run } = terminal();
    for (const port of ["-1", "65536", "web"]) {
      expect(await run("simulate", name, `--port=${port}`)).toMatchObject(endedWith(2, "--port"));
    }
    const other = await startViesSimulator();
    try {
      expect(await run("simulate", name, "--port", String(other.port))).toMatchObject(
        endedWith(1, "Choose another --port"),
      );
    } finally {
      await other.stop();
    }
  });
});
