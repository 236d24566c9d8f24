import { isLoopback } from "../lib/secretUrl.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";

export const addServeCommand: AddCommand = (program, context) => {
  program
    .command("serve")
    .description("run the service until SIGTERM, SIGINT or SIGHUP")
    .option("--allow-unknown-tiers", "start even if accounts have tiers that are missing from TIERS_FILE")
    .option("--no-wait", "fail at once, instead of waiting, while the database of DATABASE_URL is away")
    .addHelpText("after", settingsHelp(context))
    .action(({ allowUnknownTiers = false, wait }: { allowUnknownTiers?: boolean; wait: boolean }) =>
      context.withItsState((stopping) => serveOnce(context, stopping, allowUnknownTiers), { waits: wait }),
    );
};

export const addOpenapiCommand: AddCommand = (program, context) => {
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => context.out(JSON.stringify(await context.apiDocument(), undefined, 2)));
};

function settingsHelp({ firstSettings }: CliContext): string {
  return [
    "",
    "The most important settings, from the environment:",
    ...firstSettings.map(({ name, meaning }) => `  ${name.padEnd(12)} ${meaning.replaceAll("`", "")}`),
    "docs/settings.md lists the others.",
  ].join("\n");
}

async function serveOnce(
  context: CliContext,
  stopping: AbortSignal,
  allowsUnknownTiers: boolean,
): Promise<void> {
  const { HOST, REGISTRY_URL } = context.settings();
  await context.upgradeState({ isLogged: true, stopping });
  if (!isLoopback(HOST) && (await context.hasDemo(stopping))) {
    throw new UsageError(
      "DATA_DIR contains the demo, whose keys are public: HOST must be a loopback address, or choose another DATA_DIR",
    );
  }
  const onListening = ({ hasRegistry }: { readonly hasRegistry: boolean }) => {
    if (hasRegistry) return;
    context.err(
      REGISTRY_URL === undefined
        ? 'There is no registry yet: import one with "opzoek import <format> <file>"; it is then served at once.'
        : "There is no registry yet: it is being fetched from REGISTRY_URL and then served at once.",
    );
  };
  await context.serve({}, { allowsUnknownTiers, onListening });
}
