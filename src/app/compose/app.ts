/** The app that answers calls, with its meter, keys, lookups and the account page. */
import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { BrowserTokens } from "../../accounts/browserTokens.ts";
import { CHANGED } from "../../accounts/changes.ts";
import type { Mailer } from "../../accounts/mails.ts";
import { Passwords } from "../../accounts/passwords.ts";
import { BROWSER_CALLS_PER_MINUTE } from "../../contract/browserRules.ts";
import { freeTiers } from "../../contract/tiers.ts";
import { buildApp } from "../../http/app.ts";
import { EntityTags } from "../../http/conditional.ts";
import { Downloads } from "../../http/downloads.ts";
import { mcpFacts } from "../../http/mcp/tools.ts";
import { MinuteLimiter } from "../../http/minuteLimiter.ts";
import { Tickets } from "../../http/tickets.ts";
import type { UnreadTimes } from "../../http/unreadAnswers.ts";
import { CallerCount } from "../../jobs/pace.ts";
import type { SuppressionList } from "../../lookup/suppression/suppressionList.ts";
import { McpThread } from "../../mcp/mcpThread.ts";
import { Keyring } from "../../metering/keyring.ts";
import { LeftOutCalls } from "../../metering/leftOutCalls.ts";
import type { Meter } from "../../metering/meter.ts";
import { Sandbox } from "../../sandbox/sandbox.ts";
import { readPointer } from "../../snapshot/directory.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import type { Registry } from "../../snapshot/types.ts";
import type { StateStore } from "../../storage/stateStore.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import { healthCheck } from "../health.ts";
import type { FailureLog } from "../log/failureLog.ts";
import type { Log } from "../log/log.ts";
import type { Recorder } from "../metrics/recorder.ts";
import { readinessCheck } from "../readiness.ts";
import { PAGE_FOLDER } from "../release.ts";
import type { Settings } from "../settings/settings.ts";
import { StateProbe } from "../stateProbe.ts";
import { programVersion } from "../version.ts";
import { composeAccount } from "./account.ts";
import { composeLists, type ListOptions } from "./jobs.ts";
import { composeHeldLive, paidCallsToday } from "./live.ts";
import { composeLookup } from "./lookup.ts";
import { composeFailedCalls, composeMeter, composeRecentCalls, composeSightings } from "./metering.ts";
import type { Upstreams } from "./tracing.ts";
import { composeVerdicts } from "./vies.ts";

export interface AppParts {
  /** Watched by `failures`. */
  readonly state: StateStore;
  readonly registry: Registry;
  readonly upstreams: Upstreams;
  readonly suppressed: SuppressionList;
  /** Undefined without a mail server. */
  readonly mailer: Mailer | undefined;
  readonly tracing: Tracing | undefined;
  readonly logger: Log["logger"];
  readonly failures: FailureLog;
  /** Called with failures of the account page's parts. */
  readonly onAccountError: (error: unknown) => void;
  /** Whether the registry may be out of date, because what is published cannot be fetched. */
  readonly isBehind?: (() => boolean) | undefined;
  /** The clock of people and sessions; tests set it. */
  readonly now: () => number;
  /** Hashes passwords; tests bring a cheaper one. */
  readonly passwords?: Passwords | undefined;
  /** The built account page; tests bring their own. */
  readonly pageFolder?: string | undefined;
  /** Counts for the metrics, when they are wanted. */
  readonly recorder?: Recorder | undefined;
  /** Options of lists that tests set. */
  readonly listOptions?: ListOptions | undefined;
  /** When connections whose answers are not read are cut; tests wait less. */
  readonly unreadTimes?: UnreadTimes | undefined;
}

export interface ComposedApp {
  readonly app: FastifyInstance;
  readonly meter: Meter;
  /** From now on `/readyz` says that calls should go elsewhere. */
  announceDraining(): void;
}

/** Builds the app; nothing listens yet. Closing the app closes all of it but the meter. */
export async function composeApp(settings: Settings, parts: AppParts): Promise<ComposedApp> {
  const { state, registry, logger, failures, isBehind, now, onAccountError, recorder, tracing } = parts;
  const { vies, live } = parts.upstreams;
  const { suppressed, mailer } = parts;
  const tags = new EntityTags(() => state.people.secret("entity tags", randomBytes(32).toString("hex")));
  const tagsLoaded = tags.load();
  const keyring = new Keyring(state.metering);
  const callers = new CallerCount();
  const meter = composeMeter(settings, tracing?.batches(state.metering) ?? state.metering, logger, {
    tracing,
    recorder,
    onCaller: () => callers.asked(),
  });
  const leftOut = new LeftOutCalls();
  const recent = composeRecentCalls(settings, state.calls, { meter, leftOut, logger });
  const failed = composeFailedCalls(state.calls, meter);
  const sightings = composeSightings(state.calls, meter);
  const tokens = new BrowserTokens(state.people, now);
  const account = composeAccount(settings, {
    state,
    mailer,
    now,
    passwords: parts.passwords ?? new Passwords(),
    breakers: () => [...vies.shown(), ...(live?.breakers() ?? [])],
    paidCalls: async () => live && paidCallsToday(settings, state.live),
    snapshotBefore: () => readPointer(registryDirectory(settings.DATA_DIR))?.previous,
    viesDay: () => vies.day(),
    onChange: (change) => logger.info(change, CHANGED),
    onKeysEnded: (keyIds) => keyring.forgetAll(keyIds),
    calls: {
      store: state.calls,
      isOn: recent !== undefined,
      leftOut: (accountId) => leftOut.of(accountId),
    },
    onKeyChanged: (keyId) => keyring.changed(keyId),
    onError: onAccountError,
  });
  const { lookup, companies } = composeLookup(settings, {
    registry,
    suppressed,
    live: live && composeHeldLive(settings, state.live, live),
    verdicts: composeVerdicts(settings, state.verdicts, vies.flights),
    recorder,
  });
  const sandbox = new Sandbox();
  const { lists, worker } = composeLists(settings, {
    sandbox,
    state,
    suppressed,
    lookup,
    meter,
    callers,
    recorder,
    onError: (error) => failures.failed(error, "lists cannot be worked on"),
    options: parts.listOptions,
  });
  const probe = new StateProbe(state);
  let isDraining = false;
  const readiness = readinessCheck({
    state: probe,
    hasSource: () => companies.hasSource,
    isDraining: () => isDraining,
  });
  const mcp = new McpThread(() => mcpFacts(programVersion()));
  await tagsLoaded;
  const app = await buildApp({
    tags,
    mcp,
    services: {
      lookup,
      suppressed,
      lists,
      ledger: state.ledger,
      testLedger: state.testLedger,
      tiers: settings.TIERS_FILE,
      tokens,
      downloads: new Downloads(freeTiers(settings.TIERS_FILE)),
      health: healthCheck({
        companies,
        state: probe,
        askVies: () => vies.health(),
        ...(isBehind && { isBehind }),
      }),
    },
    sandbox: { lookup: sandbox, ledger: state.testLedger },
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
    publicUrl: settings.PUBLIC_URL,
    version: programVersion(),
    readiness,
    onAnswered: (answered) => {
      logger.info(answered);
      recorder?.answered(answered);
    },
    onCall: (accountId, call) => {
      recent?.note(accountId, call);
      if (call.isTest) return;
      recorder?.called(call.operation, call.code, call.tokens);
      failed.note(call);
    },
    now,
    onAborted: (aborted) => {
      logger.debug(aborted, "a caller hung up before the answer");
      recorder?.aborted();
    },
    onError: (error, requestId, route) => failures.callFailed(error, requestId, route),
    tracer: tracing,
  });
  app.addHook("onReady", async () => worker.start());
  // Together with the calls under way: numbers already worked are stored before the meter is closed.
  app.addHook("preClose", () => worker.close());
  app.addHook("onClose", async () => {
    await mcp.close();
    // Concurrently: each may wait for a state that does not answer.
    await Promise.all([recent?.close(), failed.close(), sightings.close(), tracing?.close()]);
  });
  const announceDraining = () => {
    isDraining = true;
  };
  return { app, meter, announceDraining };
}
