/** An error for the log. */
export interface ErrorFacts {
  readonly type: string;
  readonly code?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorFacts;
}

const MAX_CHARACTERS = 4_000;
const MAX_CAUSES = 3;

/**
 * Texts from any source that may be a key, a session, a link, an address, a password in an address or a citizen number.
 */
const SECRETS = [
  /opz_[0-9A-Za-z_-]+/gi,
  /[0-9A-Za-z_-]{30,}/g,
  /(?<![^\s@"'<>:/])[^\s@"'<>:/]+@[^\s@"'<>]+/g,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  /[0-9]{9}B[0-9]{2}/gi,
];
const HIDDEN = "[hidden]";

/**
 * The type and place of an error only. Other properties may contain a query, a header or a whole request, and the
 * message may quote one.
 */
export function errorFacts(error: unknown, causes = MAX_CAUSES): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutSecrets(error) };
  // The message quotes the unparsable text, which may come from a caller.
  const message = error instanceof SyntaxError ? "the text may be secret" : withoutSecrets(error.message);
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

/** Returns a text without possible secrets, cut to a maximum length. */
export function withoutSecrets(text: unknown): string {
  let shown = String(text).slice(0, MAX_CHARACTERS);
  for (const secret of SECRETS) shown = shown.replace(secret, HIDDEN);
  return shown;
}

/** The lines of a stack with locations; the lines before them are the message. */
function framesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n")
    .slice(0, MAX_CHARACTERS);
}
