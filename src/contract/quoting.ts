const MOST_QUOTED = 40;
/** A key anywhere in the text, whole or cut: a quoted key would end up in someone's log. */
const LOOKS_LIKE_A_KEY = /opz_|[A-Za-z0-9]{30,}/i;

/**
 * What was received, fit for an error message: at most 40 characters, control characters shown as `?`, and
 * nothing at all where a key may hide in it. Never pass a VAT number: it can hold a citizen number.
 */
export function quoted(received: string): string {
  if (LOOKS_LIKE_A_KEY.test(received)) return "a value that is not repeated here";
  const text = received.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/g, "?");
  const characters = [...text];
  return characters.length > MOST_QUOTED ? `"${characters.slice(0, MOST_QUOTED).join("")}…"` : `"${text}"`;
}
