import { Type } from "typebox";
import { invalid } from "../../contract/errors.ts";
import { text } from "../../contract/fields.ts";
import { quoted } from "../../contract/quoting.ts";
import { BROWSER_CALLS_PER_MINUTE, TOKEN_MINUTES } from "../../contract/tokenForm.ts";
import { TYPING_SESSION } from "../../contract/typingSession.ts";
import { isPageOrigin } from "../../lib/origins.ts";
import { free } from "../endpoint.ts";
import { sessionField } from "./shared.ts";

const MAX_ORIGIN = 270;

/** A short-lived token for one page and one typing session, for pages that should not contain a key. */
export const tokens = free({
  method: "POST",
  path: "/v1/tokens",
  operation: "tokens",
  tag: "Account",
  summary: "Create a token for a web page",
  description: `A token for one page and one typing session (free; counts towards the rate limit). Your server creates it with a live key and passes it to the page, which sends it as \`Authorization: Bearer\`. The token allows autocomplete with that \`session\`, and basic lookups if \`lookup\` is true, only from that \`origin\`, ${BROWSER_CALLS_PER_MINUTE} calls per minute. Its calls are charged to the key's account. It expires at \`expiresAt\`, or when the key ends.`,
  schema: {
    body: Type.Object({
      origin: Type.String({
        maxLength: MAX_ORIGIN,
        description:
          "The page's origin as browsers send it: scheme, host, and the port if it is not the scheme's default.",
        examples: ["https://shop.example"],
      }),
      session: sessionField(`The typing session, ${TYPING_SESSION.rule}.`),
      minutes: Type.Optional(
        Type.Integer({
          minimum: TOKEN_MINUTES.min,
          maximum: TOKEN_MINUTES.max,
          description: `Lifetime in minutes; ${TOKEN_MINUTES.usual} by default.`,
          examples: [TOKEN_MINUTES.usual],
        }),
      ),
      lookup: Type.Optional(
        Type.Boolean({ description: "Whether it also allows basic lookups.", examples: [true] }),
      ),
    }),
    response: Type.Object({
      token: text("The token. Keep it secret until it expires.", "opz_tok_MQprZXlf…"),
      origin: text("The page's origin.", "https://shop.example"),
      session: text("The typing session.", "3f0c1f6e-6f0f-4a4e-9a50-0b7d1c1f9a57"),
      expiresAt: text("When it expires, ISO 8601 UTC.", "2026-11-22T19:15:00.000Z"),
    }),
  },
  read: ({ body }) => {
    if (isPageOrigin(body.origin)) return body;
    throw invalid(
      `origin must be a page's origin as browsers send it, such as https://shop.example: lower case, no path, no trailing slash; received ${quoted(body.origin)}`,
    );
  },
  handler: async ({ origin, session, minutes, lookup }, services, { keyId, keyKind }) => {
    const claims = { keyId, keyKind, origin, session, mayLookUp: lookup === true };
    const created = await services.tokens.make(claims, minutes ?? TOKEN_MINUTES.usual);
    return { body: { token: created.token, origin, session, expiresAt: created.expiresAt } };
  },
});
