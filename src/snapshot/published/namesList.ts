import type { KeyObject } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { provedLine, signLine } from "./signedLine.ts";

/** Name of the list of published indexes in a published folder: beside the manifest, in which earlier versions take nothing that is new to them. */
export const NAMES_LIST_FILE = "names.jsonl";
const SIGNED_AS = "opzoek registry names\n";
const FORMAT = 1;

const closed = { additionalProperties: false } as const;
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

const PublishedNamesSchema = Type.Object(
  {
    /** The SHA-256 of the layer's file that it was built of. */
    of: Sha256,
    /** Of the index: a program reads its own version only. */
    version: Type.Integer({ minimum: 1 }),
    bytes: Type.Integer({ minimum: 1 }),
    sha256: Sha256,
    /** The compressed file, whose name holds its SHA-256. */
    file: Type.Object(
      {
        name: Type.String({ pattern: "^(snapshot|segment)-[0-9a-f]{64}\\.names\\.zst$" }),
        sha256: Sha256,
        bytes: Type.Integer({ minimum: 1 }),
      },
      closed,
    ),
  },
  closed,
);
/** A published index of the names of one layer. */
export type PublishedNames = Static<typeof PublishedNamesSchema>;

const NamesListSchema = Type.Object(
  { format: Type.Literal(FORMAT), names: Type.Array(PublishedNamesSchema) },
  closed,
);

/** @param kind that of the layer: a base is a `snapshot` */
export const namesFileNameOf = (sha256: string, kind: "snapshot" | "segment") =>
  `${kind}-${sha256}.names.zst`;

/** The text of a list's file: two lines, as a manifest's. */
export function signNamesList(names: readonly PublishedNames[], privateKey: KeyObject): string {
  return signLine(JSON.stringify({ format: FORMAT, names }), SIGNED_AS, privateKey);
}

/** The indexes of a list's file; none where it is not signed by one of the keys, or of a later version. */
export function readNamesList(
  bytes: Buffer | undefined,
  publicKeys: readonly KeyObject[],
): readonly PublishedNames[] {
  if (bytes === undefined) return [];
  const proved = provedLine(bytes, SIGNED_AS, publicKeys);
  if (typeof proved === "string") return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(proved.line);
  } catch {
    return [];
  }
  if (!Value.Check(NamesListSchema, parsed)) return [];
  return parsed.names.filter(({ file }) => file.name.includes(file.sha256));
}
