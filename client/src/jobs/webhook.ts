/**
 * Verifies webhook messages (Standard Webhooks, github.com/standard-webhooks/standard-webhooks, symmetric scheme v1).
 */
import type { Job } from "../api/resources.ts";
import { OpzoekError } from "../errors.ts";
import type { JobKind } from "./types.ts";

type EndedStatus = "completed" | "cancelled" | "expired";

/** A message: the list and how it ended. */
export interface WebhookMessage {
  /** The same for every delivery: a message can arrive twice. */
  readonly messageId: string;
  readonly type: `job.${EndedStatus}`;
  /** When the list ended, ISO 8601 UTC. */
  readonly timestamp: string;
  readonly data: {
    readonly id: string;
    readonly kind: JobKind;
    readonly status: EndedStatus;
    readonly counts: Job["counts"];
    readonly tokens: { readonly charged: number };
  };
}

/** The headers of a request, in the form of `fetch` or of Node.js. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Options of `verifyWebhook()`. */
export interface VerifyOptions {
  /** The allowed difference between the clocks, seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Now, Unix milliseconds. */
  readonly nowMs?: number | undefined;
}

/** The message does not come from the service, or is too old. Answer 400 and ignore it. */
export class WebhookVerificationError extends OpzoekError {
  constructor(message: string) {
    super("WEBHOOK_VERIFICATION", message);
  }
}

const TOLERANCE_SECONDS = 300;
/** The service sends at most four, while secrets change. Bounds the work for forged requests. */
const MAX_SIGNATURES = 8;

/**
 * Verifies the signature and time of a message and parses it.
 * @param body the raw body: parsed and serialised again, the signature no longer matches
 * @param secrets `whsec_…`, several while they change
 * @throws {WebhookVerificationError} (rejects) if it is not signed with one of them, or too old
 */
export async function verifyWebhook<Message extends { readonly messageId: string } = WebhookMessage>(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<Message> {
  const [messageId, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!messageId || !timestamp || !signatures)
    throw new WebhookVerificationError(
      "the headers webhook-id, webhook-timestamp and webhook-signature are required, once each",
    );
  const lateSeconds = /^[0-9]{1,15}$/.test(timestamp) ? nowMs / 1_000 - Number(timestamp) : Number.NaN;
  if (!(Math.abs(lateSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      "webhook-timestamp is too old or in the future; check this machine's clock",
    );
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = new Blob([`${messageId}.${timestamp}.`, bytes]);
  const given = signatures
    .split(" ")
    .slice(0, MAX_SIGNATURES)
    .flatMap((signature) => (signature.startsWith("v1,") ? [bytesIn(signature.slice(3))] : []));
  const content = await signed.arrayBuffer();
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const key = await keyOf(secret);
    for (const signature of given) {
      // Compares in constant time.
      if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, content)))
        return { messageId, ...messageIn(bytes) } as Message;
    }
  }
  throw new WebhookVerificationError("no signature matches a secret");
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === "string" ? value : undefined;
}

/** @throws {TypeError} for an invalid secret; the message does not repeat it */
async function keyOf(secret: string) {
  const bytes = bytesIn(secret.replace(/^whsec_/, ""));
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError("a secret must be whsec_ followed by base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Decodes base64; undefined when it is invalid. */
function bytesIn(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function messageIn(bytes: Uint8Array): object {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new WebhookVerificationError("the body is signed but not JSON");
  }
}
