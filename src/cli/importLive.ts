import type { Command } from "commander";
import { importLive } from "../import/importLive.ts";
import { reportLines } from "../import/report.ts";
import { registryDirectory } from "../registry/places.ts";
import type { CliContext, ServiceContext } from "./command.ts";
import { ImportProgressBar } from "./importProgress.ts";
import { asFailure, refuseCopy } from "./withSnapshot.ts";

export type ImportLiveContext = CliContext & Pick<ServiceContext, "withRegistryState">;

/** `opzoek import live`: adds the stored answers of KVK to the registry. */
export function addImportLiveCommand(command: Command, context: ImportLiveContext): void {
  command
    .command("live")
    .description("add the companies in the cache of KVK's answers to the registry, as origin kvk-api")
    .option("--json", "print the report as JSON")
    .action((options: { readonly json?: boolean }) => runImportLive(context, options.json === true));
}

async function runImportLive(context: ImportLiveContext, asJson: boolean): Promise<void> {
  const settings = context.settings();
  refuseCopy(settings, "run it where the registry is published, then publish it");
  const directory = registryDirectory(settings.DATA_DIR);
  context.keepTemporaryFiles(settings.DATA_DIR);
  const omit = await context.suppressed();
  const progress = new ImportProgressBar(context, 1);
  const onProgress = (work: Parameters<typeof progress.update>[0]) => progress.update(work);
  const report = await context
    .withRegistryState(({ live: store }) => importLive({ directory, store, omit, onProgress }))
    .catch((error: unknown) => {
      throw asFailure(error);
    })
    .finally(() => progress.end());
  if (asJson) context.out(JSON.stringify(report));
  else for (const line of reportLines(report)) context.out(line);
  const { snapshot, wrote } = report;
  const isAlone = snapshot?.origins.every(({ origin }) => origin === "kvk-api") === true;
  if (wrote !== "nothing" && isAlone) {
    context.err(
      "The registry holds answers of KVK alone: autocomplete finds these companies and no others. Without a registry it asks KVK.",
    );
  }
}
