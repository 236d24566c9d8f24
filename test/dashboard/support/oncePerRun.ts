/** Runs once, before the first file that needs a browser: several files at the same time would each build the pages and unpack a browser. */
import { ensureBuilt } from "./built.ts";
import { unpacked } from "./chromium.ts";

export function setup(): void {
  ensureBuilt();
  unpacked();
}
