import { isLoopback } from "../settingRules.ts";
import type { AddCommand, Running, ServiceContext } from "./command.ts";
import { WrongUse } from "./command.ts";
import { demoIsHere } from "./demoAccounts.ts";

/** `opzoek serve`: the service, until SIGTERM or SIGINT. */
export const addServeCommand: AddCommand<ServiceContext> = (program, context) => {
  program
    .command("serve")
    .description("run the service until SIGTERM or SIGINT")
    .action(async () => {
      const { HOST, REGISTRY_URL } = context.settings();
      if (!isLoopback(HOST) && (await context.withAccounts(demoIsHere))) {
        throw new WrongUse(
          "DATA_DIR holds the demo, whose keys are public: HOST must be a loopback address, or choose another DATA_DIR",
        );
      }
      const running = await context.serve();
      if (!running.hasRegistry) {
        context.err(
          REGISTRY_URL === undefined
            ? 'There is no registry yet: fill it with "opzoek import <format> <file>"; it is then served at once.'
            : "There is no registry yet: it is fetched from REGISTRY_URL now, and then served at once.",
        );
      }
      await untilStopped(running);
    });
};

/** Waits for the first SIGTERM or SIGINT, then drains. A second one ends the process at once, as usual. */
export async function untilStopped(running: Pick<Running, "stop">): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
  await running.stop();
}
