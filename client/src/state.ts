/** The remaining amount of a limit, and when it resets. */
export interface Left {
  readonly remaining: number;
  readonly resetAt: Date;
}

/**
 * The key's rate and the account's tokens after a call; undefined if the response lacks the headers, as without a valid
 * key.
 */
export interface Balance {
  /** Calls of this minute. */
  readonly rate?: (Left & { readonly limit: number }) | undefined;
  /** Tokens of this month, after the call; `charged` is what it cost. */
  readonly tokens?: (Left & { readonly charged: number }) | undefined;
}

/** Reads the headers `X-RateLimit-*` and `X-Tokens-*`. */
export function balanceOf(headers: Headers): Balance {
  const number = (name: string): number => Number(headers.get(`x-${name}`) ?? Number.NaN);
  const left = (name: string): Left => ({
    remaining: number(`${name}-remaining`),
    resetAt: new Date(number(`${name}-reset`) * 1_000),
  });
  const [rate, tokens] = [left("ratelimit"), left("tokens")];
  return {
    ...(isKnown(rate) && { rate: { ...rate, limit: number("ratelimit-limit") } }),
    ...(isKnown(tokens) && { tokens: { ...tokens, charged: number("tokens-charged") } }),
  };
}

function isKnown({ remaining, resetAt }: Left): boolean {
  return !Number.isNaN(remaining) && !Number.isNaN(resetAt.getTime());
}
