const MOST_QUOTED = 40;
/** A key anywhere in the text, whole or cut: a quoted key would end up in someone's log. */
const LOOKS_LIKE_A_KEY = /opz_|[A-Za-z0-9]{30,}/i;
/** A Dutch VAT number anywhere in the text: its nine digits may be a citizen number. */
const LOOKS_LIKE_A_DUTCH_VAT_NUMBER = /[0-9]{9}B[0-9]{2}/i;

/**
 * What was received, fit for an error message: at most 40 characters, control characters shown as `?`, and
 * nothing at all where a key or a Dutch VAT number may hide in it. What is meant to be a VAT number is never passed.
 */
export function quoted(received: string): string {
  const compact = received.replace(/[\s./\p{Dash_Punctuation}]/gu, "");
  if (LOOKS_LIKE_A_KEY.test(received) || LOOKS_LIKE_A_DUTCH_VAT_NUMBER.test(compact))
    return "a value that is not repeated here";
  const text = received.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/g, "?");
  const characters = [...text];
  return characters.length > MOST_QUOTED ? `"${characters.slice(0, MOST_QUOTED).join("")}…"` : `"${text}"`;
}
