/** Runs once before the browser tests, because parallel test files would each build the pages and unpack a browser. */
import { ensureBuilt } from "./built.ts";
import { unpacked } from "./chromium.ts";

export function setup(): void {
  ensureBuilt();
  unpacked();
}
