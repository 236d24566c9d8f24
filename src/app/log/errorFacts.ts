/** An error as the log tells it. */
export interface ErrorFacts {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
}

const MOST_CHARACTERS = 4_000;
const MOST_CAUSES = 3;

/** What may be a key, a session, a link, an address, a password in an address or a citizen number, wherever it came from. */
const SECRETS = [
  /opz_[0-9A-Za-z_-]+/gi,
  /[0-9A-Za-z_-]{30,}/g,
  /[^\s@"'<>:/]+@[^\s@"'<>]+/g,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  /[0-9]{9}B[0-9]{2}/gi,
];
const HIDDEN = "[hidden]";

/**
 * What happened and where, and nothing else: what an error carries beside its text may be a query, a header or a whole
 * request, and its text may quote one.
 */
export function errorFacts(error: unknown, causes = MOST_CAUSES): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutSecrets(error) };
  // What cannot be parsed is quoted by the message, and it may be what a caller sent.
  const message =
    error instanceof SyntaxError ? "the text is not repeated here" : withoutSecrets(error.message);
  const { stack, cause } = error;
  const code = "code" in error ? String(error.code) : undefined;
  return {
    type: error.name,
    ...(code !== undefined && { code: withoutSecrets(code) }),
    message,
    ...(stack !== undefined && { stack: `${error.name}: ${message}\n${framesOf(stack)}` }),
    ...(cause !== undefined && causes > 0 && { cause: errorFacts(cause, causes - 1) }),
  };
}

/** A text without what it may quote of secrets, cut to a bounded length. */
export function withoutSecrets(text: unknown): string {
  let shown = String(text).slice(0, MOST_CHARACTERS);
  for (const secret of SECRETS) shown = shown.replace(secret, HIDDEN);
  return shown;
}

/** The lines of a stack that name places; what stands before them is the message. */
function framesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n")
    .slice(0, MOST_CHARACTERS);
}
