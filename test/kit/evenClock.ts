import type { InProcess } from "./inProcess.ts";

/** Less than the step of a clock that counts as a fault. */
const STEP_MS = 3 * 3_600_000;

/**
 * Lets time pass as an even clock does: a long step would be a fault of the clock, after which nothing expires for
 * hours.
 */
export async function letPass(
  service: Pick<InProcess, "state" | "setClock">,
  fromMs: number,
  toMs: number,
): Promise<void> {
  for (let atMs = fromMs; atMs < toMs; ) {
    atMs = Math.min(atMs + STEP_MS, toMs);
    service.setClock(atMs);
    await service.state.webhooks.claimMessage(0);
  }
}
