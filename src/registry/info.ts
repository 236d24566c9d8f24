import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

const OriginInfoSchema = Type.Object(
  {
    /** `kvk-api`, `gleif`, `import:<name>` or `demo` */
    origin: Type.String({ minLength: 1 }),
    /** Companies of which this origin holds facts; one that two origins know counts for both. */
    companies: Count,
    /** The newest date of its data, ISO 8601 UTC. */
    asOf: Type.String({ minLength: 1 }),
  },
  closed,
);

const LAYER_FIELDS = {
  number: Type.Integer({ minimum: 1 }),
  /** Name of the file inside the registry's folder: `snapshot-` for a base, `segment-` for a segment. */
  file: Type.String({ pattern: "^(snapshot|segment)-[0-9]+\\.sqlite$" }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  bytes: Type.Integer({ minimum: 1 }),
  companies: Count,
  branches: Count,
  origins: Type.Array(OriginInfoSchema),
  /** When it was built, ISO 8601 UTC. */
  createdAt: Type.String({ minLength: 1 }),
};

/** What is said of one file, so that it can be judged without opening it. */
export const LayerInfoSchema = Type.Object(LAYER_FIELDS, closed);

/**
 * What is said of one snapshot in the pointer. One that is a base alone is said with the base's words. With segments above it, number, file and
 * `createdAt` are those of the newest, companies, branches and origins count all of them together, `bytes` is their sum, and `sha256` is
 * made of those of the layers (see {@link layeredInfo}).
 */
export const SnapshotInfoSchema = Type.Object(
  {
    ...LAYER_FIELDS,
    /** The base and the segments above it, the newest last; left out for a base alone. */
    layers: Type.Optional(Type.Array(LayerInfoSchema, { minItems: 2 })),
  },
  closed,
);

export type OriginInfo = Static<typeof OriginInfoSchema>;
export type LayerInfo = Static<typeof LayerInfoSchema>;
export type SnapshotInfo = Static<typeof SnapshotInfoSchema>;
/** What a snapshot holds, in numbers. */
export type Contents = Pick<SnapshotInfo, "companies" | "branches" | "origins">;

/** The pointer: which snapshot is served and which one is kept for going back. */
export const PointerSchema = Type.Object(
  {
    current: SnapshotInfoSchema,
    previous: Type.Optional(SnapshotInfoSchema),
  },
  closed,
);
export type Pointer = Static<typeof PointerSchema>;

/** The files of a snapshot: its base, then its segments, the newest last. */
export function layersOf(info: SnapshotInfo): readonly LayerInfo[] {
  if (info.layers !== undefined) return info.layers;
  const { layers: _, ...base } = info;
  return [base];
}

/** Whether two snapshots are of the same files. */
export function isSameSnapshot(one: SnapshotInfo, other: SnapshotInfo | undefined): boolean {
  return one.file === other?.file && one.sha256 === other.sha256;
}

/** What is said of a snapshot of these layers, which hold so much together. */
export function layeredInfo(layers: readonly [LayerInfo, ...LayerInfo[]], contents: Contents): SnapshotInfo {
  const [base] = layers;
  const newest = layers.at(-1) ?? base;
  if (newest === base) return base;
  return {
    number: newest.number,
    file: newest.file,
    sha256: createHash("sha256")
      .update(layers.map(({ sha256 }) => sha256).join("\n"))
      .digest("hex"),
    bytes: layers.reduce((sum, { bytes }) => sum + bytes, 0),
    companies: contents.companies,
    branches: contents.branches,
    origins: contents.origins,
    createdAt: newest.createdAt,
    layers: [...layers],
  };
}

export function pointerTo(current: SnapshotInfo, previous: SnapshotInfo | undefined): Pointer {
  return previous === undefined ? { current } : { current, previous };
}
