import type { Command } from "commander";
import { withState } from "../app/compose/state.ts";
import { recordWork } from "../registry/lastWork.ts";
import { type CliContext, CommandFailure } from "./command.ts";
import { addPrinting, type Result } from "./output.ts";
import { withProgress } from "./progress.ts";

interface Options {
  readonly allowRemovals?: boolean;
}

/** `opzoek import insolvencies`: loads the court's insolvency register into the state. */
export function addImportInsolvencies(program: Command, context: CliContext): void {
  const command = program
    .command("insolvencies")
    .description(
      "load the courts' insolvency register, or bring it up to date; after an interruption it continues",
    )
    .option("--allow-removals", "first delete the cases that are hidden because the court removed so many");
  addPrinting(command, context, (options: Options) =>
    recordWork(context.settings().DATA_DIR, "import insolvencies", () => run(options, context)),
  );
}

async function run({ allowRemovals = false }: Options, context: CliContext): Promise<Result> {
  const settings = context.settings();
  if (settings.CIR_USER === undefined) {
    throw new CommandFailure(
      "This command calls the insolvency register and needs access: set CIR_USER and CIR_PASSWORD.",
    );
  }
  context.setTemporaryFolder(settings.DATA_DIR);
  const { loadInsolvencies } = await import("../app/compose/insolvency.ts");
  const report = await withProgress(context, ({ update }) =>
    withState(settings, (state) =>
      loadInsolvencies(settings, state, {
        allowRemovals,
        onCase: (done, total) => update({ stage: "cases", done, total }),
      }),
    ),
  );
  const { stored, deleted, held, failure } = report;
  const shown = (count: number) => count.toLocaleString("en");
  const hints =
    held === 0
      ? []
      : [
          `The court removed so many cases that ${shown(held)} are hidden, but not deleted: check the register, then run this command with --allow-removals.`,
        ];
  return {
    document: report,
    lines: () => [
      `${shown(stored)} cases fetched${deleted === 0 ? "" : `, ${shown(deleted)} deleted that the court had removed`}`,
    ],
    hints,
    failure: failure && `The register is not complete: ${failure}. Run the command again: it continues.`,
  };
}
