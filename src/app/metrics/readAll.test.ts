import { expect, it } from "vitest";
import { readAll } from "./readings.ts";

it("omits failed and slow readings, reports them, and returns the rest", async () => {
  const readings = await readAll(
    {
      process: () => ({ opzoek_ready: 1 }),
      disk: () => Promise.reject(new Error("no such folder")),
      registry: () => {
        throw new Error("it is closed");
      },
      health: () => new Promise(() => {}),
    },
    20,
  );
  const failed = (what: string, value: number) => ({ labels: { what }, value });
  expect(readings).toEqual({
    opzoek_ready: 1,
    opzoek_reading_failed: [
      failed("process", 0),
      failed("disk", 1),
      failed("registry", 1),
      failed("health", 1),
    ],
  });
});
