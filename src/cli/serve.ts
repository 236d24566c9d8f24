import { Accounts } from "../accounts/accounts.ts";
import { withState } from "../app/compose/state.ts";
import { orStopped } from "../app/process/signals.ts";
import { programVersion } from "../app/release.ts";
import { FIRST_SETTINGS, SETTINGS, type Settings } from "../app/settings/settings.ts";
import { isLoopback } from "../lib/secretUrl.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";
import { settingsForReading } from "./opening.ts";
import { serve, upgradeForService, withItsState } from "./serving.ts";

export const addServeCommand: AddCommand = (program, context) => {
  program
    .command("serve")
    .description("run the service until SIGTERM, SIGINT or SIGHUP")
    .option("--allow-unknown-tiers", "start even if accounts have tiers that are missing from TIERS_FILE")
    .option("--no-wait", "fail at once, instead of waiting, while the database of DATABASE_URL is away")
    .addHelpText("after", settingsHelp)
    .action(({ allowUnknownTiers = false, wait }: { allowUnknownTiers?: boolean; wait: boolean }) =>
      withItsState(
        context,
        (settings, stopping) => serveOnce(context, settings, stopping, allowUnknownTiers),
        { waits: wait },
      ),
    );
};

export const addOpenapiCommand: AddCommand = (program, context) => {
  program
    .command("openapi")
    .description("print the OpenAPI document")
    .action(async () => context.out(JSON.stringify(await ownApiDocument(), undefined, 2)));
};

async function ownApiDocument(): Promise<object> {
  const { DEFAULT_TIERS } = await import("../contract/tiers.ts");
  const { apiDocument } = await import("../http/apiDocument.ts");
  const { ENDPOINTS } = await import("../http/endpoints/all.ts");
  return apiDocument(ENDPOINTS, { version: programVersion(), tiers: DEFAULT_TIERS });
}

function settingsHelp(): string {
  return [
    "",
    "The most important settings, from the environment:",
    ...FIRST_SETTINGS.map((name) => `  ${name.padEnd(12)} ${SETTINGS[name].meaning.replaceAll("`", "")}`),
    "docs/settings.md lists the others.",
  ].join("\n");
}

async function serveOnce(
  context: CliContext,
  settings: Settings,
  stopping: AbortSignal,
  allowsUnknownTiers: boolean,
): Promise<void> {
  settingsForReading(context);
  await upgradeForService(settings, stopping);
  if (!isLoopback(settings.HOST) && (await orStopped(stopping, hasDemo(settings)))) {
    throw new UsageError(
      "DATA_DIR contains the demo, whose keys are public: HOST must be a loopback address, or choose another DATA_DIR",
    );
  }
  const onListening = ({ hasRegistry }: { readonly hasRegistry: boolean }) => {
    if (hasRegistry) return;
    context.err(
      settings.REGISTRY_URL === undefined
        ? 'There is no registry yet: import one with "opzoek import <format> <file>"; it is then served at once.'
        : "There is no registry yet: it is being fetched from REGISTRY_URL and then served at once.",
    );
  };
  await serve(context, settings, { allowsUnknownTiers, onListening });
}

/** Whether the state contains the demo's accounts, whose keys are public. */
async function hasDemo(settings: Settings): Promise<boolean> {
  const { hasDemoAccounts } = await import("../demo/accounts.ts");
  return withState(settings, (state) => hasDemoAccounts(new Accounts(state, settings.TIERS_FILE)));
}
