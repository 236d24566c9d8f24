/** What there is one of in a service, however many threads answer its calls. */
import type { AllowanceNotices } from "../../accounts/allowanceNotices.ts";
import { hashingTurns } from "../../accounts/passwords.ts";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import { LeftOutCounts } from "../../metering/leftOutCalls.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import { Desk } from "../house/desk.ts";
import { type House, NOBODY_ELSE, newLimits } from "../house/house.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";
import {
  composeAccountUpkeep,
  composeAllowanceNotices,
  composeMailOrders,
  composeOutbox,
} from "./account.ts";
import { composeListHouse, type ListOptions } from "./jobs.ts";
import { openLiveSource } from "./lookup.ts";
import { tellAhead } from "./metering.ts";
import { composeVies } from "./vies.ts";

export interface OwnHouse extends House {
  /** Serves the threads that ask over ports, where there are any; to be closed when they have ended. */
  readonly desk: Desk;
  /** Begins what it does beside the calls. Rolled keys whose time ended while nothing ran make room before the first call. */
  start(): Promise<void>;
  /** Asks VIES and KVK no more: who waits for them is told what is held. */
  closeUpstreams(): Promise<void>;
  close(): Promise<void>;
}

export interface HouseParts {
  readonly state: StateStore;
  readonly suppressed: SuppressionList;
  readonly logger: Log["logger"];
  readonly now: () => number;
  /** Told of what failed for the account page. */
  readonly onAccountError: (error: unknown) => void;
  /** Told of what failed for lists. */
  readonly onListError: (error: unknown) => void;
  readonly lookAtAllowancesEveryMs?: number | undefined;
  readonly listOptions?: ListOptions | undefined;
  /** Where the thread counts, where metrics are wanted. */
  readonly recorder?: Recorder | undefined;
}

/** Builds it; it begins nothing by itself. @throws {BadKvkAccess} when KVK's key or certificates cannot be used */
export async function composeHouse(settings: Settings, parts: HouseParts): Promise<OwnHouse> {
  const { state, suppressed, logger, now, onAccountError, lookAtAllowancesEveryMs, recorder } = parts;
  const live = await openLiveSource(settings, state, suppressed, logger, recorder);
  const vies = composeVies(settings, state.verdicts, logger, { suppressed, now, recorder });
  const outbox = await composeOutbox(settings, state.people, logger);
  const mailer = composeMailOrders(outbox, state.people, logger);
  const notices: AllowanceNotices | undefined = composeAllowanceNotices(settings, mailer, state.people, {
    onError: onAccountError,
    ...(lookAtAllowancesEveryMs !== undefined && { lookEveryMs: lookAtAllowancesEveryMs }),
  });
  const upkeep = composeAccountUpkeep(settings, state, now, onAccountError);
  const lists = await composeListHouse(settings, {
    state,
    suppressed,
    logger,
    onError: parts.onListError,
    options: parts.listOptions,
  });
  const closeUpstreams = async () => {
    await Promise.all([vies.close(), live?.close()]);
  };
  const leftOut = new LeftOutCounts();
  const house: House = {
    vies,
    live,
    mails: outbox,
    suppressed,
    limits: newLimits(),
    hashing: hashingTurns(),
    keys: NOBODY_ELSE,
    leftOut,
  };
  return {
    ...house,
    desk: new Desk({ house, suppressed, leftOut }),
    async start() {
      await tellAhead(state.ledger, logger);
      await upkeep.start();
      outbox?.start();
      await lists.start();
      void notices?.look();
    },
    closeUpstreams,
    async close() {
      const closeMails = async () => {
        await notices?.close();
        await outbox?.close();
      };
      // Each may wait for a state that does not answer: one behind the other they would take longer than an end may.
      await Promise.all([upkeep.stop(), lists.close(), vies.history.close(), closeMails()]);
      await closeUpstreams();
    },
  };
}
