import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { LAYER_FILE, pointerPath } from "../places.ts";
import { bytesOfNames, type EarlyIndex, type NamesPlace, READ_HERE_BYTES } from "./storedNames.ts";

/**
 * The large indexes of the snapshot that is current, read on a thread while the program that needs them is still being loaded. What cannot be read is
 * not told: whoever finds an index missing here reads it as always, and learns why.
 */
export class EarlyNames {
  readonly #reading = new Map<string, Promise<SharedArrayBuffer | undefined>>();
  #worker: Worker | undefined;

  /**
   * Begins to read.
   * @param directory the registry's
   * @param readHereBytes indexes that are no larger are left alone
   */
  constructor(directory: string, readHereBytes = READ_HERE_BYTES) {
    const places = largeIndexes(directory, readHereBytes);
    if (places.length === 0) return;
    const waiting = places.map(() => Promise.withResolvers<SharedArrayBuffer | undefined>());
    for (const [nth, place] of places.entries()) {
      const read = waiting[nth]?.promise;
      if (read !== undefined) this.#reading.set(nameOf(place), read);
    }
    const worker = new Worker(new URL("./earlyNamesWorker.ts", import.meta.url), { workerData: places });
    worker.on("message", ({ nth, index }: EarlyIndex) => waiting[nth]?.resolve(index));
    worker.on("error", () => {});
    // Comes last, however the thread ended.
    worker.on("exit", () => {
      for (const { resolve } of waiting) resolve(undefined);
    });
    this.#worker = worker;
  }

  /** The index of a layer, handed over once; undefined where it is not read here. */
  take(place: NamesPlace): Promise<SharedArrayBuffer | undefined> | undefined {
    const name = nameOf(place);
    const reading = this.#reading.get(name);
    this.#reading.delete(name);
    return reading;
  }

  /** Lets go of what nobody took, and reads no more. */
  close(): void {
    this.#reading.clear();
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function nameOf({ path, info }: NamesPlace): string {
  return `${info.sha256} ${path}`;
}

/** The indexes of the current snapshot that are worth a thread, those of segments first: lookups wait for them. */
function largeIndexes(directory: string, readHereBytes: number): NamesPlace[] {
  const places = currentLayers(directory).map(({ file, sha256 }) => ({
    path: join(directory, file),
    info: { sha256 },
  }));
  return places.some((place) => bytesOfNames(place) > readHereBytes) ? places.reverse() : [];
}

/**
 * The files that the pointer names as current. Read without the schema of pointers, which takes longer to load than all else here: where it is not as it
 * should be, there are none, and whoever reads it next says what is wrong.
 */
function currentLayers(directory: string): readonly { readonly file: string; readonly sha256: string }[] {
  try {
    const pointer: unknown = JSON.parse(readFileSync(pointerPath(directory), "utf8"));
    const current = fieldOf(pointer, "current");
    const layers = fieldOf(current, "layers") ?? [current];
    if (!Array.isArray(layers)) return [];
    return layers.flatMap((layer: unknown) => {
      const [file, sha256] = [fieldOf(layer, "file"), fieldOf(layer, "sha256")];
      return typeof file === "string" && LAYER_FILE.test(file) && typeof sha256 === "string"
        ? [{ file, sha256 }]
        : [];
    });
  } catch {
    return [];
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
