import { expect } from "vitest";
import { opzoek } from "../kit/opzoek.ts";

export interface DoctorReport {
  readonly problems: number;
  readonly warnings: number;
  readonly checks: readonly { check: string; condition: string; found: string; remedy?: string }[];
}

/** Runs doctor. @returns its output, and the findings of each failed check */
export async function doctor(
  environment: NodeJS.ProcessEnv,
): Promise<{ code: number | null; told: DoctorReport; bad: Map<string, string> }> {
  const { code, out } = await opzoek(["doctor", "--json"], environment);
  const told = JSON.parse(out) as DoctorReport;
  const bad = told.checks.filter(({ condition }) => condition !== "good");
  for (const { remedy } of bad) expect(remedy).toMatch(/[a-z]/);
  return {
    code,
    told,
    bad: new Map(bad.map(({ check, condition, found }) => [check, `${condition}: ${found}`])),
  };
}
