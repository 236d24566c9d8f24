/** Lists: receives them and processes them in the background. */
import { stateSecret } from "../../accounts/secrets.ts";
import { JOB_OPERATIONS } from "../../contract/jobs.ts";
import { errorOf } from "../../http/endpoints/batch.ts";
import { noAnswer } from "../../http/endpoints/delivering.ts";
import { verdictUnknown } from "../../http/endpoints/validate.ts";
import { listBounds, listLifetimes } from "../../jobs/bounds.ts";
import { Lists } from "../../jobs/lists.ts";
import { type ListLookup, NumberWork } from "../../jobs/numberWork.ts";
import type { Pace } from "../../jobs/pace.ts";
import { CANDIDATES_OF_ROW, matchingHere } from "../../jobs/rowMatcher.ts";
import { SuppressionMark } from "../../jobs/suppressionMark.ts";
import { ListWorker } from "../../jobs/worker.ts";
import { NOT_FINDABLE } from "../../lookup/answer.ts";
import type { Lookup } from "../../lookup/lookup.ts";
import type { Meter } from "../../metering/meter.ts";
import { MatchThread } from "../../registry/matching/matchThread.ts";
import type { SharedParts } from "./parts.ts";

/** Errors have the same messages as those of calls. */
const TEXTS = { companyError: errorOf, verdictUnknown, notFindable: () => noAnswer(NOT_FINDABLE) };

interface ListParts extends SharedParts {
  readonly lookup: ListLookup;
  /** Answers for test keys. */
  readonly sandbox: ListLookup & Pick<Lookup, "match">;
  readonly meter: Meter;
  /** Pauses lists when tokens run out; it is notified of callers' requests. */
  readonly pace: Pace;
}

export function composeLists(parts: ListParts) {
  const { settings, state, suppressed, lookup, meter, pace, recorder, failures } = parts;
  const { listOptions = {} } = parts;
  const mark = new SuppressionMark({ store: state.suppressed, suppressed });
  const matchThread = new MatchThread({
    registry: parts.registry,
    hidden: () => suppressed.kvkNumbers,
    limit: CANDIDATES_OF_ROW,
    onError: (error) => failures.failed(error, "rows of a list could not be matched"),
  });
  const worker = new ListWorker({
    ...listOptions,
    store: state.jobs,
    meter: { decide: (request) => meter.decideUnawaited(request) },
    work: new NumberWork(lookup, matchThread, TEXTS),
    testWork: new NumberWork(parts.sandbox, matchingHere(parts.sandbox), TEXTS, { canChange: false }),
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
  const close = async () => {
    await worker.close();
    await matchThread.close();
  };
  return { lists, worker, close };
}
