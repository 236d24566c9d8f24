import type { Command } from "commander";
import { untilStopped } from "../app/process/untilStopped.ts";
import { CourtRegister, demoCases } from "../demo/court/register.ts";
import { SIMULATED_COURT_LOGIN, startCourtSimulator } from "../demo/court/server.ts";
import { Register } from "../demo/kvk/register.ts";
import { SIMULATED_KVK_KEY, startKvkSimulator } from "../demo/kvk/server.ts";
import { SIMULATED_SUBSCRIPTION } from "../demo/kvk/signals.ts";
import type { ListenOptions } from "../demo/simulator/simulator.ts";
import { knownToVies, type NumberHolder } from "../demo/vies/holders.ts";
import { startViesSimulator } from "../demo/vies/server.ts";
import { type AddCommand, CommandFailure } from "./command.ts";
import { wholeNumber } from "./options.ts";

/** Anyone who reaches a simulator can set its faults. */
const HOST = "127.0.0.1";
const KVK_KEY = `-H "apikey: ${SIMULATED_KVK_KEY}"`;

interface Simulator {
  readonly url: string;
  readonly controlUrl: string;
  stop(): Promise<void>;
}

export const addSimulateCommand: AddCommand = (program, context) => {
  const command = program.command("simulate").description("run a simulated upstream, for development");
  const addSimulator = (
    name: string,
    description: string,
    start: (options: { readonly host: string; readonly port: number }) => Promise<Simulator>,
    welcome: (simulator: Simulator) => readonly string[],
  ): Command =>
    command
      .command(name)
      .description(`${description}, on this machine only; prints its address and how to use it`)
      .option("--port <number>", "port to listen on; 0 picks a free one", wholeNumber(0, 65_535), 0)
      .action(async ({ port }: { readonly port: number }) => {
        const simulator = await start({ host: HOST, port }).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : "unknown error";
          throw new CommandFailure(`Cannot listen on port ${port} (${reason}). Choose another --port.`);
        });
        const lines = ["", ...welcome(simulator), "", "Ctrl-C stops the simulator; nothing is stored."];
        for (const line of lines) context.err(line);
        await untilStopped({
          stop: () => simulator.stop(),
          escaped: (error) =>
            context.err(`opzoek: uncaught: ${error instanceof Error ? error.stack : String(error)}`),
        });
      });
  addSimulator(
    "kvk",
    "simulate KVK's API with fictional companies",
    startChangingKvk,
    ({ url, controlUrl }) => [
      `KVK is simulated at ${url}: Zoeken v2, Basisprofiel v1, Vestigingsprofiel v1, Mutatieservice v1 and open data, with fictional companies.`,
      `Point a service at it: KVK_API_URL=${url} KVK_API_KEY=${SIMULATED_KVK_KEY}`,
      `For monitors: KVK_SUBSCRIPTION=${SIMULATED_SUBSCRIPTION} KVK_OPEN_DATA_URL=${new URL(url).origin} KVK_OPEN_DATA_PER_MINUTE=1`,
      "Try:",
      `  curl ${KVK_KEY} ${url}/v1/basisprofielen/90000010`,
      `  curl ${KVK_KEY} "${url}/v2/zoeken?naam=appel"`,
      `  curl ${KVK_KEY} ${url}/v1/abonnementen/${SIMULATED_SUBSCRIPTION}`,
      `  curl -X PUT -d '{"kind":"code","code":"IPD9999"}' ${controlUrl}/faults/basisprofiel`,
      `  curl ${controlUrl}/counts`,
      "After the fourth command the profiles fail; repeat it with -X DELETE to end the fault.",
    ],
  );
  addSimulator(
    "court",
    "simulate the court's insolvency register, with the companies of `simulate kvk`",
    startCourt,
    ({ url, controlUrl }) => [
      `The court's insolvency register is simulated at ${url}: SOAP with the user name token and fictional cases.`,
      `Point a service at it: CIR_URL=${url} CIR_USER=${SIMULATED_COURT_LOGIN.user} CIR_PASSWORD=${SIMULATED_COURT_LOGIN.password}`,
      "Try:",
      `  curl ${controlUrl}/faults`,
      `  curl -X POST ${new URL("/day", url).href}`,
      `  curl -X PUT -d '{"kind":"exceptie","code":"2"}' ${controlUrl}/faults/searchModifiedSince`,
      `  curl ${controlUrl}/counts`,
      "The second command lets a day pass, twice at most. After the third the list of changes fails; repeat it with -X DELETE to end the fault.",
    ],
  );
  addSimulator(
    "vies",
    "simulate VIES, with the companies of `simulate kvk`",
    (options) => startViesSimulator({ ...options, companyOf: knownToVies(companiesOfKvk) }),
    ({ url, controlUrl }) => [
      `VIES is simulated at ${url}: it knows the companies of \`opzoek simulate kvk\` and invents others.`,
      `Point a service at it: VIES_URL=${url}`,
      "Try:",
      // The number derived from the RSIN of company 90000030.
      `  curl -d '{"countryCode":"NL","vatNumber":"990000011B01"}' ${url}/check-vat-number`,
      `  curl ${url}/check-status`,
      `  curl -X PUT -d '{"kind":"code","code":"MS_UNAVAILABLE"}' ${controlUrl}/faults/NL`,
      `  curl ${controlUrl}/counts`,
      "After the third command the Netherlands do not answer; repeat it with -X DELETE to end the fault.",
    ],
  );
};

/** The number of companies with a signal, one for each minute before the start; every tenth is insolvent. */
const CHANGED_COMPANIES = 50;

/** Starts a simulated KVK with some signals of changes and some insolvent companies. */
async function startChangingKvk(options: ListenOptions): Promise<Simulator> {
  const kvk = await startKvkSimulator(options);
  const changed = [...kvk.register.all]
    .filter(({ facts }) => facts.legalForm === "BV")
    .slice(0, CHANGED_COMPANIES);
  for (const [index, { facts }] of changed.entries()) {
    kvk.signals.add({ kvkNumber: facts.kvkNumber, atMs: Date.now() - index * 60_000 });
    if (index % 10 === 0) kvk.setOpenData(facts.kvkNumber, { insolventieCode: "FAIL" });
  }
  return kvk;
}

/** The number of days that can pass at the simulated court. */
const SIMULATED_DAYS = 2;

/** Starts a simulated court with cases of some companies of a simulated KVK. */
function startCourt(options: ListenOptions): Promise<Simulator> {
  const facts = Array.from(new Register().all, ({ facts }) => facts);
  // In the past, because a service takes no list of a day to come.
  const register = new CourtRegister(demoCases(facts), Date.now() - SIMULATED_DAYS * 86_400_000);
  return startCourtSimulator({ ...options, register });
}

/** The companies of a simulated KVK, which are always the same. */
function* companiesOfKvk(): Generator<NumberHolder> {
  for (const { facts } of new Register().all) yield { company: facts, vatNumber: facts.vatNumber };
}
