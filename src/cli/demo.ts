import { join } from "node:path";
import { type DemoKey, ensureDemoAccounts } from "../demo/accounts.ts";
import { EXAMPLE_COMPANIES, EXAMPLE_NUMBER } from "../demo/examples.ts";
import { DEMO_COMPANIES, demoCompanies } from "../demo/generateCompanies.ts";
import { numberKnownToVies, startDemoVies } from "../demo/vies.ts";
import { isLoopback } from "../lib/secretUrl.ts";
import { importFacts } from "../registry/importFacts.ts";
import { openCurrentSnapshot } from "../registry/openSnapshot.ts";
import { registryDirectory } from "../registry/places.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";
import { showProgress } from "./progress.ts";

/** `opzoek demo`: the service over a fictional registry and a simulated VIES, an account and a key for each tier. */
export const addDemoCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("demo")
    .description(
      "run the service over a fictional registry and a simulated VIES, with public keys, on this machine only; data in DATA_DIR/demo",
    )
    .action(() => runDemo(context));
};

async function runDemo(context: ServiceContext): Promise<void> {
  const settings = context.settings();
  if (!isLoopback(settings.HOST)) {
    throw new WrongUse(
      "the demo's keys are public, so HOST must be a loopback address such as 127.0.0.1; use `opzoek serve` for real",
    );
  }
  // Apart from what `serve` uses: nobody's real service may find the demo's keys in its state.
  const changed = {
    DATA_DIR: join(settings.DATA_DIR, "demo"),
    DATABASE_URL: undefined,
    WORKERS: 1,
    REGISTRY_URL: undefined,
    KVK_API_KEY: undefined,
    SIGNUP: "open" as const,
    PUBLIC_SEARCH: "on" as const,
  };
  const directory = registryDirectory(changed.DATA_DIR);
  context.keepTemporaryFiles(changed.DATA_DIR);
  await context.upgradeState({ changed, isLogged: true });
  await ensureDemoRegistry(context, directory);
  const keys = await context.withAccounts(
    (accounts) => ensureDemoAccounts(accounts, settings.TIERS_FILE),
    changed,
  );
  const vies = await startDemoVies(settings.HOST, directory);
  try {
    const welcomeTo = ({ address }: { readonly address: string }) => {
      for (const line of welcome({ address, viesControl: vies.controlUrl }, keys)) context.err(line);
    };
    await context.serve(
      { ...changed, VIES_URL: vies.url },
      { allowsUnknownTiers: true, onListening: welcomeTo },
    );
  } finally {
    await vies.stop();
  }
  context.err("Stopped.");
}

const TYPED = "bakkerij";
const A_FAULT = '{"kind":"code","code":"MS_UNAVAILABLE"}';
const EXAMPLE = exampleOf(EXAMPLE_NUMBER);

function exampleOf(kvkNumber: string): { readonly kvkNumber: string; readonly vatNumber: string } {
  const company = EXAMPLE_COMPANIES.find((facts) => facts.kvkNumber === kvkNumber);
  const vatNumber = company && numberKnownToVies({ company });
  if (vatNumber === undefined) throw new Error("the demo's example has no VAT number");
  return { kvkNumber, vatNumber };
}

/** Builds the fictional registry, unless one is there that holds the companies of the documents. */
async function ensureDemoRegistry(context: ServiceContext, directory: string): Promise<void> {
  const held = openCurrentSnapshot(directory);
  const isWhole = EXAMPLE_COMPANIES.every(({ kvkNumber }) => held?.basic(kvkNumber) !== undefined);
  held?.close();
  if (isWhole) return;
  const progress = showProgress(context, "demo registry", DEMO_COMPANIES);
  await importFacts(directory, demoCompanies(), {
    replace: true,
    onProgress: ({ stage, done }) => {
      if (stage === "reading") progress.update(done);
    },
  });
  progress.end();
}

interface Places {
  readonly address: string;
  readonly viesControl: string;
}

function welcome({ address, viesControl }: Places, keys: readonly DemoKey[]): string[] {
  const key = keys.find(({ tierName }) => tierName === "pro")?.key ?? keys[0]?.key ?? "";
  const authorization = `-H "Authorization: Bearer ${key}"`;
  return [
    "",
    `Opzoek demo: ${DEMO_COMPANIES.toLocaleString("en")} fictional companies at ${address} (docs: ${address}/docs)`,
    `Open ${address} in a browser to sign up, make keys and try the API`,
    `VIES is simulated: no VAT number leaves this machine. Make it fail at ${viesControl}/faults`,
    "",
    "Keys (public, the same on every machine):",
    ...keys.map(({ tierName, key: shown, isTest }) => `  ${(isTest ? "test" : tierName).padEnd(8)} ${shown}`),
    `The test key spends no tokens and knows fictional answers alone, one for each outcome: ${address}/docs`,
    "",
    "Try:",
    `  curl ${authorization} ${address}/v1/lookup/${EXAMPLE.kvkNumber}`,
    `  curl ${authorization} "${address}/v1/autocomplete?q=${TYPED}"`,
    `  curl ${authorization} ${address}/v1/usage`,
    `  curl ${authorization} "${address}/v1/validate/vat/${EXAMPLE.vatNumber}?maxAge=0"`,
    `  curl -X PUT -d '${A_FAULT}' ${viesControl}/faults/NL`,
    "After the last one the validation is stale; the same with -X DELETE ends the fault.",
    "",
    "Ctrl-C stops it; keys and usage are kept.",
  ];
}
