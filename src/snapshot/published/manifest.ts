import type { KeyObject } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SnapshotInfoSchema } from "../info.ts";
import { LAYOUT_VERSION, OLDEST_LAYOUT_READ } from "../layout.ts";
import { FetchFailure } from "./failure.ts";
import { provedLine, signLine } from "./signedLine.ts";

/** Name of the manifest in a published folder: two lines, the manifest as JSON and its signature. */
export const MANIFEST_FILE = "manifest.jsonl";
/** Raised when an older program could not follow what is published. */
const FORMAT = 1;
/** Of a snapshot that has segments. */
const LAYERED_FORMAT = 2;
/** A real one has about a thousand bytes, and some eighty more for each origin. */
export const MOST_MANIFEST_BYTES = 256 * 1024;
/** Signed before the manifest, so that nothing else that the key may ever sign passes for one. */
const SIGNED_AS = "opzoek registry manifest\n";

const closed = { additionalProperties: false } as const;
const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const IsoTime = Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z$" });

/** What is longer than any manifest is none. */
export function tooLong(where: string): FetchFailure {
  return new FetchFailure(
    "manifest",
    `${where} is longer than any manifest: check that REGISTRY_URL is the folder that "opzoek registry publish" wrote.`,
  );
}

/** A snapshot or a layer as the publisher has it, under the publisher's number. */
const SnapshotSchema = Type.Object({ ...withoutFile(), createdAt: IsoTime }, closed);

function withoutFile() {
  const { number, sha256, bytes, companies, branches, origins } = SnapshotInfoSchema.properties;
  return { number, sha256, bytes, companies, branches, origins };
}

const LAYER = {
  /** Of the layer's file; see LAYOUT_VERSION. */
  layout: Type.Integer({ minimum: 1 }),
  snapshot: SnapshotSchema,
  /** The compressed file beside the manifest. Its name holds its SHA-256: what has this name never changes. */
  file: Type.Object(
    {
      name: Type.String({ pattern: "^(snapshot|segment)-[0-9a-f]{64}\\.sqlite\\.zst$" }),
      sha256: Sha256,
      bytes: Type.Integer({ minimum: 1 }),
    },
    closed,
  ),
};

/** What is published, and how to tell that it is that. Layout and file are those of the base. */
export const ManifestSchema = Type.Object(
  {
    format: Type.Union([Type.Literal(FORMAT), Type.Literal(LAYERED_FORMAT)]),
    /** Rises with each publication; a node never goes back to a lower one. Unix milliseconds, unless the clock went back. */
    serial: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** When it was signed last: at the publication, and with each sign of life since. */
    publishedAt: IsoTime,
    ...LAYER,
    /** In format 2: the base and its segments, each with its own file; the newest last. */
    layers: Type.Optional(Type.Array(Type.Object(LAYER, closed), { minItems: 2 })),
  },
  closed,
);
export type Manifest = Static<typeof ManifestSchema>;
/** One layer and its file. */
export type PublishedLayer = Pick<Manifest, keyof typeof LAYER>;

/** The layers that a manifest names, the base first. */
export function publishedLayers({ layers, layout, snapshot, file }: Manifest): readonly PublishedLayer[] {
  return layers ?? [{ layout, snapshot, file }];
}

/** @param kind a base is a `snapshot` */
export const fileNameOf = (sha256: string, kind: "snapshot" | "segment" = "snapshot") =>
  `${kind}-${sha256}.sqlite.zst`;

/** What is published of these layers, in the oldest format that can say it. */
export function manifestOf(
  signed: Pick<Manifest, "serial" | "publishedAt">,
  snapshot: Manifest["snapshot"],
  [base, ...segments]: readonly [PublishedLayer, ...PublishedLayer[]],
): Manifest {
  const { layout, file } = base;
  if (segments.length === 0) return { format: FORMAT, ...signed, layout, snapshot, file };
  return { format: LAYERED_FORMAT, ...signed, layout, snapshot, file, layers: [base, ...segments] };
}

/** The text of a manifest's file: the fields in the order of the schema, without spaces, then the signature of that line. */
export function signManifest(manifest: Manifest, privateKey: KeyObject): string {
  const { format, serial, publishedAt, layers } = manifest;
  const line = JSON.stringify({
    format,
    serial,
    publishedAt,
    ...inOrder(manifest),
    ...(layers !== undefined && { layers: layers.map(inOrder) }),
  });
  return signLine(line, SIGNED_AS, privateKey);
}

function inOrder({ layout, snapshot, file }: PublishedLayer): PublishedLayer {
  const { number, sha256, bytes, companies, branches, origins, createdAt } = snapshot;
  return {
    layout,
    snapshot: {
      number,
      sha256,
      bytes,
      companies,
      branches,
      origins: origins.map(({ origin, companies: count, asOf }) => ({ origin, companies: count, asOf })),
      createdAt,
    },
    file: { name: file.name, sha256: file.sha256, bytes: file.bytes },
  };
}

/**
 * Reads a manifest's file. Nothing in it is believed, or even parsed, before one of the keys has proved its signature.
 * @throws {FetchFailure} `signature`, `manifest` or `layout`
 */
export function readManifest(bytes: Buffer, publicKeys: readonly KeyObject[]): Manifest {
  const proved = provedLine(bytes, SIGNED_AS, publicKeys);
  if (proved === "no signature") {
    throw new FetchFailure(
      "signature",
      `The published ${MANIFEST_FILE} carries no signature: check that REGISTRY_URL is the folder that "opzoek registry publish" wrote.`,
    );
  }
  if (proved === "another key") {
    throw new FetchFailure(
      "signature",
      "The published manifest is signed by no key of REGISTRY_PUBLIC_KEY: it was changed on its way, or the publisher has another key. Ask the publisher for the public key before you trust it.",
    );
  }
  return parseManifest(proved.line);
}

function parseManifest(text: string): Manifest {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new FetchFailure("manifest", "The published manifest is signed and holds no JSON: publish anew.");
  }
  const format =
    typeof parsed === "object" && parsed !== null && "format" in parsed ? parsed.format : undefined;
  if (typeof format === "number" && format !== FORMAT && format !== LAYERED_FORMAT) {
    throw new FetchFailure(
      "layout",
      `The published manifest has format ${format} and this program reads formats ${FORMAT} and ${LAYERED_FORMAT}: run the publisher's version of the program here.`,
    );
  }
  if (!Value.Check(ManifestSchema, parsed)) {
    throw new FetchFailure(
      "manifest",
      "The published manifest is signed and holds no manifest: publish anew.",
    );
  }
  const isLayered = parsed.format === LAYERED_FORMAT;
  if (isLayered !== (parsed.layers !== undefined)) {
    throw new FetchFailure(
      "manifest",
      "The published manifest holds layers of another format: publish anew.",
    );
  }
  for (const [place, layer] of publishedLayers(parsed).entries()) {
    refuseLayer(layer, place === 0 ? "snapshot" : "segment");
  }
  return parsed;
}

/** @throws {FetchFailure} `manifest` or `layout` */
function refuseLayer({ layout, file }: PublishedLayer, kind: "snapshot" | "segment"): void {
  if (file.name !== fileNameOf(file.sha256, kind)) {
    throw new FetchFailure(
      "manifest",
      "The published manifest names a file by another checksum: publish anew.",
    );
  }
  if (layout < OLDEST_LAYOUT_READ || layout > LAYOUT_VERSION) {
    throw new FetchFailure(
      "layout",
      `The published snapshot has layout ${layout} and this program reads layouts ${OLDEST_LAYOUT_READ} to ${LAYOUT_VERSION}: run the publisher's version of the program here.`,
    );
  }
}
