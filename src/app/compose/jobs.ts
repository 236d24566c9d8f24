/** Lists: receiving them, working them in the background, their webhooks and the upkeep of their results. */
import { randomBytes } from "node:crypto";
import { JOB_OPERATIONS } from "../../contract/jobs.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { errorOf } from "../../http/endpoints/batch.ts";
import { verdictUnknown } from "../../http/endpoints/validate.ts";
import { listBounds, listLifetimes } from "../../jobs/bounds.ts";
import { Lists } from "../../jobs/lists.ts";
import { ListUpkeep } from "../../jobs/listUpkeep.ts";
import { type ListLookup, NumberWork } from "../../jobs/numberWork.ts";
import { type CallerCount, Pace } from "../../jobs/pace.ts";
import type { ListBounds } from "../../jobs/store.ts";
import { SuppressionMark } from "../../jobs/suppressionMark.ts";
import { ListTurn } from "../../jobs/turn.ts";
import { MessageOutbox } from "../../jobs/webhooks/outbox.ts";
import { ListWorker } from "../../jobs/worker.ts";
import type { MarkedSuppression } from "../../lookup/suppression/suppressed.ts";
import type { Meter } from "../../metering/meter.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import type { Settings } from "../settings/settings.ts";

/** Errors are told as calls tell them. */
const TEXTS = { companyError: errorOf, verdictUnknown };

/** Options of lists that tests set. */
export interface ListOptions {
  readonly tryAgainAfterMs?: readonly number[];
  readonly lookAgainMs?: number;
  readonly webhookAgainAfterMs?: readonly number[];
  readonly lookEveryMs?: number;
  /** Smaller bounds than those of a real service. */
  readonly bounds?: Partial<ListBounds>;
  /** DNS servers for the hosts of webhooks; the system's when left out. */
  readonly nameServers?: readonly string[];
}

export interface ComposedLists {
  readonly lists: Lists;
  readonly worker: ListWorker;
}

interface ListParts {
  readonly state: StateStore;
  readonly suppressed: MarkedSuppression;
  readonly lookup: ListLookup;
  /** What answers test keys. */
  readonly sandbox: ListLookup;
  readonly meter: Meter;
  /** Counts the requests of callers, before which lists step back. */
  readonly callers: CallerCount;
  readonly recorder?: Recorder | undefined;
  readonly onError: (error: unknown) => void;
  readonly options?: ListOptions | undefined;
}

/** Receives lists and works them. */
export function composeLists(settings: Settings, parts: ListParts): ComposedLists {
  const { state, suppressed, lookup, meter, recorder, onError, options = {} } = parts;
  const mark = new SuppressionMark({ store: state.suppressed, suppressed });
  const { tryAgainAfterMs, lookAgainMs, lookEveryMs } = options;
  const pace = new Pace({ callers: parts.callers });
  const turn = new ListTurn({
    store: state.jobs,
    meter: { decide: (request) => meter.decideUnawaited(request) },
    work: new NumberWork(lookup, TEXTS),
    testWork: new NumberWork(parts.sandbox, TEXTS, { hasLater: false }),
    pace,
    mark,
    ...(recorder && { onWorked: (kind, worked) => recorder.worked(JOB_OPERATIONS[kind], worked) }),
    ...(tryAgainAfterMs && { tryAgainAfterMs }),
    ...(lookAgainMs !== undefined && { lookAgainMs }),
  });
  const worker = new ListWorker({
    store: state.jobs,
    turn,
    onError,
    ...(lookEveryMs !== undefined && { lookEveryMs }),
  });
  const lists = new Lists({
    store: state.jobs,
    bounds: { ...listBounds(settings.TIERS_FILE), ...options.bounds },
    lifetimes: listLifetimes(settings.TIERS_FILE),
    pace,
    suppressed,
    mark,
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    serviceSecret: serviceSecretIn(state),
    onBegun: () => worker.nudge(),
  });
  return { lists, worker };
}

export interface ListBackground {
  start(): Promise<void>;
  close(): Promise<void>;
}

interface ListBackgroundParts {
  readonly state: StateStore;
  readonly suppressed: MarkedSuppression;
  readonly logger: Log["logger"];
  readonly onError: (error: unknown) => void;
  readonly options?: ListOptions | undefined;
}

/** Sends messages about lists that have ended, and keeps their results in order. Several processes share the work by leases in the state. */
export async function composeListBackground(
  settings: Settings,
  parts: ListBackgroundParts,
): Promise<ListBackground> {
  const { state, suppressed, logger, onError, options = {} } = parts;
  const { openMessagePost } = await import("../../jobs/webhooks/post.ts");
  const outbox = new MessageOutbox({
    store: state.jobs,
    freeTiers: freeTiers(settings.TIERS_FILE),
    post: openMessagePost(settings.WEBHOOK_NETWORKS, { nameServers: options.nameServers }),
    serviceSecret: serviceSecretIn(state),
    onLost: (accountId, reason) =>
      logger.warn(
        { accountId, reason },
        "the end of a list was not told: its webhook did not take it for a day",
      ),
    onError,
    ...(options.webhookAgainAfterMs && { tryAgainAfterMs: options.webhookAgainAfterMs }),
    ...(options.lookEveryMs !== undefined && { lookEveryMs: options.lookEveryMs }),
  });
  const upkeep = new ListUpkeep({
    store: state.jobs,
    sweepDeleted: state.people.sweepDeleted,
    suppressed,
    mark: new SuppressionMark({ store: state.suppressed, suppressed }),
    lifetimes: listLifetimes(settings.TIERS_FILE),
    onError,
    ...(options.lookEveryMs !== undefined && { lookEveryMs: options.lookEveryMs }),
  });
  return {
    async start() {
      // Nobody else can hold a list of an embedded state: a process that was killed left it held.
      if (settings.DATABASE_URL === undefined) await state.jobs.freeLists();
      outbox.start();
      upkeep.start();
    },
    async close() {
      await Promise.all([outbox.close(), upkeep.close()]);
    },
  };
}

/** Read once; made by whoever needs it first. */
function serviceSecretIn({ people }: Pick<StateStore, "people">): () => Promise<string> {
  let known: Promise<string> | undefined;
  return () => {
    known ??= people.secret("webhooks", randomBytes(32).toString("hex")).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
