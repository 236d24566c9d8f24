import { expect, it } from "vitest";
import { readAll } from "./readAll.ts";
import { accountReadings } from "./service.ts";

it("leaves out what fails or takes too long, says so, and tells the rest", async () => {
  const readings = await readAll(
    {
      process: () => [{ name: "opzoek_ready", value: 1 }],
      disk: () => Promise.reject(new Error("no such folder")),
      registry: () => {
        throw new Error("it is closed");
      },
      health: () => new Promise(() => {}),
      accounts: () => accountReadings(undefined),
    },
    20,
  );
  const failed = (what: string, value: number) => ({
    name: "opzoek_reading_failed",
    labels: { what },
    value,
  });
  expect(readings).toEqual([
    { name: "opzoek_ready", value: 1 },
    failed("process", 0),
    failed("disk", 1),
    failed("registry", 1),
    failed("health", 1),
    failed("accounts", 1),
  ]);
});
