import { type AddCommand, CommandFailure, type Diagnosis, type ServiceContext, WrongUse } from "./command.ts";
import { statusLine } from "./progress.ts";

const SIGNS: Readonly<Record<Diagnosis["condition"], string>> = {
  good: "good     ",
  warning: "WARNING  ",
  problem: "PROBLEM  ",
};

/** `opzoek doctor`: what a service depends on, how it is, and what to do. */
export const addDoctorCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("doctor")
    .description(
      "check settings, rights, disk, clock, state, backup, registry, upstreams and proxy, and say what to do; exit code 1 when something is broken",
    )
    .option("--json", "print one JSON document")
    .action(async ({ json }: { json?: boolean }) => {
      const all = await examined(context);
      const count = (condition: Diagnosis["condition"]) =>
        all.filter((one) => one.condition === condition).length;
      const [problems, warnings] = [count("problem"), count("warning")];
      if (json === true) context.out(JSON.stringify({ problems, warnings, checks: all }));
      else for (const line of all.flatMap(linesOf)) context.out(line);
      if (problems > 0)
        throw new CommandFailure(`${problems} problems and ${warnings} warnings: see what to do for each`);
    });
};

/** A setting that breaks its rule keeps everything else from being looked at. */
async function examined(context: ServiceContext): Promise<readonly Diagnosis[]> {
  try {
    context.settings();
  } catch (error) {
    if (!(error instanceof WrongUse)) throw error;
    const remedy = "set it right; docs/settings.md lists every setting";
    return [{ check: "settings", condition: "problem", found: error.message, remedy }];
  }
  const line = statusLine(context);
  return context.examine((name) => line.show(() => `looking at  ${name}`)).finally(() => line.end());
}

function linesOf({ check, condition, found, remedy }: Diagnosis): readonly string[] {
  const told = `${SIGNS[condition]}${check.padEnd(15)} ${found}`;
  return remedy === undefined ? [told] : [told, `${" ".repeat(25)}${remedy}`];
}
