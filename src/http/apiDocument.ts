import { readFile } from "node:fs/promises";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { introduction } from "../contract/introduction.ts";
import type { TierTable } from "../contract/tiers.ts";
import type { Endpoint } from "./endpoint.ts";

export interface ApiFacts {
  /** The public address of the service. */
  readonly url?: string | undefined;
  readonly version: string;
  readonly tiers: TierTable;
}

/**
 * The document that the build writes next to the built program. The sources have none and describe the endpoints when
 * they are asked.
 */
const BUILT = new URL("./api.built.json", import.meta.url);

const Description = Type.Object({ info: Type.Object({}) });

/**
 * Returns the OpenAPI 3.1 document of the endpoints. The build describes them, because that takes a tenth of a start.
 */
export async function apiDocument(
  endpoints: readonly Endpoint[],
  { url, version, tiers }: ApiFacts,
): Promise<object> {
  const document =
    (await readBuilt()) ?? (await (await import("../../build/describeApi.ts")).describeApi(endpoints));
  const described = Value.Parse(Description, document);
  return {
    ...described,
    info: { ...described.info, version, description: introduction(tiers) },
    servers: [{ url: url ?? "/" }],
  };
}

async function readBuilt(): Promise<unknown> {
  try {
    return JSON.parse(await readFile(BUILT, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
