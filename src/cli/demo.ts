import { join } from "node:path";
import { DEMO_COMPANIES, DEMO_SEED, generateCompanies } from "../registry/demo/generateCompanies.ts";
import { registryDirectory } from "../registry/snapshot/directory.ts";
import { importFacts } from "../registry/snapshot/importFacts.ts";
import { openCurrentSnapshot } from "../registry/snapshot/openSnapshot.ts";
import { type AddCommand, type ServiceContext, WrongUse } from "./command.ts";
import { type DemoKey, ensureDemoAccounts } from "./demoAccounts.ts";
import { isLoopback } from "./loopback.ts";
import { showProgress } from "./progress.ts";
import { untilStopped } from "./serve.ts";

/** `opzoek demo`: the service over a fictional registry, an account and a key for each tier. */
export const addDemoCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("demo")
    .description("try the service: a fictional registry, an account per tier, nothing needed from outside")
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
  const changed = { DATA_DIR: join(settings.DATA_DIR, "demo") };
  const example = await ensureDemoRegistry(context, registryDirectory(changed.DATA_DIR));
  const keys = await context.withAccounts(
    (accounts) => ensureDemoAccounts(accounts, settings.TIERS_FILE),
    changed,
  );
  const running = await context.serve(changed);
  for (const line of welcome(running.address, keys, example)) context.err(line);
  await untilStopped(running);
  context.err("Stopped.");
}

interface Example {
  readonly kvkNumber: string;
  readonly typed: string;
}

/** Builds the fictional registry unless it is there; a company of it serves as an example. */
async function ensureDemoRegistry(context: ServiceContext, directory: string): Promise<Example> {
  const held = openCurrentSnapshot(directory);
  held?.close();
  if (held === undefined) {
    const progress = showProgress(context, "demo registry", DEMO_COMPANIES);
    await importFacts(directory, generateCompanies({ companies: DEMO_COMPANIES, seed: DEMO_SEED }), {
      replace: true,
      onProgress: ({ stage, done }) => {
        if (stage === "reading") progress.update(done);
      },
    });
    progress.end();
  }
  const snapshot = openCurrentSnapshot(directory);
  try {
    const [first] = snapshot?.autocomplete("bakkerij", 1) ?? [];
    if (first === undefined) throw new Error("the demo's registry holds no bakery");
    return { kvkNumber: first.kvkNumber, typed: "bakkerij" };
  } finally {
    snapshot?.close();
  }
}

function welcome(address: string, keys: readonly DemoKey[], { kvkNumber, typed }: Example): string[] {
  const key = keys.find(({ tierName }) => tierName === "pro")?.key ?? keys[0]?.key ?? "";
  const authorization = `-H "Authorization: Bearer ${key}"`;
  return [
    "",
    `Opzoek demo: ${DEMO_COMPANIES.toLocaleString("en")} fictional companies at ${address} (docs: ${address}/docs)`,
    "",
    "Keys (public, the same on every machine):",
    ...keys.map(({ tierName, key: shown }) => `  ${tierName.padEnd(8)} ${shown}`),
    "",
    "Try:",
    `  curl ${authorization} ${address}/v1/lookup/${kvkNumber}`,
    `  curl ${authorization} "${address}/v1/autocomplete?q=${typed}"`,
    `  curl ${authorization} ${address}/v1/usage`,
    "",
    "Ctrl-C stops it; keys and usage are kept.",
  ];
}
