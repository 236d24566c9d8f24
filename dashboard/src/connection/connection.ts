/**
 * Whether the service answers. Every call reports how it went; while the service is away one prober asks for it, with
 * growing pauses, and tells everybody who waits once it is back.
 */

/** The service does not answer now. */
export interface Away {
  /** When it is asked next, Unix milliseconds. */
  readonly nextTryMs: number;
  readonly isTrying: boolean;
}

/** What asks whether the service answers: fulfilled when it does. */
type Probe = () => Promise<void>;

const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** A service that goes away again within this time is asked at the pace of the time before. */
const CALM_MS = 60_000;

let away: Away | undefined;
let attempt = 0;
let lastAwayMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

/** What is known of the service now; undefined while it answers. */
export const awayNow = (): Away | undefined => away;

/** Tells `watcher` of each change of {@link awayNow}; returns how to stop that. */
export function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Tells `waiter` each time the service is back; returns how to stop that. */
export function onBack(waiter: () => void): () => void {
  return watchConnection(() => {
    if (away === undefined) waiter();
  });
}

/** Notes that the service did not answer. */
export function reportAway(probe: Probe): void {
  if (away !== undefined) return;
  if (Date.now() - lastAwayMs > CALM_MS) attempt = 0;
  wait(probe);
}

/** Notes that the service answered. */
export function reportBack(): void {
  if (away === undefined) return;
  clearTimeout(timer);
  lastAwayMs = Date.now();
  set(undefined);
}

/** Asks for the service at once instead of when it is due. */
export function tryNow(probe: Probe): void {
  if (away === undefined || away.isTrying) return;
  clearTimeout(timer);
  void ask(probe);
}

function wait(probe: Probe): void {
  const pauseMs = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0;
  attempt += 1;
  lastAwayMs = Date.now();
  set({ nextTryMs: lastAwayMs + pauseMs, isTrying: false });
  timer = setTimeout(() => void ask(probe), pauseMs);
}

async function ask(probe: Probe): Promise<void> {
  set({ nextTryMs: Date.now(), isTrying: true });
  try {
    await probe();
  } catch {
    // A call of somebody else may have found it meanwhile.
    if (away !== undefined) wait(probe);
    return;
  }
  reportBack();
}

function set(next: Away | undefined): void {
  away = next;
  for (const watcher of [...watchers]) watcher();
}
