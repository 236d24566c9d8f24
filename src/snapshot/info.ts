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

/** What is said of one snapshot in the pointer, so that it can be judged without opening its file. */
export const SnapshotInfoSchema = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    /** Name of the file inside the registry's folder. */
    file: Type.String({ pattern: "^snapshot-[0-9]+\\.sqlite$" }),
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    bytes: Type.Integer({ minimum: 1 }),
    companies: Count,
    branches: Count,
    origins: Type.Array(OriginInfoSchema),
    /** When it was built, ISO 8601 UTC. */
    createdAt: Type.String({ minLength: 1 }),
  },
  closed,
);

export type OriginInfo = Static<typeof OriginInfoSchema>;
export type SnapshotInfo = Static<typeof SnapshotInfoSchema>;

/** The pointer: which snapshot is served and which one is kept for going back. */
export const PointerSchema = Type.Object(
  { current: SnapshotInfoSchema, previous: Type.Optional(SnapshotInfoSchema) },
  closed,
);
export type Pointer = Static<typeof PointerSchema>;
