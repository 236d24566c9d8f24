import { SIMULATED_KVK_KEY, startKvkSimulator } from "../registry/kvk/simulator/server.ts";
import { isLoopback } from "../settingRules.ts";
import { type AddCommand, type CliContext, CommandFailure, WrongUse } from "./command.ts";
import { untilStopped } from "./serve.ts";

interface Options {
  readonly port: string;
  readonly host: string;
}

const A_COMPANY = "90000010";
const A_FAULT = '{"kind":"code","code":"IPD9999"}';

/** `opzoek simulate kvk`: KVK's API over fictional companies, for whoever develops without a key. */
export const addSimulateCommand: AddCommand = (program, context) => {
  program
    .command("simulate")
    .description("run a simulated upstream, for development without one")
    .command("kvk")
    .description("KVK's API over fictional companies, on this machine only, until SIGTERM or SIGINT")
    .option("--port <number>", "port to listen on; 0 takes a free one", "0")
    .option("--host <address>", "a loopback address", "127.0.0.1")
    .action((options: Options) => simulateKvk(options, context));
};

async function simulateKvk({ port, host }: Options, context: CliContext): Promise<void> {
  if (!isLoopback(host)) {
    throw new WrongUse(
      "--host must be a loopback address such as 127.0.0.1: whoever reaches a simulator can set its faults.",
    );
  }
  if (!/^[0-9]{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new WrongUse("--port must be a whole number from 0 to 65535.");
  }
  const simulator = await startKvkSimulator({ host, port: Number(port) }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "unknown error";
    throw new CommandFailure(`It cannot listen on ${host}, port ${port} (${reason}). Choose another --port.`);
  });
  const { url, controlUrl } = simulator;
  for (const line of [
    "",
    `KVK is simulated at ${url}: Zoeken v2, Basisprofiel v1, Vestigingsprofiel v1 over fictional companies.`,
    "",
    "Point a service at it:",
    `  KVK_API_URL=${url} KVK_API_KEY=${SIMULATED_KVK_KEY}`,
    "",
    "Try:",
    `  curl -H "apikey: ${SIMULATED_KVK_KEY}" ${url}/v1/basisprofielen/${A_COMPANY}`,
    `  curl -H "apikey: ${SIMULATED_KVK_KEY}" "${url}/v2/zoeken?naam=appel"`,
    `  curl -X PUT -d '${A_FAULT}' ${controlUrl}/faults/basisprofiel`,
    `  curl ${controlUrl}/counts`,
    "After the third the profiles fail; the same with -X DELETE ends the fault.",
    "",
    "Ctrl-C stops it; nothing is kept.",
  ]) {
    context.err(line);
  }
  await untilStopped(simulator);
}
