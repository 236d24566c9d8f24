/** Lists that are worked off: what takes and works them in each thread that answers calls, and what there is one of in a service. */
import { randomBytes } from "node:crypto";
import { JOB_OPERATIONS } from "../../contract/jobs.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { errorOf } from "../../http/endpoints/batch.ts";
import { verdictUnknown } from "../../http/endpoints/validate.ts";
import { listBounds, listLifetimes } from "../../jobs/bounds.ts";
import { Lists } from "../../jobs/lists.ts";
import { ListUpkeep } from "../../jobs/listUpkeep.ts";
import { type ListLookup, NumberWork } from "../../jobs/numberWork.ts";
import { Pace, type PaceMemory } from "../../jobs/pace.ts";
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
  /** What all threads know of callers and lists. */
  readonly pace: PaceMemory;
  readonly recorder?: Recorder | undefined;
  readonly onError: (error: unknown) => void;
  readonly options?: ListOptions | undefined;
}

/** What takes lists and works them in one thread. */
export function composeLists(settings: Settings, parts: ListParts): ComposedLists {
  const { state, suppressed, lookup, meter, recorder, onError, options = {} } = parts;
  const mark = new SuppressionMark({ store: state.suppressed, suppressed });
  const { tryAgainAfterMs, lookAgainMs, lookEveryMs } = options;
  const pace = new Pace({ memory: parts.pace });
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

export interface ListHouse {
  start(): Promise<void>;
  close(): Promise<void>;
}

interface ListHouseParts {
  readonly state: StateStore;
  readonly suppressed: MarkedSuppression;
  readonly logger: Log["logger"];
  readonly onError: (error: unknown) => void;
  readonly options?: ListOptions | undefined;
}

/** What there is one of: messages about the ends of lists, and what keeps their results in order. */
export async function composeListHouse(settings: Settings, parts: ListHouseParts): Promise<ListHouse> {
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
