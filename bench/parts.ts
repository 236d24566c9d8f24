/** `node bench/parts.ts`: what the parts of one charged lookup cost, one by one, in this process and without HTTP. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readSettings } from "../src/app/settings/settings.ts";
import { hashKey } from "../src/contract/keyForm.ts";
import { registryDirectory } from "../src/snapshot/places.ts";
import { openRegistry } from "../src/snapshot/registry.ts";
import { statePath } from "../src/storage/sqlite/statePath.ts";
import { openStateOnThread } from "../src/storage/thread/stateThread.ts";
import { lookup } from "./cases/lookup.ts";
import { answerParts } from "./parts/answer.ts";
import { registryParts } from "./parts/registry.ts";
import { storeParts } from "./parts/store.ts";
import type { PartCost } from "./parts/timing.ts";
import { buildWorld, prepareCase, sampleCompanies } from "./world.ts";

const { values } = parseArgs({ options: { companies: { type: "string", default: "25000" } } });
const companies = Number(values.companies);
/** No part asks VIES. */
const NO_VIES = "http://127.0.0.1:1";
const folder = new URL("out", import.meta.url).pathname;

const world = await buildWorld({ companies, folder, logLevel: "silent", viesUrl: NO_VIES }, (line) =>
  process.stderr.write(`${line}\n`),
);
try {
  process.stdout.write(`${table(await measureParts())}\n`);
} finally {
  rmSync(world.folder, { recursive: true, force: true });
}

async function measureParts(): Promise<PartCost[]> {
  const settings = readSettings(world.environment);
  const key = (await prepareCase(lookup, world)).keys[0] ?? "";
  const registry = await openRegistry(registryDirectory(settings.DATA_DIR), {});
  const state = await openStateOnThread({ path: statePath(settings.DATA_DIR), tiers: settings.TIERS_FILE });
  try {
    const sample = sampleCompanies(companies);
    const snapshot = registry.current;
    const [first] = sample;
    const [found = null] = await state.metering.findKeys([hashKey(key)]);
    if (snapshot === undefined || first === undefined || found === null) {
      throw new Error("the registry or the key that was just made is not there");
    }
    return [
      ...(await answerParts(key, snapshot.basic(first.kvkNumber))),
      ...registryParts(snapshot, sample),
      ...(await storeParts(state, found.id, join(world.folder))),
    ];
  } finally {
    await state.close();
    registry.close();
  }
}

function table(parts: readonly PartCost[]): string {
  return [
    "| part | median | p99 | |",
    "|---|--:|--:|---|",
    ...parts.map(
      ({ part, medianUs, p99Us, note }) =>
        `| ${part} | ${medianUs.toFixed(2)} µs | ${p99Us.toFixed(2)} µs | ${note ?? ""} |`,
    ),
  ].join("\n");
}
