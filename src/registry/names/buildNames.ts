import { fork } from "node:child_process";
import { freeMemoryBytes } from "../../lib/memoryLimit.ts";
import { RegistryRefusal } from "../errors.ts";
import type { LayerPlace } from "../types.ts";
import type { BuilderMessage, BuilderTask } from "./namesBuilder.ts";
import { verifyNames } from "./storedNames.ts";

/** The memory of the process that builds an index, measured with four million companies. */
const BASE_BYTES = 100e6;
const BYTES_PER_COMPANY = 280;
/**
 * Makes glibc return freed memory to the system at once; otherwise a build needs a third more. No secret of the
 * environment is passed on.
 */
const RETURNS_MEMORY = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

/** A name index could not be built. The message says why and what to do. */
export class CannotBuildNames extends RegistryRefusal {}

export interface BuildOptions {
  /** Called periodically with the number of companies read. */
  readonly onCompanies?: (done: number) => void;
  /** Ends the build; the promise then rejects. */
  readonly signal?: AbortSignal;
  /** A folder to create for the index if the registry cannot be written. The caller deletes it. */
  readonly temporaryFolder?: string;
}

/**
 * Builds the index of a layer in a process of its own at low priority, unless the stored one can be used. Waits for
 * another process that builds one.
 * @returns the layer next to which the index is stored: `place`, or one in the temporary folder
 * @throws {CannotBuildNames} (the promise) also if the memory limit of this process leaves too little
 */
export async function buildNames(
  place: LayerPlace,
  { onCompanies = () => {}, signal, temporaryFolder }: BuildOptions = {},
): Promise<LayerPlace> {
  signal?.throwIfAborted();
  // Another process may have stored it, with more memory.
  if ((await verifyNames(place.path, place.info.sha256, signal)) === undefined) return place;
  signal?.throwIfAborted();
  refuseWithoutMemory(place.info.companies);
  const { promise, resolve, reject } = Promise.withResolvers<LayerPlace>();
  const task: BuilderTask = { place, temporaryFolder, parent: process.pid };
  const builder = fork(new URL("./namesBuilder.ts", import.meta.url), [JSON.stringify(task)], {
    env: RETURNS_MEMORY,
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const end = () => void builder.kill("SIGKILL");
  signal?.addEventListener("abort", end, { once: true });
  const fail = (reason: string, options: { cause?: unknown } = {}) =>
    reject(new CannotBuildNames(`The name index of ${place.path} cannot be built: ${reason}`, options));
  builder.on("message", (message: BuilderMessage) => {
    if (message.kind === "progress") onCompanies(message.done);
    else if (message.kind === "stored") resolve({ ...place, path: message.path });
    else fail(message.reason);
  });
  builder.once("error", (error) => fail(error.message, { cause: error }));
  builder.once("close", (code, killedBy) => {
    signal?.removeEventListener("abort", end);
    if (signal?.aborted === true) return reject(signal.reason);
    fail(
      killedBy === null
        ? `its process ended with ${code}; see the lines before this one.`
        : `its process was ended by ${killedBy}; if memory ran out, allow more.`,
    );
  });
  return promise;
}

/** @throws {CannotBuildNames} instead of being killed by the system while building */
function refuseWithoutMemory(companies: number): void {
  const memory = freeMemoryBytes();
  const neededBytes = BASE_BYTES + companies * BYTES_PER_COMPANY;
  if (memory === undefined || neededBytes <= memory.freeBytes) return;
  const [needed, free, limit] = [neededBytes, memory.freeBytes, memory.limitBytes].map(megabytes);
  throw new CannotBuildNames(
    `Building the name index of ${companies.toLocaleString("en")} companies needs ${needed}, but of the memory limit of ${limit} only ${free} are free: raise the limit, or run "opzoek registry prepare" outside of it.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(Math.max(0, bytes) / 1e6).toLocaleString("en")} MB`;
}
