import { type KeyObject, sign, verify } from "node:crypto";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SnapshotInfoSchema } from "../info.ts";
import { LAYOUT_VERSION } from "../layout.ts";
import { FetchFailure } from "./failure.ts";

export const MANIFEST_FILE = "manifest.json";
/** Increase with every incompatible change. */
export const MANIFEST_FORMAT = 3;
/** Real manifests have about 1,000 bytes plus 80 per origin. */
export const MAX_MANIFEST_BYTES = 256 * 1024;
/** Prepended before signing, so that no other signed text can pass for a manifest. */
const SIGNED_AS = "opzoek registry manifest\n";

const closed = { additionalProperties: false } as const;
const Size = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const IsoTime = Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z$" });
const { companies, origins, sha256 } = SnapshotInfoSchema.properties;

/** The content of the file: the manifest as text, and the signature of SIGNED_AS and that text as base64url. */
const SignedSchema = Type.Object(
  { manifest: Type.String(), ed25519: Type.String({ pattern: "^[A-Za-z0-9_-]{86}$" }) },
  closed,
);

const ManifestSchema = Type.Object(
  {
    format: Type.Literal(MANIFEST_FORMAT),
    /**
     * Increases with each publication; a node never accepts a lower one. Unix milliseconds, unless the clock went back.
     */
    serial: Size,
    /** The time of the last signature: publication or renewal. */
    publishedAt: IsoTime,
    /** The layout of its files; see LAYOUT_VERSION. */
    layout: Type.Integer({ minimum: 1 }),
    snapshot: Type.Object({ sha256, companies, origins, createdAt: IsoTime }, closed),
    archive: Type.Object(
      {
        name: Type.String({ pattern: "^registry-[0-9]{1,16}\\.tar\\.zst$" }),
        sha256,
        bytes: Size,
        unpackedBytes: Size,
      },
      closed,
    ),
  },
  closed,
);
export type Manifest = Static<typeof ManifestSchema>;

/** The content of a manifest's file. */
export function signManifest(manifest: Manifest, privateKey: KeyObject): string {
  const text = JSON.stringify(manifest);
  const signature = sign(null, Buffer.from(SIGNED_AS + text), privateKey);
  return `${JSON.stringify({ manifest: text, ed25519: signature.toString("base64url") })}\n`;
}

/**
 * Reads a manifest file. Parses it only after one of the keys has verified its signature.
 * @throws {FetchFailure} `untrusted` or `version`
 */
export function readManifest(bytes: Buffer, publicKeys: readonly KeyObject[]): Manifest {
  const signed = parseJson(bytes.toString("utf8"));
  if (!Value.Check(SignedSchema, signed)) {
    throw untrusted(
      'it has no signature: check that REGISTRY_URL is the folder that "opzoek registry publish" wrote',
    );
  }
  const text = Buffer.from(SIGNED_AS + signed.manifest);
  const signature = Buffer.from(signed.ed25519, "base64url");
  if (!publicKeys.some((key) => verify(null, text, key, signature))) {
    throw untrusted(
      "it is not signed by a key of REGISTRY_PUBLIC_KEY: it was changed on its way, or the publisher has another key. Ask the publisher for the public key before you trust it",
    );
  }
  const manifest = parseJson(signed.manifest);
  refuseOtherVersion(manifest, "format", MANIFEST_FORMAT);
  if (!Value.Check(ManifestSchema, manifest)) throw untrusted("it is signed but not valid: publish again");
  refuseOtherVersion(manifest, "layout", LAYOUT_VERSION);
  return manifest;
}

export function untrusted(reason: string): FetchFailure {
  return new FetchFailure("untrusted", `The published ${MANIFEST_FILE} is refused because ${reason}.`);
}

function refuseOtherVersion(manifest: unknown, name: string, readable: number): void {
  const found: unknown = typeof manifest === "object" && manifest !== null && Reflect.get(manifest, name);
  if (typeof found !== "number" || found === readable) return;
  throw new FetchFailure(
    "version",
    `The published registry has ${name} ${found}, but this program reads ${readable}: run the publisher's version of the program here.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
