import { OperatorError } from "../../lib/operatorError.ts";
import { trusting } from "../../upstream/certificates.ts";
import { type NoResponse, openHttpPool, type UpstreamResponse } from "../../upstream/pool.ts";

/** The connection to KVK's API. */
export interface KvkUpstream {
  /** Requests `path` (with its query) under the base address. Never rejects. `signal` cancels the call. */
  get(path: string, signal: AbortSignal): Promise<UpstreamResponse | NoResponse>;
  close(): Promise<void>;
}

export interface KvkAccess {
  /** `https://api.kvk.nl/api`, or `https://api.kvk.nl/test/api` */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** PEM of additional trusted root certificates: KVK uses a private root. */
  readonly extraCertificates?: string;
}

/** The settings for KVK are invalid. The message names the setting and never contains the key. */
export class BadKvkAccess extends OperatorError {
  constructor(message: string) {
    super(message);
    this.name = "BadKvkAccess";
  }
}

/** A profile takes kilobytes, a page of a search or of signals some 200 KB. */
const MAX_BYTES = 512 * 1024;
/** The list of branches of a company with thousands of branches takes a megabyte or two. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const LIST = /\/vestigingen$/;

/** @throws {OperatorError} when the key cannot be sent or the certificates cannot be read */
export function kvkOverHttp({ baseUrl, apiKey, extraCertificates }: KvkAccess): KvkUpstream {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new BadKvkAccess(
      "KVK_API_KEY must be the key alone: letters, digits and signs without space or line end",
    );
  }
  const pool = openHttpPool({
    maxBytes: MAX_BYTES,
    ...trusting(extraCertificates, "KVK_API_CA"),
  });
  const headers = { apikey: apiKey, accept: "application/hal+json" };
  return {
    get: (path, signal) =>
      pool.ask(baseUrl + path, { headers, signal, ...(LIST.test(path) && { maxBytes: MAX_LIST_BYTES }) }),
    close: () => pool.close(),
  };
}
