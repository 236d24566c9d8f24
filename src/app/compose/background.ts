/** The work of a service besides answering calls. Several processes share it by leases in the state. */
import type { Mailer } from "../../accounts/mails.ts";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Log } from "../log/log.ts";
import type { Settings } from "../settings/settings.ts";
import { composeAccountUpkeep, composeAllowanceNotices, composeMailer, composeOutbox } from "./account.ts";
import { composeListBackground, type ListOptions } from "./jobs.ts";
import { tellAhead } from "./metering.ts";

export interface Background {
  /** Puts mails into the state; undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  /** Begins. Rolled keys whose time ended while no process ran make room before the first call. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface BackgroundParts {
  readonly state: StateStore;
  readonly suppressed: SuppressionList;
  readonly logger: Log["logger"];
  readonly now: () => number;
  /** Called with failures of the account page's parts. */
  readonly onAccountError: (error: unknown) => void;
  /** Called with failures of lists. */
  readonly onListError: (error: unknown) => void;
  readonly lookAtAllowancesEveryMs?: number | undefined;
  readonly listOptions?: ListOptions | undefined;
}

/** Builds it; nothing begins before `start`. */
export async function composeBackground(settings: Settings, parts: BackgroundParts): Promise<Background> {
  const { state, suppressed, logger, now, onAccountError, lookAtAllowancesEveryMs } = parts;
  const outbox = await composeOutbox(settings, state.people, logger);
  const mailer = composeMailer(outbox, state.people, logger);
  const notices = composeAllowanceNotices(settings, mailer, state.people, {
    onError: onAccountError,
    ...(lookAtAllowancesEveryMs !== undefined && { lookEveryMs: lookAtAllowancesEveryMs }),
  });
  const upkeep = composeAccountUpkeep(settings, state, now, onAccountError);
  const lists = await composeListBackground(settings, {
    state,
    suppressed,
    logger,
    onError: parts.onListError,
    options: parts.listOptions,
  });
  return {
    mailer,
    async start() {
      await tellAhead(state.ledger, logger);
      await upkeep.start();
      outbox?.start();
      await lists.start();
      void notices?.look();
    },
    async close() {
      const closeMails = async () => {
        await notices?.close();
        await outbox?.close();
      };
      // Concurrently: each may wait for a state that does not answer.
      await Promise.all([upkeep.stop(), lists.close(), closeMails()]);
    },
  };
}
