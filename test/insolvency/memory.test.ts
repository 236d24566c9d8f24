import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundled } from "../kit/bundled.ts";
import type { Held } from "./heldCases.ts";

it("holds 10,000 open cases in at most 60 MB", async () => {
  const program = await bundled(join(import.meta.dirname, "heldCases.ts"));
  const script = `
    const { hold } = await import(${JSON.stringify(program)});
    console.log(JSON.stringify(await hold(10_000, gc)));
  `;
  const printed = execFileSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script]);
  const held: Held = JSON.parse(printed.toString());
  expect(held.cases).toBe(10_000);
  expect(held.megabytes).toBeLessThan(60);
});
