/** The thread that does the work of a list, so that the page never waits for it. */
import type { Said, Sent } from "../protocol.ts";
import { JOB_API } from "./jobApi.ts";
import { ListJob } from "./listJob.ts";
import { ListStore } from "./store.ts";

const job = new ListJob({
  store: () => ListStore.open(),
  api: JOB_API,
  sleep: sleepUntilWoken,
  now: () => Date.now(),
  alone,
  tell: (state) => say({ state }),
});

addEventListener("message", (event: MessageEvent<Sent>) => {
  const { id } = event.data;
  answered(event.data).then(
    (answer) => say({ id, answer }),
    (error: unknown) => say({ id, failed: error instanceof Error ? error.message : String(error) }),
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
      return job.start(sent.ask);
    case "resume":
      return job.resume(sent.ask);
    case "pause":
      return job.pause();
    case "discard":
      return job.discard(sent.ask);
    case "rows":
      return job.rows(sent.ask);
    case "save":
      return await job.save(sent.ask);
  }
}

function say(said: Said): void {
  postMessage(said);
}

async function alone(accountId: string, waits: () => void, work: () => Promise<void>): Promise<void> {
  // Browsers have locks in secure contexts only; over plain HTTP the service is used on its own machine.
  if (!("locks" in navigator)) return work();
  const name = `opzoek-list-${accountId}`;
  const isFree = await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock !== null) await work();
    return lock !== null;
  });
  if (isFree) return;
  waits();
  await navigator.locks.request(name, work);
}

function sleepUntilWoken(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
