import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildClient, type ClientSizes } from "../../build/client.ts";
import { ROOT } from "../architecture/repository.ts";
import { copyForPacking } from "./checkout.ts";
import { npmOffline } from "./npm.ts";
import { runProgram } from "./program.ts";

/** A tarball made by `npm pack`. */
export interface Packed {
  /** Its name in the target folder. */
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

export interface PackedClient extends Packed {
  readonly sizes: ClientSizes;
}

/** The copy of the checkout from which a release was packed. */
export const copyOf = (folder: string): string => join(folder, "packed-from");

/** Packs the built program into a folder. */
export function packProgram(folder: string): Promise<Packed> {
  copyForPacking(ROOT, copyOf(folder));
  return pack(copyOf(folder), folder);
}

/** Builds the client and packs it into a folder. */
export async function packClient(folder: string): Promise<PackedClient> {
  const copy = join(folder, "client-packed-from");
  copyForPacking(join(ROOT, "client"), copy);
  // The copy may contain the build of an earlier `npm pack` in the checkout.
  rmSync(join(copy, "dist"), { recursive: true, force: true });
  const sizes = await buildClient(join(copy, "dist"));
  return { ...(await pack(copy, folder)), sizes };
}

async function pack(from: string, to: string): Promise<Packed> {
  const words = ["pack", "--json", "--pack-destination", to];
  const { out } = await runProgram("npm", words, { env: npmOffline(to), cwd: from });
  const [packed] = JSON.parse(out) as readonly Packed[];
  if (packed === undefined) throw new Error(`npm packed nothing: ${out}`);
  return packed;
}
