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
): Promise<{ code: number | null; report: DoctorReport; bad: Map<string, string> }> {
  const { code, out } = await opzoek(["doctor", "--json"], environment);
  const report = JSON.parse(out) as DoctorReport;
  const bad = report.checks.filter(({ condition }) => condition !== "good");
  for (const { remedy } of bad) expect(remedy).toMatch(/[a-z]/);
  return {
    code,
    report,
    bad: new Map(bad.map(({ check, condition, found }) => [check, `${condition}: ${found}`])),
  };
}
