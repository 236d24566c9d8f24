import { join } from "node:path";
import { loadInsolvencies } from "../app/compose/insolvency.ts";
import { withState } from "../app/compose/state.ts";
import type { Settings } from "../app/settings/settings.ts";
import { type DemoKey, ensureDemoAccounts } from "../demo/accounts.ts";
import { CourtRegister, demoCases } from "../demo/court/register.ts";
import { SIMULATED_COURT_LOGIN, startCourtSimulator } from "../demo/court/server.ts";
import { demoParticipants } from "../demo/peppol/participants.ts";
import { startPeppolSimulator } from "../demo/peppol/server.ts";
import { EXAMPLE_COMPANIES, EXAMPLE_NUMBER } from "../demo/registry/examples.ts";
import { DEMO_COMPANIES, demoCompanies } from "../demo/registry/generateCompanies.ts";
import { numberKnownToVies, startDemoVies } from "../demo/vies/holders.ts";
import { isLoopback } from "../lib/secretUrl.ts";
import { importFacts } from "../registry/importFacts.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/paths.ts";
import { type AddCommand, type CliContext, UsageError } from "./command.ts";
import { withAccounts } from "./opening.ts";
import { withProgress } from "./progress.ts";
import { serve, upgradeForService } from "./serving.ts";

export const addDemoCommand: AddCommand = (program, context) => {
  program
    .command("demo")
    .description(
      "run the service with a fictional registry and simulated services, with public keys, on this machine only; data in DATA_DIR/demo",
    )
    .action(() => runDemo(context));
};

async function runDemo(context: CliContext): Promise<void> {
  const settings = context.settings();
  if (!isLoopback(settings.HOST)) {
    throw new UsageError(
      "the demo's keys are public, so HOST must be a loopback address such as 127.0.0.1; use `opzoek serve` for a real service",
    );
  }
  // Separate from the state of `serve`, so that no real service has the demo's public keys.
  const own: Settings = {
    ...settings,
    DATA_DIR: join(settings.DATA_DIR, "demo"),
    DATABASE_URL: undefined,
    WORKERS: 1,
    REGISTRY_URL: undefined,
    KVK_API_KEY: undefined,
    SIGNUP: "open",
    PUBLIC_SEARCH: "on",
  };
  const directory = registryDirectory(own.DATA_DIR);
  context.setTemporaryFolder(own.DATA_DIR);
  await upgradeForService(own);
  await ensureDemoRegistry(context, directory);
  const keys = await withAccounts(context, (accounts) => ensureDemoAccounts(accounts, own.TIERS_FILE), own);
  const vies = await startDemoVies(settings.HOST, directory);
  const facts = Array.from(demoCompanies(), (company) => company.facts);
  const court = await startCourtSimulator({
    host: settings.HOST,
    register: new CourtRegister(demoCases(facts)),
  });
  const peppol = await startPeppolSimulator({ participants: demoParticipants(facts) });
  const { user: CIR_USER, password: CIR_PASSWORD } = SIMULATED_COURT_LOGIN;
  const simulated: Settings = {
    ...{ ...own, VIES_URL: vies.url, CIR_URL: court.url, CIR_USER, CIR_PASSWORD },
    ...{ PEPPOL: "on", PEPPOL_ZONE: peppol.zone, PEPPOL_DNS: [peppol.dns], PEPPOL_NETWORKS: ["127.0.0.1"] },
  };
  try {
    await withState(simulated, (state) =>
      loadInsolvencies(simulated, state, { allowRemovals: true, paceMs: 0 }),
    );
    const onListening = ({ address }: { readonly address: string }) => {
      for (const line of welcome(address, vies.controlUrl, peppol.controlUrl, keys)) context.err(line);
    };
    await serve(context, simulated, { allowsUnknownTiers: true, onListening });
  } finally {
    await Promise.all([vies.stop(), court.stop(), peppol.stop()]);
  }
  context.err("Stopped.");
}

/** Builds the fictional registry, unless one with the documentation's companies exists. */
async function ensureDemoRegistry(context: CliContext, directory: string): Promise<void> {
  const snapshot = openCurrentSnapshot(directory);
  const isWhole = EXAMPLE_COMPANIES.every(({ kvkNumber }) => snapshot?.basic(kvkNumber) !== undefined);
  snapshot?.close();
  if (isWhole) return;
  await withProgress(context, (progress) =>
    importFacts(directory, demoCompanies(), {
      replace: true,
      onProgress: ({ stage, done }) => {
        if (stage === "reading") progress.update({ stage: "demo registry", done, total: DEMO_COMPANIES });
      },
    }),
  );
}

function exampleVatNumber(): string {
  const company = EXAMPLE_COMPANIES.find(({ kvkNumber }) => kvkNumber === EXAMPLE_NUMBER);
  const vatNumber = company && numberKnownToVies({ company });
  if (vatNumber === undefined) throw new Error("the demo's example has no VAT number");
  return vatNumber;
}

function welcome(
  address: string,
  viesControl: string,
  peppolControl: string,
  keys: readonly DemoKey[],
): string[] {
  const key = keys.find(({ tierName }) => tierName === "pro")?.key ?? keys[0]?.key ?? "";
  const curl = `curl -H "Authorization: Bearer ${key}"`;
  return [
    "",
    `Opzoek demo: ${DEMO_COMPANIES.toLocaleString("en")} fictional companies at ${address} (docs: ${address}/docs)`,
    `Open ${address} in a browser to sign up, create keys and try the API`,
    `VIES and Peppol are simulated: no number leaves this machine. Make them fail at ${viesControl}/faults and ${peppolControl}/faults`,
    "",
    "Keys (public, the same on every machine):",
    ...keys.map(({ tierName, key: shown, isTest }) => `  ${(isTest ? "test" : tierName).padEnd(8)} ${shown}`),
    `The test key spends no tokens and returns fixed fictional data, one number for each outcome: ${address}/docs`,
    "",
    "Try:",
    `  ${curl} ${address}/v1/lookup/${EXAMPLE_NUMBER}`,
    `  ${curl} "${address}/v1/autocomplete?q=bakkerij"`,
    `  ${curl} ${address}/v1/usage`,
    `  ${curl} "${address}/v1/validate/vat/${exampleVatNumber()}?maxAge=0"`,
    `  curl -X PUT -d '{"kind":"code","code":"MS_UNAVAILABLE"}' ${viesControl}/faults/NL`,
    "After the last command the validation is stale; repeat it with -X DELETE to end the fault.",
    "",
    "Ctrl-C stops the demo; keys and usage are kept.",
  ];
}
