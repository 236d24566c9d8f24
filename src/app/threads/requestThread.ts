/** A thread that answers calls: it composes the app, listens beside the others, and drains when it is told to. */
import { parentPort, workerData } from "node:worker_threads";
import { drain, endConnections, listen } from "../../http/server.ts";
import { OperatorError } from "../../lib/operatorError.ts";
import { HandedRegistry } from "../../snapshot/handedRegistry.ts";
import { registryDirectory } from "../../snapshot/places.ts";
import { stateOver } from "../../storage/thread/stateOver.ts";
import { composeThread, type ThreadService } from "../compose/thread.ts";
import { DRAIN_WITHIN_MS } from "../process/untilStopped.ts";
import type { News, Order, ThreadData } from "./messages.ts";
import { openThreadLog } from "./threadLog.ts";

/** Should nobody tell a thread to leave after an error that nobody caught, it does so by itself. */
const LEAVES_AFTER_ESCAPE_MS = 20_000;
const LEAVES_WITHIN_MS = 2_000;
/** For the snapshot to begin with: the main thread does not wait until it is taken. */
const NONE_AWAITED = 0;

const port = parentPort;
if (port === null) throw new Error("calls are answered on threads of a service only");

const { settings, state: statePort, house, counts, threads, traceSecret }: ThreadData = workerData;
const tell = (news: News) => port.postMessage(news);
const { log, taken } = openThreadLog(settings, (text, lines) => tell({ kind: "log", text, lines }));
const registry = new HandedRegistry(registryDirectory(settings.DATA_DIR));
const state = stateOver(statePort);
const begun = Promise.withResolvers<void>();
const placeToTake = Promise.withResolvers<Extract<Order, { kind: "listen" }>>();
let isBehind = false;
let isDraining = false;
let composed: ThreadService | undefined;
let leaving: Promise<void> | undefined;
let share: (() => void) | undefined;
let isListening = false;
let hasEscaped = false;

port.on("message", (order: Order) => {
  if (order.kind === "logged") taken(order.length);
  else if (order.kind === "snapshot")
    tell({ kind: "took", nth: order.nth, ...problemOf(() => registry.take(order.snapshot)) });
  else if (order.kind === "look") tell({ kind: "alive" });
  else if (order.kind === "behind") isBehind = order.isBehind;
  else if (order.kind === "listen") placeToTake.resolve(order);
  else if (order.kind === "announce") announceDraining();
  else if (order.kind === "share") share?.();
  else if (order.kind === "leave") void leave(order.withinMs);
  else begin(order.snapshot);
});
process.on("uncaughtException", escaped);
process.on("unhandledRejection", escaped);

try {
  composed = await composeThread(settings, {
    state,
    house,
    registry,
    log,
    counts,
    threads,
    traceSecret,
    isBehind: () => isBehind,
  });
  if (isDraining) composed.announceDraining();
  await begun.promise;
  tell({ kind: "ready" });
  const { port: chosen, isAlone } = await placeToTake.promise;
  const { app } = composed;
  // Those that come before the others listen would all stay here.
  if (isAlone) share = () => endConnections(app);
  const address = await listen(app, settings.HOST, chosen, { isShared: true });
  isListening = true;
  tell({ kind: "listening", address, port: Number(new URL(address).port || 80) });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  log.logger.error({ reason: error.message }, "a thread that answers calls cannot start");
  tell({ kind: "refused", message: error.message });
  process.exit(1);
}

/** It may come before there is anything to announce it. */
function announceDraining(): void {
  isDraining = true;
  composed?.announceDraining();
}

function begin(snapshot: Extract<Order, { kind: "begin" }>["snapshot"]): void {
  if (snapshot !== undefined) {
    const took = problemOf(() => registry.take(snapshot));
    // A file of it was deleted or replaced: what took its place comes soon, and until then there is nothing to serve.
    if (took.problem !== undefined) tell({ kind: "took", nth: NONE_AWAITED, ...took });
  }
  begun.resolve();
}

function problemOf(work: () => void): { readonly problem?: unknown } {
  try {
    work();
    return {};
  } catch (error) {
    return { problem: error };
  }
}

/** Nobody caught an error: this thread is not to be trusted for long, and goes on until another one listens. */
function escaped(error: unknown): void {
  if (hasEscaped) return;
  hasEscaped = true;
  log.escaped(error);
  if (!isListening) process.exit(1);
  tell({ kind: "escaped" });
  setTimeout(() => void leave(LEAVES_WITHIN_MS), LEAVES_AFTER_ESCAPE_MS);
}

/** Lets running answers finish, gives back what this thread holds, and ends. */
function leave(withinMs: number): Promise<void> {
  leaving ??= end(withinMs).then(
    () => process.exit(),
    (error: unknown) => {
      log.logger.error({ err: error }, "a thread that answers calls could not end as it should");
      process.exit(1);
    },
  );
  return leaving;
}

async function end(withinMs: number): Promise<void> {
  if (composed === undefined) return;
  // With the time of a whole drain the main thread says when.
  const waitMs = withinMs < DRAIN_WITHIN_MS ? withinMs / 2 : withinMs;
  const lastWait = setTimeout(() => composed?.closeUpstreams(), waitMs).unref();
  await drain(composed.app, withinMs);
  clearTimeout(lastWait);
  await composed.close();
  await state.close();
  registry.close();
  await log.flush();
}
