import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, it, onTestFinished } from "vitest";
import { WorkerClient } from "./workerClient.ts";

const SERVED = `{
  double: (number) => 2 * number,
  later: async (text) => text,
  fail: () => { throw new RangeError("too far"); },
  exit: () => process.exit(1),
  crash: () => { setImmediate(() => { throw new Error("crashed"); }); return new Promise(() => {}); },
}`;
interface Served extends Record<string, (...args: never[]) => unknown> {
  double(number: number): number;
  later(text: string): Promise<string>;
  fail(): void;
  exit(): void;
  crash(): Promise<void>;
}

function started(): WorkerClient<Served> {
  const module = pathToFileURL(join(import.meta.dirname, "workerClient.ts")).href;
  const source = `import(${JSON.stringify(module)}).then(({ serveCalls }) => serveCalls(${SERVED}))`;
  const client = new WorkerClient<Served>(new Worker(source, { eval: true }), "of this test");
  onTestFinished(() => client.end());
  return client;
}

it("returns the result of each call, and goes on after one that fails", async () => {
  const client = started();
  const calls = [client.call("double", 2), client.call("later", "text"), client.call("fail")];
  expect(await Promise.allSettled(calls)).toEqual([
    { status: "fulfilled", value: 4 },
    { status: "fulfilled", value: "text" },
    { status: "rejected", reason: new RangeError("too far") },
  ]);
  expect(await client.call("double", 21)).toBe(42);
  expect(client.hasEnded).toBe(false);
});

it.each([
  ["exit", "the thread of this test ended"],
  ["crash", "crashed"],
] as const)("fails every call, running or later, once its thread has ended: %s", async (name, message) => {
  const client = started();
  const running = [client.call(name), client.call("crash")];
  for (const call of await Promise.allSettled(running)) {
    expect(call).toMatchObject({ status: "rejected", reason: { message } });
  }
  expect(client.hasEnded).toBe(true);
  await expect(client.call("double", 1)).rejects.toThrow(message);
});
