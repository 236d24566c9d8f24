import { isLoopback } from "../lib/secretUrl.ts";
import type { AddCommand, ServiceContext } from "./command.ts";
import { WrongUse } from "./command.ts";

/** `opzoek serve`: the service, until SIGTERM, SIGINT or SIGHUP. */
export const addServeCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("serve")
    .description("run the service until SIGTERM, SIGINT or SIGHUP")
    .option("--allow-unknown-tiers", "start even if accounts have tiers that TIERS_FILE lacks")
    .addHelpText("after", settingsHelp(context))
    .option("--no-wait", "fail at once, instead of waiting, while the database of DATABASE_URL is away")
    .action(async ({ allowUnknownTiers = false, wait }: { allowUnknownTiers?: boolean; wait: boolean }) => {
      const serve = (stopping: AbortSignal) => serveOnce(context, stopping, allowUnknownTiers);
      await context.withItsState(serve, { waits: wait });
    });
};

function settingsHelp({ firstSettings }: ServiceContext): string {
  const lines = firstSettings.map(
    ({ name, meaning }) => `  ${name.padEnd(12)} ${meaning.replaceAll("`", "")}`,
  );
  return [
    "",
    "The settings of a first node, from the environment:",
    ...lines,
    "docs/settings.md lists the others.",
  ].join("\n");
}

/** Runs the service, which must find its state. */
async function serveOnce(
  context: ServiceContext,
  stopping: AbortSignal,
  allowsUnknownTiers: boolean,
): Promise<void> {
  const { HOST, REGISTRY_URL } = context.settings();
  await context.upgradeState({ isLogged: true, stopping });
  if (!isLoopback(HOST) && (await context.holdsDemo(stopping))) {
    throw new WrongUse(
      "DATA_DIR holds the demo, whose keys are public: HOST must be a loopback address, or choose another DATA_DIR",
    );
  }
  const sayWhatIsMissing = ({ hasRegistry }: { readonly hasRegistry: boolean }) => {
    if (hasRegistry) return;
    context.err(
      REGISTRY_URL === undefined
        ? 'There is no registry yet: fill it with "opzoek import <format> <file>"; it is then served at once.'
        : "There is no registry yet: it is fetched from REGISTRY_URL now, and then served at once.",
    );
  };
  await context.serve({}, { allowsUnknownTiers, onListening: sayWhatIsMissing });
}
