const MAX_QUOTED = 40;
/** The part of a text that is searched for secrets. */
const MAX_READ = 400;

/** Parts of API keys, tokens and webhook secrets, and character runs that occur only in secrets and ids. */
const SECRETS = [
  /opz_|whsec_/i,
  /[A-Za-z0-9_-]{30,}/,
  /(?<![A-Z2-7])[A-Z2-7]{4}(?:[ -][A-Z2-7]{4}){3}(?![A-Z2-7])/i,
];
/** Secret if they mix upper case, lower case and digits, as random texts of this length do. */
const RUNS = /[A-Za-z0-9_+/-]{16,}/g;
/** URLs with a user or password, a query or a fragment: webhooks and links carry secrets there. */
const SECRET_URL = /:\/\/[^\s/]{0,99}@|:\/\/\S{0,299}[?#]|[^\s:@/]:[^\s:@/]{1,99}@[^\s@]/;
const STATES =
  "AT BE BG CY CZ DE DK EE EL ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ");
/** Any separator: a VAT number with an unsupported one would be quoted as invalid. */
const SEPARATED = "[^A-Z0-9]*";
/** A member state at the beginning of a word or after a label, and six digits or more. */
const VAT_NUMBER = new RegExp(
  `(?<![A-Z])(?:VAT|BTW)?(?:${STATES.map((state) => [...state].join(SEPARATED)).join("|")})(?:${SEPARATED}[A-Z]){0,2}(?:${SEPARATED}[0-9]){6}`,
);
/**
 * Matched against the letters and digits of a whole text; the nine digits of a Dutch number may be a citizen number.
 */
const COMPACT_VAT_NUMBERS = [
  /[0-9]{9}B[0-9]{2}/,
  new RegExp(`^(?:${STATES.join("|")})(?=[A-Z]*[0-9][A-Z]*[0-9])[A-Z0-9]{2,12}$`),
];

/**
 * Quotes received text in an error message: at most 40 characters, control characters as `?`, and nothing of a text
 * that may contain a secret ({@link mayHoldSecret}).
 */
export function quoted(received: string): string {
  if (mayHoldSecret(received.slice(0, MAX_READ))) return "a value that may be secret";
  const text = received.slice(0, MAX_READ).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/g, "?");
  const characters = [...text];
  return characters.length > MAX_QUOTED ? `"${characters.slice(0, MAX_QUOTED).join("")}…"` : `"${text}"`;
}

/** Quotes a received value: a text, or the JSON of anything else. */
export function quotedValue(received: unknown): string {
  return quoted(typeof received === "string" ? received : (JSON.stringify(received) ?? String(received)));
}

/**
 * Whether a text may contain all or part of an API key, a token, a link, a URL with credentials, or a VAT number, which
 * must not be logged.
 */
export function mayHoldSecret(text: string): boolean {
  const plain = text.normalize("NFKC").replace(/[\p{Cf}\p{Cc}]/gu, "");
  const upper = plain.toUpperCase();
  const compact = upper.replace(/[^A-Z0-9]/g, "");
  return (
    SECRETS.some((secret) => secret.test(plain)) ||
    SECRET_URL.test(plain) ||
    VAT_NUMBER.test(upper) ||
    COMPACT_VAT_NUMBERS.some((number) => number.test(compact)) ||
    (plain.match(RUNS) ?? []).some((run) => /[a-z]/.test(run) && /[A-Z]/.test(run) && /[0-9]/.test(run))
  );
}
