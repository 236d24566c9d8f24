const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = Buffer.from("\r\ncontent-length: ");
const CHARGED = Buffer.from("\r\nx-tokens-charged: ");
const MAX_DIGITS = 12;
const STATUS_AT = "HTTP/1.1 ".length;

export interface Response {
  readonly status: number;
  readonly tokensCharged: number;
  readonly body: Buffer;
}

/**
 * Splits the data of one connection into responses. It parses only the HTTP/1.1 that both servers send, because time
 * that the client takes is lost to the measurement.
 */
export class ResponseReader {
  #held: Buffer | undefined;

  /**
   * Returns the response that this chunk completes; undefined if data is missing.
   * @throws {Error} for a response without `content-length`
   */
  read(chunk: Buffer): Response | undefined {
    const data = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const headEnd = data.indexOf(HEAD_END);
    const length = headEnd < 0 ? undefined : numberAfter(data, LENGTH, headEnd);
    if (headEnd >= 0 && length === undefined) throw new Error("a response has no content-length");
    const bodyStart = headEnd + HEAD_END.length;
    if (length === undefined || data.length < bodyStart + length) {
      this.#held = data;
      return undefined;
    }
    this.#held = undefined;
    return {
      status: digits(data, STATUS_AT),
      tokensCharged: numberAfter(data, CHARGED, headEnd) ?? 0,
      body: data.subarray(bodyStart, bodyStart + length),
    };
  }
}

function numberAfter(data: Buffer, name: Buffer, headEnd: number): number | undefined {
  const at = data.indexOf(name);
  return at >= 0 && at < headEnd ? digits(data, at + name.length) : undefined;
}

/** Parses the whole number at this position. */
function digits(data: Buffer, start: number): number {
  return Number.parseInt(data.toString("latin1", start, start + MAX_DIGITS), 10);
}
