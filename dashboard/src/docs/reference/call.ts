/** What came of a call that was tried. */
export interface Answered {
  readonly status: number;
  readonly milliseconds: number;
  /** Tokens that it cost and tokens left, where the answer says so. */
  readonly charged: number | undefined;
  readonly remaining: number | undefined;
  readonly requestId: string | undefined;
  /** JSON, or the text where it is none. */
  readonly body: unknown;
}

interface Call {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Empty for a call without one. */
  readonly key: string;
  readonly body: string | undefined;
  readonly bodyType: string;
}

/**
 * Calls the service that served this page, as a program would: no cookie goes along.
 * @throws {TypeError} when the service cannot be reached
 */
export async function call({ method, path, key, body, bodyType }: Call): Promise<Answered> {
  const began = performance.now();
  const response = await fetch(path, {
    method,
    credentials: "omit",
    cache: "no-store",
    headers: {
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": bodyType }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const count = (header: string) => {
    const value = response.headers.get(header);
    return value === null ? undefined : Number(value);
  };
  return {
    status: response.status,
    milliseconds: performance.now() - began,
    charged: count("x-tokens-charged"),
    remaining: count("x-tokens-remaining"),
    requestId: response.headers.get("x-request-id") ?? undefined,
    body: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
