/** Lists: receives them and processes them in the background. */
import { stateSecret } from "../../accounts/secrets.ts";
import { JOB_OPERATIONS } from "../../contract/jobs.ts";
import { listBounds, listLifetimes } from "../../jobs/bounds.ts";
import { Lists } from "../../jobs/lists.ts";
import type { ListServices } from "../../jobs/listWork.ts";
import type { Pace } from "../../jobs/pace.ts";
import { CANDIDATES_OF_ROW, matchingHere } from "../../jobs/rowMatcher.ts";
import { SuppressionMark } from "../../jobs/suppressionMark.ts";
import { ListWorker } from "../../jobs/worker.ts";
import type { Finders } from "../../lookup/finding.ts";
import { MatchThread } from "../../match/thread/matchThread.ts";
import type { Meter } from "../../metering/meter.ts";
import type { SharedParts } from "./parts.ts";

interface ListParts extends SharedParts {
  readonly lookup: ListServices["lookup"];
  /** Answers for test keys. */
  readonly sandbox: { readonly lookup: ListServices["lookup"]; readonly finder: Pick<Finders, "match"> };
  readonly monitors: ListServices["monitors"];
  readonly testMonitors: ListServices["monitors"];
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
    services: { lookup, rows: matchThread, monitors: parts.monitors, canChange: true },
    testServices: {
      lookup: parts.sandbox.lookup,
      rows: matchingHere(parts.sandbox.finder),
      monitors: parts.testMonitors,
      canChange: false,
    },
    pace,
    mark,
    onChunkStored: (kind, counts) => recorder?.worked(JOB_OPERATIONS[kind], counts),
    onError: (error) => failures.failed(error, "lists cannot be processed"),
  });
  const lists = new Lists({
    store: state.jobs,
    webhooks: state.webhooks,
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
