/** A part of a body, first and last byte included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The one range of bytes that a header asks for (RFC 9110, section 14.1.2). What cannot be understood, and several ranges at once, are left
 * out of account, as a server may do.
 * @returns `beyond` where nothing of it is there
 */
export function rangeOf(header: string | undefined, total: number): ByteRange | "beyond" | undefined {
  const [, from, to] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return undefined;
  if (from === "") {
    const length = Math.min(total, Number(to));
    return length === 0 ? "beyond" : { first: total - length, last: total - 1 };
  }
  const first = Number(from);
  if (first >= total) return "beyond";
  const last = to === "" ? total - 1 : Math.min(total - 1, Number(to));
  return last < first ? undefined : { first, last };
}
