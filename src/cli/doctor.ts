import type { Diagnosis } from "../app/doctor/diagnosis.ts";
import { SettingError } from "../app/settings/settings.ts";
import type { AddCommand, CliContext } from "./command.ts";
import { settingsForReading } from "./opening.ts";
import { addPrinting } from "./output.ts";
import { withProgress } from "./progress.ts";

const SIGNS: Readonly<Record<Diagnosis["condition"], string>> = {
  good: "good     ",
  warning: "WARNING  ",
  problem: "PROBLEM  ",
};

export const addDoctorCommand: AddCommand = (program, context) => {
  const command = program
    .command("doctor")
    .description(
      "check settings, permissions, disk, clock, state, backup, registry, upstreams and proxy, with a remedy for each problem; exit code 1 if something is broken",
    );
  addPrinting(command, context, async () => {
    const checks = await diagnose(context);
    const count = (condition: string) => checks.filter((check) => check.condition === condition).length;
    const [problems, warnings] = [count("problem"), count("warning")];
    const failure = `${problems} problems and ${warnings} warnings: each has its remedy`;
    return {
      document: { problems, warnings, checks },
      lines: () => checks.flatMap(linesOf),
      failure: problems === 0 ? undefined : failure,
    };
  });
};

/** Nothing else can be checked with an invalid setting. */
async function diagnose(context: CliContext): Promise<readonly Diagnosis[]> {
  try {
    context.settings();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const remedy = "correct it; docs/settings.md lists every setting";
    return [{ check: "settings", condition: "problem", found: error.message, remedy }];
  }
  const { examine } = await import("../app/doctor/examine.ts");
  return withProgress(context, (progress) =>
    examine(settingsForReading(context), (name) => progress.say(() => `looking at  ${name}`)),
  );
}

function linesOf({ check, condition, found, remedy }: Diagnosis): readonly string[] {
  const line = `${SIGNS[condition]}${check.padEnd(15)} ${found}`;
  return remedy === undefined ? [line] : [line, `${" ".repeat(25)}${remedy}`];
}
