/** The court's insolvency register. Loaded only if it is set. */
import { setTimeout as pause } from "node:timers/promises";
import type { Condition } from "../../contract/health.ts";
import { CourtClient, type CourtClientOptions } from "../../insolvency/court/client.ts";
import { COURT_LEASE_MS, COURT_TURN, DailyRun, STEP_MS } from "../../insolvency/dailyRun.ts";
import { CourtLoading } from "../../insolvency/loading.ts";
import { CourtReplica } from "../../insolvency/replica.ts";
import { isWhole, momentMs } from "../../insolvency/rules.ts";
import { dutchDay } from "../../kvk/budget/dutchDay.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import { TurnLoop } from "../../lib/turns.ts";
import type { Settings } from "../settings/settings.ts";
import type { StateStore } from "../state/stateStore.ts";
import type { SharedParts, Upstream } from "./parts.ts";

/** Calls for cases: four a second. */
const PACE_MS = 250;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_JITTER_MS = 30 * 60_000;
const MAX_AGE_MS = 3 * DAY_MS;
/** The lease of the command that loads is short, so that it can continue soon after a kill. */
const COMMAND_LEASE_MS = 60_000;
const RENEW_EVERY_MS = 20_000;
const MAX_COMMAND_FAILURES = 3;
const COMMAND_PAUSE_MS = 2_000;

function courtOf(settings: Settings, listeners: Omit<CourtClientOptions, "access"> = {}): CourtClient {
  const { CIR_USER: user = "", CIR_PASSWORD: password = "", CIR_URL: url, CIR_CA } = settings;
  return new CourtClient({ ...listeners, access: { url, user, password, extraCertificates: CIR_CA } });
}

/** Builds it without starting the daily run. Reads the cases first. */
export async function composeInsolvency(parts: SharedParts) {
  const { settings, state, suppressed, logger, recorder, failures, now } = parts;
  const codes = new Set<string>();
  const client = courtOf(settings, {
    onChange: (isOpen, reason) =>
      isOpen
        ? logger.warn({ reason }, "the court's register does not answer: calls are paused")
        : logger.info("the court's register answers again"),
    onTried: (operation, outcome) => recorder?.courtCalls.inc({ operation, outcome }),
    onUnknownCode: (code) => {
      recorder?.courtUnknownCodes.inc();
      if (codes.has(code)) return;
      codes.add(code);
      logger.warn({ code }, "the court published a code that this program does not know; it changes nothing");
    },
  });
  const cases = new CourtReplica({
    store: state.court,
    suppressed,
    now,
    onError: (error) => failures.failed(error, "the cases of the court's register cannot be read"),
  });
  await cases.follow();
  const loading = new CourtLoading({
    court: client,
    store: state.court,
    paceMs: PACE_MS,
    now,
    onHeld: (held) => logger.warn({ held }, HELD),
  });
  const work = new DailyRun({
    loading,
    nextRunMs: (nowMs) => nextRunMs(settings.CIR_TIME, nowMs) + Math.floor(Math.random() * MAX_JITTER_MS),
    onFailed: (reason) =>
      logger.warn({ reason }, "the court's register could not be updated: trying again later"),
    onEmpty: () => logger.warn(NEVER_LOADED),
    now,
  });
  const loop = new TurnLoop({
    name: COURT_TURN,
    everyMs: 0,
    leaseMs: COURT_LEASE_MS,
    store: state.turns,
    work,
    onError: (error) => failures.failed(error, "the court's register cannot be updated"),
  });
  return {
    metricsName: "court",
    health: { courtRegister: () => conditionOf(cases, client, now()) },
    breakers: () => [client.shown],
    loops: [loop],
    cases,
    async close() {
      cases.close();
      await client.close();
    },
  } satisfies Upstream & Record<string, unknown>;
}

const HELD =
  'the court removed so many cases that they are hidden, but not deleted: check the register, then run "opzoek import insolvencies --allow-removals"';
const NEVER_LOADED = 'the court\'s register is not loaded yet: run "opzoek import insolvencies"';

/** `down` without a replica, or with one too old to say that there is no case. */
function conditionOf(cases: CourtReplica, client: CourtClient, nowMs: number): Condition {
  const observedAtMs = cases.currency?.observedAtMs ?? 0;
  if (Math.abs(nowMs - observedAtMs) >= MAX_AGE_MS) return "down";
  return client.health === "up" ? "up" : "degraded";
}

/** The next moment at which it is this time in the Netherlands, Unix milliseconds. @param time `04:30` */
export function nextRunMs(time: string, nowMs: number): number {
  const [today, tomorrow] = [dutchDay(nowMs), dutchDay(nowMs + DAY_MS)];
  const moments = [today, tomorrow].flatMap((day) => {
    const summerMs = Date.parse(`${day}T${time}:00+02:00`);
    return TIME.format(summerMs) === time ? summerMs : summerMs + HOUR_MS;
  });
  return moments.find((ms) => ms > nowMs) ?? nowMs + DAY_MS;
}

const TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Amsterdam",
  hour: "2-digit",
  minute: "2-digit",
});

interface CommandOptions {
  /** Whether held cases are deleted first. */
  readonly allowRemovals: boolean;
  readonly paceMs?: number;
  /** Called after each case. */
  readonly onCase?: (done: number, total: number) => void;
}

/** Another process loads the register. */
class AlreadyLoading extends OperatorError {
  override readonly name = "AlreadyLoading";
}

/**
 * Loads the register, or brings it up to date, for a command.
 * @returns the numbers of cases, and why it is not complete
 * @throws {AlreadyLoading} if another process does it
 */
export async function loadInsolvencies(
  settings: Settings,
  state: StateStore,
  { allowRemovals, paceMs = PACE_MS, onCase }: CommandOptions,
) {
  const turn = await state.turns.takeTurn(COURT_TURN, COMMAND_LEASE_MS, 0, { isDueNow: true });
  if (typeof turn === "number") {
    throw new AlreadyLoading(
      `another process loads the court's register, or was killed while it did: try again in ${Math.ceil(turn / 1_000)} s`,
    );
  }
  const client = courtOf(settings);
  const lost = new AbortController();
  const renew = async () => {
    // A service that starts on the same state ends all claims, and continues the load itself.
    if (!(await state.turns.saveTurn(turn, COMMAND_LEASE_MS))) lost.abort();
  };
  const renewal = setInterval(() => void renew().catch(() => {}), RENEW_EVERY_MS);
  try {
    const deleted = allowRemovals ? await state.court.deleteHeld() : 0;
    let stored = 0;
    const loading = new CourtLoading({
      court: client,
      store: state.court,
      paceMs,
      onCase: (isStored, left) => {
        stored += Number(isStored);
        onCase?.(stored, stored + left);
      },
    });
    const failure = await loadAll(loading, state, lost.signal);
    const held = (await state.court.courtProgress())?.held.length ?? 0;
    return { stored, deleted, held, failure };
  } finally {
    clearInterval(renewal);
    // Without a cursor, the service chooses the time of its next run.
    await state.turns.endTurn({ ...turn, cursor: "" }, 0).catch(() => false);
    await client.close();
  }
}

/** @returns why it failed, after some more tries */
async function loadAll(
  loading: CourtLoading,
  { court }: StateStore,
  signal: AbortSignal,
): Promise<string | undefined> {
  const at = await court.courtProgress();
  // After an interruption it continues, unless the last list is old.
  let isNext = at !== undefined && (isWhole(at) || Date.now() - momentMs(at.modifiedFrom) > DAY_MS);
  for (let failures = 0; ; ) {
    const step = await loading.step({ mayBegin: true, isNext, mayList: true, signal, forMs: STEP_MS });
    if (step.kind === "done" || step.kind === "empty") return undefined;
    if (signal.aborted) return "a service continues the load; its log and opzoek doctor show how far it is";
    if (step.kind === "working") isNext = false;
    else if (++failures >= MAX_COMMAND_FAILURES) return step.reason;
    else await pause(COMMAND_PAUSE_MS * failures);
  }
}
