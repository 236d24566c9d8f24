/** Lists: receives them and processes them in the background. */
import { stateSecret } from "../../accounts/secrets.ts";
import { JOB_OPERATIONS } from "../../contract/jobs.ts";
import { errorOf } from "../../http/endpoints/batch.ts";
import { verdictUnknown } from "../../http/endpoints/validate.ts";
import { listBounds, listLifetimes } from "../../jobs/bounds.ts";
import { Lists } from "../../jobs/lists.ts";
import { type ListLookup, NumberWork } from "../../jobs/numberWork.ts";
import type { Pace } from "../../jobs/pace.ts";
import { SuppressionMark } from "../../jobs/suppressionMark.ts";
import { ListWorker } from "../../jobs/worker.ts";
import type { Meter } from "../../metering/meter.ts";
import type { SharedParts } from "./parts.ts";

/** Errors have the same messages as those of calls. */
const TEXTS = { companyError: errorOf, verdictUnknown };

interface ListParts extends SharedParts {
  readonly lookup: ListLookup;
  /** Answers for test keys. */
  readonly sandbox: ListLookup;
  readonly meter: Meter;
  /** Pauses lists when tokens run out; it is notified of callers' requests. */
  readonly pace: Pace;
}

export function composeLists(parts: ListParts): { readonly lists: Lists; readonly worker: ListWorker } {
  const { settings, state, suppressed, lookup, meter, pace, recorder, failures } = parts;
  const { listOptions = {} } = parts;
  const mark = new SuppressionMark({ store: state.suppressed, suppressed });
  const worker = new ListWorker({
    ...listOptions,
    store: state.jobs,
    meter: { decide: (request) => meter.decideUnawaited(request) },
    work: new NumberWork(lookup, TEXTS),
    testWork: new NumberWork(parts.sandbox, TEXTS, { canChange: false }),
    pace,
    mark,
    onChunkStored: (kind, counts) => recorder?.worked(JOB_OPERATIONS[kind], counts),
    onError: (error) => failures.failed(error, "lists cannot be processed"),
  });
  const lists = new Lists({
    store: state.jobs,
    bounds: { ...listBounds(settings.TIERS_FILE), ...listOptions.bounds },
    lifetimes: listLifetimes(settings.TIERS_FILE),
    pace,
    suppressed,
    mark,
    webhookNetworks: settings.WEBHOOK_NETWORKS,
    serviceSecret: stateSecret(state.people, "webhooks"),
    onListReady: () => worker.nudge(),
  });
  return { lists, worker };
}
