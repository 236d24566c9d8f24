/** Opens what commands work on, and closes it again. Modules that only some commands need are imported on use. */

import { existsSync } from "node:fs";
import { Accounts } from "../accounts/accounts.ts";
import { type AccountChange, CHANGED } from "../accounts/changes.ts";
import { stateExists, withState } from "../app/compose/state.ts";
import type { Settings } from "../app/settings/settings.ts";
import type { StateStore } from "../app/state/stateStore.ts";
import { formatUnknownTiers, unknownTiers } from "../app/unknownTiers.ts";
import type { LimitedCalls } from "../kvk/budget/callBudget.ts";
import type { LiveSource } from "../kvk/liveSource.ts";
import type { LiveQueries } from "../kvk/queries/live.ts";
import { userName } from "../lib/readable.ts";
import { type CliContext, CommandFailure } from "./command.ts";

/** The live source and its stored answers. */
export interface LiveParts {
  readonly source: LiveSource;
  readonly store: LiveQueries;
  /** Its paid calls. */
  readonly calls: Pick<LimitedCalls, "made" | "isOver">;
}

/** The settings of a command that only reads: a missing DATA_DIR, whose name may be misspelt, is not created. */
export function settingsForReading(context: CliContext): Settings {
  const settings = context.settings();
  if (existsSync(settings.DATA_DIR)) context.setTemporaryFolder(settings.DATA_DIR);
  return settings;
}

/** The settings of a command that writes to DATA_DIR. */
export function settingsForWriting(context: CliContext): Settings {
  const settings = context.settings();
  context.setTemporaryFolder(settings.DATA_DIR);
  return settings;
}

/** Opens the state for `use`. Reports tiers that the settings lack, and changes of accounts, on stderr. */
export async function withAccounts<T>(
  context: CliContext,
  use: (accounts: Accounts, state: StateStore) => Promise<T>,
  settings = context.settings(),
): Promise<T> {
  return withState(settings, async (state) => {
    const unknown = await unknownTiers(state.accounts, settings.TIERS_FILE);
    if (unknown.length > 0) context.err(`opzoek: ${formatUnknownTiers(unknown)}.`);
    const onChange = (change: AccountChange) => context.err(changeAsLine(change));
    return use(new Accounts(state, settings.TIERS_FILE, { onChange }), state);
  });
}

/** Returns a line in the format of the service's log, for stderr: commands do not write to that log. */
function changeAsLine(change: AccountChange): string {
  const by = `${change.by} ${userName()}`.trimEnd();
  return JSON.stringify({ time: Date.now(), ...change, by, msg: CHANGED });
}

/**
 * KVK numbers on the suppression list; empty if there is no state yet, which a command that only reads must not create.
 */
export async function suppressedNumbers(context: CliContext): Promise<ReadonlySet<string>> {
  const settings = context.settings();
  if (!stateExists(settings)) return new Set();
  return withState(settings, async ({ suppressed }) => {
    const all = await suppressed.suppressedCompanies();
    return new Set(all.map(({ kvkNumber }) => kvkNumber));
  });
}

/** Opens the live source, limited to `maxCalls` paid calls. @throws {CommandFailure} if none is configured */
export async function withLive<T>(
  context: CliContext,
  maxCalls: number,
  use: (live: LiveParts) => Promise<T>,
): Promise<T> {
  const { openLiveSource } = await import("../app/compose/kvk.ts");
  const settings = context.settings();
  return withState(settings, async ({ live: store }) => {
    const live = await openLiveSource(settings, store, maxCalls);
    if (live === undefined) {
      throw new CommandFailure("This command calls KVK and needs a key: set KVK_API_KEY.");
    }
    try {
      return await use({ ...live, store });
    } finally {
      await live.source.close();
    }
  });
}
