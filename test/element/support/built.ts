import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient } from "../../../build/client.ts";

let building: Promise<string> | undefined;

/** The published client, built once per process. */
export function builtElement(): Promise<string> {
  building ??= build();
  return building;
}

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "opzoek-client-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await buildClient(folder);
  return folder;
}
