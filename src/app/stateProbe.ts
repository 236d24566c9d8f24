import { withTimeout } from "../lib/deadline.ts";

const BELIEVED_FOR_MS = 1_000;
const PROBE_WITHIN_MS = 2_500;

/** Whether the state takes a write; it is asked once a second at most, however many ask. */
export class StateProbe {
  readonly #probe: () => Promise<void>;
  #isWritable: Promise<boolean> | undefined;
  #askedAtMs = 0;

  constructor(state: { probe(): Promise<void> }) {
    this.#probe = () => state.probe();
  }

  /** Never rejects. */
  isWritable(): Promise<boolean> {
    const nowMs = performance.now();
    if (this.#isWritable === undefined || nowMs - this.#askedAtMs >= BELIEVED_FOR_MS) {
      this.#askedAtMs = nowMs;
      this.#isWritable = succeedsInTime(this.#probe());
    }
    return this.#isWritable;
  }
}

async function succeedsInTime(work: Promise<void>): Promise<boolean> {
  const done = work.then(
    () => true,
    () => false,
  );
  return (await withTimeout(PROBE_WITHIN_MS, done)) ?? false;
}
