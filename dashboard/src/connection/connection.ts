/**
 * Tracks whether the service answers. Every call reports its outcome; during an outage one probe retries with growing
 * pauses, and notifies all listeners once the service is back.
 */

/** A current outage. */
export interface Outage {
  /** When it is tried next, Unix milliseconds. */
  readonly nextTryMs: number;
  readonly isTrying: boolean;
}

/** Resolves when the service answers, rejects otherwise. */
type Probe = () => Promise<void>;

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** An outage within this time after the last one continues its pauses. */
const CALM_MS = 60_000;

let outage: Outage | undefined;
let attempt = 0;
let lastOutageMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

/** Returns the current outage; undefined while the service answers. */
export const currentOutage = (): Outage | undefined => outage;

/** Calls `watcher` after each change of {@link currentOutage}; returns the unsubscribe function. */
export function onConnectionChange(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Calls `waiter` each time the service is back; returns the unsubscribe function. */
export function onReconnect(waiter: () => void): () => void {
  return onConnectionChange(() => {
    if (outage === undefined) waiter();
  });
}

/** Reports that the service did not answer. */
export function reportOutage(probe: Probe): void {
  if (outage !== undefined) return;
  if (Date.now() - lastOutageMs > CALM_MS) attempt = 0;
  wait(probe);
}

/** Reports that the service answered. */
export function reportAnswer(): void {
  if (outage === undefined) return;
  clearTimeout(timer);
  lastOutageMs = Date.now();
  set(undefined);
}

/** Tries the service now instead of at the next scheduled time. */
export function retryNow(probe: Probe): void {
  if (outage === undefined || outage.isTrying) return;
  clearTimeout(timer);
  void ask(probe);
}

function wait(probe: Probe): void {
  const pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0;
  attempt += 1;
  lastOutageMs = Date.now();
  set({ nextTryMs: lastOutageMs + pauseMs, isTrying: false });
  timer = setTimeout(() => void ask(probe), pauseMs);
}

async function ask(probe: Probe): Promise<void> {
  set({ nextTryMs: Date.now(), isTrying: true });
  try {
    await probe();
  } catch {
    // Another call may have succeeded in the meantime.
    if (outage !== undefined) wait(probe);
    return;
  }
  reportAnswer();
}

function set(next: Outage | undefined): void {
  outage = next;
  for (const watcher of [...watchers]) watcher();
}
