import type { Command } from "commander";
import { type Holder, knownToVies } from "../demo/vies.ts";
import { isLoopback } from "../lib/secretUrl.ts";
import { Register } from "../simulators/kvk/register.ts";
import { SIMULATED_KVK_KEY, startKvkSimulator } from "../simulators/kvk/server.ts";
import { startViesSimulator } from "../simulators/vies/server.ts";
import { type AddCommand, CommandFailure, type RunningContext, WrongUse } from "./command.ts";

interface Options {
  readonly port: string;
  readonly host: string;
}

interface Simulator {
  readonly url: string;
  readonly controlUrl: string;
  stop(): Promise<void>;
}

/** `opzoek simulate …`: upstreams over fictional companies, for whoever develops without the real ones. */
export const addSimulateCommand: AddCommand<RunningContext> = (program, context) => {
  const command = program.command("simulate").description("run a simulated upstream, for development");
  addSimulator(command, context, {
    name: "kvk",
    description:
      "simulate KVK's API with fictional companies, on this machine only; prints its address and key",
    start: startKvkSimulator,
    welcome: kvkWelcome,
  });
  addSimulator(command, context, {
    name: "vies",
    description:
      "simulate VIES, which knows the companies of `simulate kvk`, on this machine only; prints its address and how to make it fail",
    start: (options) => startViesSimulator({ ...options, companyOf: knownToVies(companiesOfKvk) }),
    welcome: viesWelcome,
  });
};

interface Simulated {
  readonly name: string;
  readonly description: string;
  start(options: { readonly host: string; readonly port: number }): Promise<Simulator>;
  welcome(simulator: Simulator): readonly string[];
}

function addSimulator(
  command: Command,
  context: RunningContext,
  { name, description, start, welcome }: Simulated,
): void {
  command
    .command(name)
    .description(description)
    .option("--port <number>", "port to listen on; 0 takes a free one", "0")
    .option("--host <address>", "a loopback address", "127.0.0.1")
    .action(async (options: Options) => {
      const simulator = await started(start, options);
      for (const line of welcome(simulator)) context.err(line);
      const escaped = (error: unknown) =>
        context.err(`opzoek: nobody caught this: ${error instanceof Error ? error.stack : String(error)}`);
      await context.untilStopped({ stop: () => simulator.stop(), escaped });
    });
}

async function started(start: Simulated["start"], { host, port }: Options): Promise<Simulator> {
  if (!isLoopback(host)) {
    throw new WrongUse(
      "--host must be a loopback address such as 127.0.0.1: whoever reaches a simulator can set its faults.",
    );
  }
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new WrongUse("--port must be a whole number from 0 to 65535.");
  }
  return start({ host, port: Number(port) }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "unknown error";
    throw new CommandFailure(`It cannot listen on ${host}, port ${port} (${reason}). Choose another --port.`);
  });
}

/** The companies of a simulated KVK: the same in every one. */
function* companiesOfKvk(): Generator<Holder> {
  for (const { facts } of new Register().all) yield { company: facts, vatNumber: facts.vatNumber };
}

const A_COMPANY = "90000010";

function kvkWelcome({ url, controlUrl }: Simulator): readonly string[] {
  return [
    "",
    `KVK is simulated at ${url}: Zoeken v2, Basisprofiel v1, Vestigingsprofiel v1 over fictional companies.`,
    "",
    "Point a service at it:",
    `  KVK_API_URL=${url} KVK_API_KEY=${SIMULATED_KVK_KEY}`,
    "",
    "Try:",
    `  curl -H "apikey: ${SIMULATED_KVK_KEY}" ${url}/v1/basisprofielen/${A_COMPANY}`,
    `  curl -H "apikey: ${SIMULATED_KVK_KEY}" "${url}/v2/zoeken?naam=appel"`,
    `  curl -X PUT -d '{"kind":"code","code":"IPD9999"}' ${controlUrl}/faults/basisprofiel`,
    `  curl ${controlUrl}/counts`,
    "After the third the profiles fail; the same with -X DELETE ends the fault.",
    "",
    "Ctrl-C stops it; nothing is kept.",
  ];
}

/** The number that follows from the RSIN of a company that the simulated KVK has: 90000030. */
const A_NUMBER = '{"countryCode":"NL","vatNumber":"990000011B01"}';

function viesWelcome({ url, controlUrl }: Simulator): readonly string[] {
  return [
    "",
    `VIES is simulated at ${url}: it knows the companies of \`opzoek simulate kvk\`, and makes up others.`,
    "",
    "Point a service at it:",
    `  VIES_URL=${url}`,
    "",
    "Try:",
    `  curl -d '${A_NUMBER}' ${url}/check-vat-number`,
    `  curl ${url}/check-status`,
    `  curl -X PUT -d '{"kind":"code","code":"MS_UNAVAILABLE"}' ${controlUrl}/faults/NL`,
    `  curl ${controlUrl}/counts`,
    "After the third the Netherlands do not answer; the same with -X DELETE ends the fault.",
    "",
    "Ctrl-C stops it; nothing is kept.",
  ];
}
