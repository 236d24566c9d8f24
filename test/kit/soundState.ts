import { expect } from "vitest";
import { opzoek } from "./opzoek.ts";
import type { World } from "./world.ts";

/** Holds a world's state to what `opzoek state check` looks for: every sum, key, window and reservation agrees. */
export async function expectSoundState({ environment }: Pick<World, "environment">): Promise<void> {
  const { code, out, err } = await opzoek(["state", "check", "--json"], environment);
  const { findings, accounts } = JSON.parse(out) as { findings: readonly unknown[]; accounts: number };
  expect(findings).toEqual([]);
  expect([code, err]).toEqual([0, ""]);
  expect(accounts).toBeGreaterThan(0);
}
