/** A house in this thread over simulated upstreams, and threads that ask it. */
import { MessageChannel, Worker } from "node:worker_threads";
import { composeHouse, type OwnHouse } from "../../src/app/compose/house.ts";
import { startState } from "../../src/app/compose/state.ts";
import { openLog } from "../../src/app/log/log.ts";
import { readSettings } from "../../src/app/settings/settings.ts";
import { SuppressionList } from "../../src/lookup/suppression/suppressionList.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { stateOn } from "../../src/storage/thread/stateThread.ts";
import { afterFile } from "../kit/afterFile.ts";
import { prepareState } from "../kit/preparedState.ts";
import type { World } from "../kit/world.ts";
import type { AskingData, Deeds, Task } from "./askingThread.ts";

/** A thread that asks the house. */
export interface AskingThread {
  /** @throws what it failed with, as text */
  do<Deed extends keyof Deeds>(deed: Deed, ...given: Parameters<Deeds[Deed]>): ReturnType<Deeds[Deed]>;
  /** Ends it at once, whatever it does. */
  kill(): Promise<void>;
}

export interface OnThreads {
  readonly house: OwnHouse;
  readonly state: StateStore;
  readonly threads: readonly AskingThread[];
}

/** Opens a house over a world, with so many threads; all is closed when the file's tests have ended. */
export async function openHouseOnThreads(world: World, count: number): Promise<OnThreads> {
  const settings = readSettings(world.environment);
  await prepareState(settings.DATA_DIR);
  const stateThread = startState(settings);
  await stateThread.ready;
  const state = stateOn(stateThread);
  const suppressed = await SuppressionList.follow({ store: state.suppressed, pollMs: 20 });
  const house = await composeHouse(settings, {
    state,
    suppressed,
    logger: openLog({ LOG_LEVEL: "silent" }).logger,
    now: Date.now,
    onListError: () => {},
    onAccountError: () => {},
  });
  const threads = Array.from({ length: count }, () => {
    const { port1, port2 } = new MessageChannel();
    const data: AskingData = { settings, state: stateThread.connect(), house: port2 };
    const thread = askingThread(data);
    house.desk.serve(port1);
    return thread;
  });
  afterFile(async () => {
    await Promise.all(threads.map((thread) => thread.kill()));
    house.desk.close();
    suppressed.close();
    await house.close();
    await state.close();
  });
  return { house, state, threads };
}

function askingThread(data: AskingData): AskingThread {
  const worker = new Worker(new URL("./askingThread.ts", import.meta.url), {
    workerData: data,
    transferList: [data.state, data.house],
  });
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  worker.on("message", ({ id, told, failure }: { id: number; told?: unknown; failure?: string }) => {
    if (failure === undefined) pending.get(id)?.resolve(told);
    else pending.get(id)?.reject(new Error(failure));
    pending.delete(id);
  });
  const end = (error: Error) => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the thread has ended")));
  let lastId = 0;
  return {
    do: (deed, ...given) => {
      const id = ++lastId;
      const told = Promise.withResolvers<unknown>();
      pending.set(id, told);
      worker.postMessage({ id, deed, given } satisfies Task);
      return told.promise as ReturnType<Deeds[typeof deed]>;
    },
    async kill() {
      await worker.terminate();
    },
  };
}
