/** The pointer (`current.json`) of a registry: it names the current snapshot and the previous one, with their files. */
import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 0 });

const OriginInfoSchema = Type.Object(
  {
    /** `kvk-api`, `gleif`, `import:<name>` or `demo` */
    origin: Type.String({ minLength: 1 }),
    /** The number of companies with facts of this origin. A company of two origins counts for both. */
    companies: Count,
    /** The newest date of its data, ISO 8601 UTC. */
    asOf: Type.String({ minLength: 1 }),
  },
  closed,
);

const LAYER_FIELDS = {
  number: Type.Integer({ minimum: 1 }),
  /**
   * Name of the file inside the registry's folder: `snapshot-` for a base, `segment-` for a delta, which holds the
   * changes since its base.
   */
  file: Type.String({ pattern: "^(snapshot|segment)-[0-9]+\\.sqlite$" }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  bytes: Type.Integer({ minimum: 1 }),
  companies: Count,
  branches: Count,
  origins: Type.Array(OriginInfoSchema),
  /** When it was built, ISO 8601 UTC. */
  createdAt: Type.String({ minLength: 1 }),
};

/** A layer: the file of a base or of a delta. */
const LayerInfoSchema = Type.Object(LAYER_FIELDS, closed);

/** A snapshot. A base alone is described as its layer is; for a base with a delta see {@link deltaInfo}. */
export const SnapshotInfoSchema = Type.Object(
  {
    ...LAYER_FIELDS,
    /** The base and the delta; absent for a base alone. */
    layers: Type.Optional(Type.Tuple([LayerInfoSchema, LayerInfoSchema])),
  },
  closed,
);

export type OriginInfo = Static<typeof OriginInfoSchema>;
export type LayerInfo = Static<typeof LayerInfoSchema>;
export type SnapshotInfo = Static<typeof SnapshotInfoSchema>;
/** The content of a snapshot or a layer, in numbers. */
export type Contents = Pick<SnapshotInfo, "companies" | "branches" | "origins">;

/** The snapshot that is served, and the previous one for a rollback. */
export const PointerSchema = Type.Object(
  {
    current: SnapshotInfoSchema,
    previous: Type.Optional(SnapshotInfoSchema),
  },
  closed,
);
export type Pointer = Static<typeof PointerSchema>;

/** The layers of a snapshot: its base, and its delta if there is one. */
export function layersOf(info: SnapshotInfo): readonly [base: LayerInfo, ...delta: LayerInfo[]] {
  if (info.layers !== undefined) return info.layers;
  const { layers: _, ...base } = info;
  return [base];
}

/** Whether two snapshots are of the same files. */
export function isSameSnapshot(one: SnapshotInfo, other: SnapshotInfo | undefined): boolean {
  return one.file === other?.file && one.sha256 === other.sha256;
}

/**
 * Describes a base with a delta: number, file and time come from the delta, `bytes` is the sum, and the hash covers
 * both.
 * @param contents of both together
 */
export function deltaInfo(base: LayerInfo, delta: LayerInfo, contents: Contents): SnapshotInfo {
  const { number, file, createdAt } = delta;
  const { companies, branches, origins } = contents;
  const sha256 = createHash("sha256").update(`${base.sha256}\n${delta.sha256}`).digest("hex");
  const bytes = base.bytes + delta.bytes;
  return { number, file, sha256, bytes, companies, branches, origins, createdAt, layers: [base, delta] };
}

export function pointerTo(current: SnapshotInfo, previous: SnapshotInfo | undefined): Pointer {
  return previous === undefined ? { current } : { current, previous };
}
