/**
 * A thread that asks for charges over a port to the state thread, several asks at once, until one is refused: as each thread of requests
 * does. What it was granted is added up in memory that it shares with the test, so that its end loses none of it.
 */
import { type MessagePort, workerData } from "node:worker_threads";
import { stateOver } from "../../src/storage/thread/stateOver.ts";
import { call } from "../kit/stores/fixture.ts";

/** What such a thread is started with. */
export interface AskingData {
  readonly port: MessagePort;
  readonly keyIds: readonly string[];
  readonly granted: Int32Array;
}

const ASKS_AT_ONCE = 3;
const MOST_IN_AN_ASK = 7;
/** Charges that were decided and not added up when a thread is killed, at most. */
export const MOST_UNDER_WAY = ASKS_AT_ONCE * MOST_IN_AN_ASK;

async function chargeUntilRefused({ port, keyIds, granted }: AskingData): Promise<void> {
  const state = stateOver(port);
  const chargeInTurn = async (): Promise<void> => {
    for (let count = 0; ; count++) {
      const requests = Array.from({ length: 1 + (count % MOST_IN_AN_ASK) }, (_, index) =>
        call(keyIds[(count + index) % keyIds.length] ?? "", 1),
      );
      const decisions = await state.metering.apply(requests, () => {});
      const more = decisions.filter(({ outcome }) => outcome === "granted").length;
      Atomics.add(granted, 0, more);
      if (more < requests.length) return;
    }
  };
  await Promise.all(Array.from({ length: ASKS_AT_ONCE }, chargeInTurn));
  await state.close();
}

if (workerData?.granted !== undefined) await chargeUntilRefused(workerData as AskingData);
