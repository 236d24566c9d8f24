const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = [Buffer.from("content-length: "), Buffer.from("Content-Length: ")];
const CHARGED = [Buffer.from("x-tokens-charged: "), Buffer.from("X-Tokens-Charged: ")];
const ZERO = 0x30;
const STATUS_AT = "HTTP/1.1 ".length;

export interface Answer {
  readonly status: number;
  readonly tokensCharged: number;
  readonly body: Buffer;
}

/**
 * Cuts what one connection receives into answers. It knows as much of HTTP/1.1 as two servers that both send
 * `Content-Length` need, and no more: every microsecond of the client is taken from what it can measure.
 */
export class AnswerReader {
  #held: Buffer | undefined;

  /**
   * The answer that is complete with this chunk, or undefined when more must come.
   * @throws {Error} for an answer without a length: the connection cannot be followed any further
   */
  read(chunk: Buffer): Answer | undefined {
    const data = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const headEnd = data.indexOf(HEAD_END);
    const length = headEnd < 0 ? undefined : numberAfter(data, LENGTH, headEnd);
    if (headEnd >= 0 && length === undefined) throw new Error("an answer came without Content-Length");
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

function numberAfter(data: Buffer, names: readonly Buffer[], headEnd: number): number | undefined {
  for (const name of names) {
    const at = data.indexOf(name);
    if (at >= 0 && at < headEnd) return digits(data, at + name.length);
  }
  return undefined;
}

function digits(data: Buffer, start: number): number {
  let value = 0;
  for (let at = start; at < data.length; at++) {
    const digit = (data[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value;
}
