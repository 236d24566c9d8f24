import { expect } from "vitest";
import { opzoek } from "./opzoek.ts";
import type { World } from "./world.ts";

/**
 * Expects that `opzoek state check` finds no inconsistency in a world's state: sums, keys, windows and reservations.
 */
export async function expectSoundState({ environment }: Pick<World, "environment">): Promise<void> {
  const { code, out, err } = await opzoek(["state", "check", "--json"], environment);
  const { findings, accounts } = JSON.parse(out) as { findings: readonly unknown[]; accounts: number };
  expect(findings).toEqual([]);
  expect([code, err]).toEqual([0, ""]);
  expect(accounts).toBeGreaterThan(0);
}
