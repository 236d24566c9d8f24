/** The thread that does the work of a list: files, columns, calls, rows and results, so that the page never waits for them. */
import { batch } from "../../../../api/publicApi.ts";
import type { Said, Sent } from "../protocol.ts";
import { ListJob } from "./listJob.ts";
import { sleepOrStop } from "./run.ts";
import { ListStore } from "./store.ts";

const job = new ListJob({
  store: () => ListStore.open(),
  ask: batch,
  sleep: sleepOrStop,
  now: () => Date.now(),
  alone: async (name, work) => {
    // Locks are there in secure contexts only; the service itself lets people in over nothing else but this machine's own address.
    if (!("locks" in navigator)) return await work();
    return await navigator.locks.request(name, { ifAvailable: true }, (lock) =>
      lock === null ? undefined : work(),
    );
  },
  isElsewhere: async (name) => {
    if (!("locks" in navigator)) return false;
    const { held = [] } = await navigator.locks.query();
    return held.some((lock) => lock.name === name);
  },
  tell: (state) => say({ state }),
});

addEventListener("message", (event: MessageEvent<Sent>) => {
  const { data } = event;
  answered(data).then(
    (answer) => say({ id: data.id, answer }),
    (error: unknown) => say({ id: data.id, failed: error instanceof Error ? error.message : String(error) }),
  );
});

async function answered(sent: Sent): Promise<unknown> {
  switch (sent.name) {
    case "open":
      return await job.open(sent.ask);
    case "read":
      return await job.read(sent.ask);
    case "choose":
      return await job.choose(sent.ask);
    case "start":
      return await job.start(sent.ask);
    case "resume":
      return await job.resume(sent.ask);
    case "stop":
      return job.stop();
    case "replan":
      return await job.discard(true);
    case "discard":
      return await job.discard();
    case "rows":
      return job.rows(sent.ask);
    case "save":
      return await job.save(sent.ask);
  }
}

function say(said: Said): void {
  postMessage(said);
}
