import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { BATCHES } from "../../src/app/compose/app.ts";
import { Meter } from "../../src/metering/meter.ts";
import type { CallRequest } from "../../src/metering/store.ts";
import type { StateStore } from "../../src/storage/stateStore.ts";
import { costOf, type PartCost } from "./timing.ts";

const PAGE = Buffer.alloc(4_096, 1);
const SYNCS = 500;
const RUN_MS = 2_000;

/** What a durable charge costs: the disk's sync, one charge alone, and 64 at a time as under load. */
export async function storeParts(state: StateStore, keyId: string, folder: string): Promise<PartCost[]> {
  const meter = new Meter(state.metering, BATCHES.embedded);
  try {
    return [
      diskSync(folder),
      await charges(meter, keyId, 1, "store: one charge, nobody else (thread, transaction, sync)"),
      await charges(meter, keyId, 64, "store: a charge among 64 under way"),
    ];
  } finally {
    await meter.close();
  }
}

function diskSync(folder: string): PartCost {
  const file = openSync(join(folder, "sync.tmp"), "w");
  const times: number[] = [];
  for (let index = 0; index < SYNCS; index++) {
    const beforeMs = performance.now();
    writeSync(file, PAGE);
    fdatasyncSync(file);
    times.push((performance.now() - beforeMs) * 1_000);
  }
  closeSync(file);
  return costOf("disk: write 4 KiB and sync", times);
}

/** Keeps `parallel` charges under way; the waiting of one and how many a second were durable. */
async function charges(meter: Meter, keyId: string, parallel: number, part: string): Promise<PartCost> {
  const request: CallRequest = { kind: "call", keyId, operation: "lookup", price: 1, charge: 1 };
  const times: number[] = [];
  const startedMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const keepCharging = async (): Promise<void> => {
    while (performance.now() - startedMs < RUN_MS) {
      const beforeMs = performance.now();
      const { outcome } = await meter.decide(request);
      if (outcome !== "granted") throw new Error(`a charge was not granted but ${outcome}`);
      times.push((performance.now() - beforeMs) * 1_000);
    }
  };
  await Promise.all(Array.from({ length: parallel }, keepCharging));
  const elapsedMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  const aSecond = Math.round(times.length / (elapsedMs / 1_000)).toLocaleString("en");
  const cpuUs = ((user + system) / times.length).toFixed(1);
  return costOf(part, times, `${aSecond} a second, ${cpuUs} µs of processor each on both threads together`);
}
