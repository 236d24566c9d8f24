/** The app that answers calls, with its meter, keys, lookups and the account page. */
import { randomBytes } from "node:crypto";
import { BrowserTokens } from "../../accounts/browserTokens.ts";
import type { Mailer } from "../../accounts/mail/mailer.ts";
import { isPageView } from "../../contract/pageKey.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { BROWSER_CALLS_PER_MINUTE } from "../../contract/tokenForm.ts";
import { buildApp } from "../../http/app.ts";
import { EntityTags } from "../../http/conditional.ts";
import { Downloads } from "../../http/downloads.ts";
import { Pace } from "../../jobs/pace.ts";
import { MinuteLimiter } from "../../lib/minuteLimiter.ts";
import { openSandbox } from "../../lookup/sandbox/sandbox.ts";
import { BrowserSightings } from "../../metering/browserSightings.ts";
import { FailedCalls } from "../../metering/failedCalls.ts";
import { Keyring } from "../../metering/keyring.ts";
import { Meter } from "../../metering/meter.ts";
import { RecentCalls } from "../../metering/recentCalls.ts";
import { Tickets } from "../../metering/tickets.ts";
import { healthCheck, readinessCheck, stateProbe } from "../health.ts";
import { PAGE_FOLDER, programVersion } from "../release.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { composeAccount } from "./account.ts";
import { composeLists } from "./jobs.ts";
import { composeLookup } from "./lookup.ts";
import { composeMonitors } from "./monitors.ts";
import type { SharedParts } from "./parts.ts";
import type { Upstreams } from "./upstreams.ts";

/**
 * Concurrent batches of charges at the store. The embedded state takes a second batch if that is large enough to
 * justify its own sync. PostgreSQL decides batches of different accounts side by side, on as many connections as there
 * are for batches.
 */
const BATCHES = {
  embedded: { batchesAtOnce: 2, minBatchSize: 32 },
  database: { batchesAtOnce: 4, minBatchSize: 16, fillsBatches: true },
} as const;

export interface ServedParts extends SharedParts {
  readonly upstreams: Upstreams;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly tracing: Tracing | undefined;
}

export type ComposedApp = Awaited<ReturnType<typeof composeApp>>;

/** Builds the app without listening. Closing the app closes all of it except the meter. */
export async function composeApp(parts: ServedParts) {
  const { settings, state, suppressed, logger, failures, now, recorder, tracing } = parts;
  const { calls } = state;
  const tags = new EntityTags(() => state.people.secret("entity tags", randomBytes(32).toString("hex")));
  const tagsLoaded = tags.load();
  const keyring = new Keyring(state.metering);
  const pace = new Pace();
  const meter = new Meter(tracing?.batches(state.metering) ?? state.metering, {
    ...(settings.DATABASE_URL === undefined ? BATCHES.embedded : BATCHES.database),
    onCallerRequest: (request) => tracing?.chargeRequested(request),
    onCaller: () => pace.recordRequest(),
    onBatch: (requests, tookMs) => recorder?.batch(requests, tookMs),
    onClockCorrected: (aheadMs) =>
      logger.warn(
        { aheadSeconds: Math.round(aheadMs / 1_000) },
        "calls were counted while the clock was ahead: each key and account is corrected by its next call",
      ),
  });
  const isBusy = () => meter.isBusy;
  const recent =
    settings.RECENT_CALLS === "on"
      ? new RecentCalls({
          store: calls,
          isBusy,
          onSkipped: (count) =>
            logger.warn(
              { calls: count },
              "recent calls were not recorded: there are too many, or the state is busy",
            ),
        })
      : undefined;
  const failed = new FailedCalls({ store: calls, isBusy });
  const sightings = new BrowserSightings({ store: calls, isBusy });
  const tokens = new BrowserTokens(state.people, now);
  const account = composeAccount({
    ...parts,
    keyring,
    calls: {
      store: calls,
      isOn: recent !== undefined,
      leftOut: (accountId) => recent?.skippedOf(accountId) ?? 0,
    },
  });
  const { lookup, finder, companies } = composeLookup(parts);
  const sandbox = openSandbox();
  const { monitors, testMonitors, worker: monitorWorker } = composeMonitors({ ...parts, meter, companies });
  const {
    lists,
    worker,
    close: closeLists,
  } = composeLists({
    ...parts,
    sandbox,
    lookup,
    monitors,
    testMonitors,
    meter,
    pace,
  });
  const isWritable = stateProbe(state);
  let isDraining = false;
  const readiness = readinessCheck({
    isWritable,
    companies,
    needsSearch: settings.READY_WITHOUT_SEARCH === "off",
    isDraining: () => isDraining,
  });
  const health = healthCheck({
    companies,
    isWritable,
    upstreams: parts.upstreams.all,
    ...(parts.isBehind && { isBehind: parts.isBehind }),
  });
  await tagsLoaded;
  const app = await buildApp({
    tags,
    services: {
      lookup,
      finder,
      suppressed,
      lists,
      monitors,
      ledger: state.ledger,
      testLedger: state.testLedger,
      tiers: settings.TIERS_FILE,
      tokens,
      downloads: new Downloads(freeTiers(settings.TIERS_FILE)),
      health,
    },
    sandbox: { ...sandbox, ledger: state.testLedger, monitors: testMonitors },
    account,
    pageFolder: parts.pageFolder ?? PAGE_FOLDER,
    tickets: new Tickets(),
    meter,
    keyring,
    limiter: new MinuteLimiter(settings.KEYLESS_PER_MINUTE, now),
    browserLimiter: new MinuteLimiter(BROWSER_CALLS_PER_MINUTE, now),
    tokens,
    sightings,
    trustProxy: settings.TRUST_PROXY,
    unreadTimes: parts.unreadTimes,
    bodyTimes: parts.bodyTimes,
    publicUrl: settings.PUBLIC_URL,
    version: programVersion(),
    readiness,
    onAnswered: (answered) => {
      logger.info(answered);
      recorder?.answered(answered);
    },
    onCall: (accountId, call) => {
      if (!isPageView(call.keyId, call.operation)) recent?.record(accountId, call);
      if (call.isTest) return;
      recorder?.called(call.operation, call.code, call.tokens);
      failed.record(call);
    },
    now,
    onAborted: (aborted) => {
      logger.debug(aborted, "a client disconnected before the response");
      recorder?.aborted.inc();
    },
    onError: (error, requestId, route) => failures.callFailed(error, requestId, route),
    tracer: tracing,
  });
  app.addHook("onReady", async () => {
    worker.nudge();
    monitorWorker.nudge();
  });
  // Together with the running calls: processed numbers and events are stored before the meter closes.
  app.addHook("preClose", async () => {
    await Promise.all([closeLists(), monitorWorker.close()]);
  });
  app.addHook("onClose", async () => {
    // Concurrently, because each may wait for an unresponsive state store.
    await Promise.all([recent?.close(), failed.close(), sightings.close(), tracing?.close()]);
  });
  return {
    app,
    meter,
    monitors,
    health,
    readiness,
    /** Makes `/readyz` report that calls should go elsewhere. */
    announceDraining() {
      isDraining = true;
    },
  };
}
