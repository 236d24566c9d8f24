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

async function answered({ name, ask }: Sent): Promise<unknown> {
  // Of the pairs in Sent each is a method with what it takes, which the compiler does not see.
  const method = job[name] as (ask: unknown) => unknown;
  return await method.call(job, ask);
}

function say(said: Said): void {
  postMessage(said);
}

/** Takes the account's list for as long as this thread lives. */
async function alone(accountId: string, waits: () => void): Promise<void> {
  // Browsers have locks in secure contexts only; over plain HTTP the service is used on its own machine.
  if (!("locks" in navigator)) return;
  const name = `opzoek-list-${accountId}`;
  const { held = [] } = await navigator.locks.query();
  if (held.some((lock) => lock.name === name)) waits();
  await new Promise<void>((resolve, reject) => {
    const hold = () => new Promise<void>(() => resolve());
    navigator.locks.request(name, hold).catch(reject);
  });
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
