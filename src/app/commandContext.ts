/** The context of the CLI commands. */
import { existsSync } from "node:fs";
import { Accounts } from "../accounts/accounts.ts";
import { type AccountChange, CHANGED } from "../accounts/changes.ts";
import { type CliContext, CommandFailure, type ServeOptions, UsageError } from "../cli/command.ts";
import { userName } from "../lib/readable.ts";
import { StateRefused, type StateStore } from "../storage/stateStore.ts";
import { joinCluster, reportListening, workerNumber } from "./cluster/worker.ts";
import { NO_INPUT, NO_SCREEN, PROCESS_TERMINAL, type Terminal } from "./ownTerminal.ts";
import { orStopped, withSignals } from "./process/signals.ts";
import { setTemporaryFolder } from "./process/temporaryFiles.ts";
import { type Running, untilStopped } from "./process/untilStopped.ts";
import { PAGE_FOLDER, programVersion, releaseLine } from "./release.ts";
import { FIRST_SETTINGS, readSettings, SETTINGS, SettingError, type Settings } from "./settings/settings.ts";
import { formatUnknownTiers, unknownTiers } from "./unknownTiers.ts";

/** Returns a line in the format of the service's log, for stderr: commands do not write to that log. */
function changeAsLine(change: AccountChange): string {
  const by = `${change.by} ${userName()}`.trimEnd();
  return JSON.stringify({ time: Date.now(), ...change, by, msg: CHANGED });
}

function checkedSettings(environment: Record<string, string | undefined>): Settings {
  try {
    return readSettings(environment);
  } catch (error) {
    throw error instanceof SettingError ? new UsageError(error.message) : error;
  }
}

const PAGES_NOT_BUILT =
  'The account page and the docs page are not built, so / and /docs are missing. Run "npm run prepare", then start again.';

/** Starts the service in this process, or as the primary process of several workers that run the same command. */
async function startService(
  settings: Settings,
  options: Omit<ServeOptions, "onListening"> & { readonly stopping: AbortSignal },
): Promise<Running> {
  const worker = workerNumber();
  if (worker === undefined && settings.WORKERS > 1) {
    return (await import("./cluster/primary.ts")).runWorkers(settings, options);
  }
  const early = (await import("./compose/early.ts")).openEarly(settings);
  const { runService } = await import("./compose/service.ts");
  const running = await runService(settings, { ...options, worker }, early);
  reportListening(running);
  return running;
}

function refuseWorkersWithoutDatabase({ WORKERS, DATABASE_URL }: Settings): void {
  if (WORKERS === 1 || DATABASE_URL !== undefined) return;
  throw new UsageError(
    `WORKERS=${WORKERS} needs DATABASE_URL: several processes share their state in PostgreSQL, but the embedded state belongs to one process: set DATABASE_URL=postgres://…, or unset WORKERS`,
  );
}

/** The module that opens the state, imported on first use. */
const stateParts = () => import("./compose/state.ts");

async function withState<T>(settings: Settings, use: (state: StateStore) => Promise<T>): Promise<T> {
  return (await stateParts()).withState(settings, use);
}

/**
 * The context of the CLI commands. Parts that only some commands need are imported on use: a command would otherwise load
 * ten times what it needs.
 */
export function cliContext(
  environment: Record<string, string | undefined>,
  terminal: Terminal = PROCESS_TERMINAL,
): CliContext {
  joinCluster(environment);
  let settings: Settings | undefined;
  const readOnce = (): Settings => {
    settings ??= checkedSettings(environment);
    return settings;
  };
  /** For commands that only read: a missing DATA_DIR, whose name may be misspelt, is not created. */
  const setExistingTemporaryFolder = (dataDir: string): void => {
    if (existsSync(dataDir)) setTemporaryFolder(dataDir, environment);
  };
  /** The settings of a command that reads or writes DATA_DIR. */
  const forReading = (): Settings => {
    const used = readOnce();
    setExistingTemporaryFolder(used.DATA_DIR);
    return used;
  };
  const forWriting = (): Settings => {
    const used = readOnce();
    setTemporaryFolder(used.DATA_DIR, environment);
    return used;
  };
  return {
    releaseLine,
    firstSettings: FIRST_SETTINGS.map((name) => ({ name, meaning: SETTINGS[name].meaning })),
    settings: readOnce,
    out: (line) => terminal.out(line),
    err: (line) => terminal.err(line),
    stderrIsTerminal: terminal.stderrIsTerminal,
    get screen() {
      return terminal.screen ?? NO_SCREEN;
    },
    get input() {
      return terminal.input ?? NO_INPUT;
    },
    setTemporaryFolder: (dataDir) => setTemporaryFolder(dataDir, environment),
    untilStopped,
    serve: (changed, { onListening, ...options } = {}) =>
      withSignals(async (stopping) => {
        const used = { ...readOnce(), ...changed };
        refuseWorkersWithoutDatabase(used);
        setTemporaryFolder(used.DATA_DIR, environment);
        const dataDirLock = (await stateParts()).lockState(used, "serve");
        try {
          const running = await startService(used, { ...options, stopping });
          // The primary process prints it once for all workers.
          if (workerNumber() === undefined) {
            onListening?.(running);
            if (!existsSync(PAGE_FOLDER)) terminal.err(PAGES_NOT_BUILT);
          }
          await untilStopped(running);
        } finally {
          dataDirLock?.release();
        }
      }),
    withItsState: (work, { waits }) =>
      withSignals(async (stopping) => {
        for (;;) {
          try {
            return await work(stopping);
          } catch (error) {
            if (!waits || !(error instanceof StateRefused)) throw error;
            const { waitForState } = await import("./process/waitForState.ts");
            const back = await waitForState(readOnce(), stopping);
            if (back === undefined) throw error;
            settings = { ...readOnce(), PORT: back.port };
          }
        }
      }),
    async hasDemo(stopping) {
      const { hasDemoAccounts } = await import("../demo/accounts.ts");
      const used = forReading();
      const demoCheck = withState(used, (state) => hasDemoAccounts(new Accounts(state, used.TIERS_FILE)));
      return orStopped(stopping, demoCheck);
    },
    async withAccounts(use, changed) {
      const used = { ...readOnce(), ...changed };
      return withState(used, async (state) => {
        const unknown = await unknownTiers(state.accounts, used.TIERS_FILE);
        if (unknown.length > 0) terminal.err(`opzoek: ${formatUnknownTiers(unknown)}.`);
        const onChange = (change: AccountChange) => terminal.err(changeAsLine(change));
        return use(new Accounts(state, used.TIERS_FILE, { onChange }), state);
      });
    },
    async suppressed() {
      const used = readOnce();
      // A command that only reads must not create a state.
      if (!(await stateParts()).stateExists(used)) return new Set();
      return withState(used, async (state) => {
        const all = await state.suppressed.suppressedCompanies();
        return new Set(all.map(({ kvkNumber }) => kvkNumber));
      });
    },
    withRegistryState: (use) => withState(readOnce(), use),
    cleanLists: (onStep) =>
      withState(readOnce(), async (state) => (await import("./cleanLists.ts")).cleanLists(state, onStep)),
    async rotateSecrets(onSecret) {
      const { sealKeys } = await import("./compose/sealKeys.ts");
      const { rotateSecrets } = await import("../accounts/sealRotation.ts");
      return withState(readOnce(), ({ people }) => rotateSecrets(people, sealKeys(readOnce()), onSecret));
    },
    async withLive(maxCalls, use) {
      const { openSource } = await import("./compose/kvk.ts");
      const used = readOnce();
      return withState(used, async ({ live: store }) => {
        const live = await openSource(used, store, maxCalls);
        if (live === undefined) {
          throw new CommandFailure("This command calls KVK and needs a key: set KVK_API_KEY.");
        }
        try {
          return await use({ ...live, store });
        } finally {
          await live.source.close();
        }
      });
    },
    async upgradeState({ changed, isLogged = false, stopping } = {}) {
      const used = { ...readOnce(), ...changed };
      setExistingTemporaryFolder(used.DATA_DIR);
      const upgrading = (await stateParts()).upgradeState(used);
      const upgrade = await (stopping === undefined ? upgrading : orStopped(stopping, upgrading));
      if (upgrade === undefined || !isLogged) return upgrade;
      const log = (await import("./log/log.ts")).openLog(used);
      log.logger.info(upgrade, `state upgraded from ${upgrade.from} to ${upgrade.to}`);
      await log.flush();
      return upgrade;
    },
    async backUp(folder, onProgress) {
      const { DATA_DIR: dataDir } = forReading();
      const { backupState } = await import("../storage/backup/backupState.ts");
      const { sealKeyPath } = await import("./compose/sealKeys.ts");
      return backupState({ ...onProgress, folder, dataDir, keyFile: sealKeyPath(dataDir) });
    },
    async restore(from, replaces, onProgress) {
      const { DATA_DIR: dataDir } = forWriting();
      const { restoreState } = await import("../storage/backup/restoreState.ts");
      const { sealKeyPath } = await import("./compose/sealKeys.ts");
      return restoreState({ ...onProgress, from, replaces, dataDir, keyFile: sealKeyPath(dataDir) });
    },
    examine: async (onCheck) => (await import("./doctor/examine.ts")).examine(forReading(), onCheck),
    async checkState(onRule) {
      const { checkState } = await import("../storage/checking/checkState.ts");
      return checkState((await stateParts()).locationOf(forReading()), { onRule });
    },
    async moveState(to, onProgress) {
      const { moveState } = await import("../storage/moving/importLines.ts");
      const { withRows } = await stateParts();
      const from = forWriting();
      // Validated like the setting: a misspelt parameter in the address must not send the rows unencrypted.
      const url =
        to === "embedded" ? undefined : checkedSettings({ ...environment, DATABASE_URL: to }).DATABASE_URL;
      const target = { ...from, DATABASE_URL: url };
      return withRows(from, (source) =>
        withRows(target, (copy) => moveState(source, copy, onProgress), { mayBeNew: true }),
      );
    },
    async *exportState() {
      const { exportLines } = await import("../storage/moving/exportLines.ts");
      const state = await (await stateParts()).openRows(readOnce(), { access: "shared" });
      try {
        yield* exportLines(state);
      } finally {
        await state.close();
      }
    },
    async importState(lines, onProgress) {
      const { importLines } = await import("../storage/moving/importLines.ts");
      const { withRows } = await stateParts();
      return withRows(forWriting(), (state) => importLines(lines, state, onProgress), { mayBeNew: true });
    },
    async apiDocument() {
      const { DEFAULT_TIERS } = await import("../contract/tiers.ts");
      const { apiDocument } = await import("../http/apiDocument.ts");
      const { ENDPOINTS } = await import("../http/endpoints/all.ts");
      return apiDocument(ENDPOINTS, { version: programVersion(), tiers: DEFAULT_TIERS });
    },
    async serveMcp(callTool) {
      const { knowingArguments, mcpFacts } = await import("../http/mcp/tools.ts");
      const { serveOverPipes } = await import("../http/mcp/pipes.ts");
      await serveOverPipes(mcpFacts(programVersion()), knowingArguments(callTool));
    },
  };
}
