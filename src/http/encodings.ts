/** The ways in which files are compressed, the smaller one first, and what the names of compressed files end in. */
export const ENDINGS = { br: ".br", gzip: ".gz" } as const;

export type Encoding = keyof typeof ENDINGS;

const ENCODINGS: readonly Encoding[] = ["br", "gzip"];

/** A file's compressed forms, as far as it has them. */
export type Packed = Readonly<Partial<Record<Encoding, Buffer>>>;

/**
 * In which form a client wants a file (RFC 9110, section 12.5.3): the one that it prefers, of equals the smaller one.
 * @param accepted the `Accept-Encoding` of the request
 * @returns undefined for the file as it is, which every client can read
 */
export function chooseEncoding(accepted: string | undefined, packed: Packed): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const weights = weightsIn(accepted);
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0;
  // Only who names it prefers the large form to a small one.
  let best: { readonly encoding: Encoding | undefined; readonly weight: number } = {
    encoding: undefined,
    weight: weights.get("identity") ?? 0,
  };
  for (const encoding of [...ENCODINGS].reverse()) {
    const weight = weightOf(encoding);
    if (packed[encoding] !== undefined && weight > 0 && weight >= best.weight) best = { encoding, weight };
  }
  return best.encoding;
}

function weightsIn(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const value = weight === undefined ? 1 : Number(weight);
    // What cannot be read was not asked for.
    weights.set(name === "x-gzip" ? "gzip" : name, value >= 0 && value <= 1 ? value : 0);
  }
  return weights;
}
