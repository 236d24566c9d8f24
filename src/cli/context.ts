import { joinCluster } from "../app/cluster/worker.ts";
import { setTemporaryFolder } from "../app/process/temporaryFiles.ts";
import { readSettings, type Settings } from "../app/settings/settings.ts";
import type { CliContext } from "./command.ts";
import { NO_INPUT, NO_SCREEN, PROCESS_TERMINAL, type Terminal } from "./terminal.ts";

/** The context of the commands of this process. */
export function cliContext(
  environment: Record<string, string | undefined>,
  terminal: Terminal = PROCESS_TERMINAL,
): CliContext {
  joinCluster(environment);
  let settings: Settings | undefined;
  return {
    settings(changed) {
      if (changed !== undefined) return readSettings({ ...environment, ...changed });
      settings ??= readSettings(environment);
      return settings;
    },
    setTemporaryFolder: (dataDir) => setTemporaryFolder(dataDir, environment),
    out: (line) => terminal.out(line),
    err: (line) => terminal.err(line),
    stderrIsTerminal: terminal.stderrIsTerminal,
    // Opened when a command uses them: an open stdin keeps the process alive.
    get screen() {
      return terminal.screen ?? NO_SCREEN;
    },
    get input() {
      return terminal.input ?? NO_INPUT;
    },
  };
}
