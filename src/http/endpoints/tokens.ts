import { Type } from "typebox";
import { BROWSER_CALLS_PER_MINUTE, TOKEN_MINUTES } from "../../contract/browserRules.ts";
import { ApiError } from "../../contract/errors.ts";
import { quoted } from "../../contract/quoting.ts";
import { TYPING_SESSION } from "../../contract/typingSession.ts";
import { isPageOrigin } from "../../lib/origins.ts";
import { free } from "../endpoint.ts";
import { sessionField, text } from "./shared.ts";

const LONGEST_ORIGIN = 270;

/** A token of minutes for one page and one typing session: for pages whose owner wants no key there at all. */
export const tokens = free({
  method: "POST",
  path: "/v1/tokens",
  operation: "tokens",
  tag: "Account",
  summary: "Make a token for a web page",
  description: `A token for one page and one session of typing (free; it uses a slot of the rate), made on your server with a live key and handed to the page, which sends it as \`Authorization: Bearer\`. It may call autocomplete with that \`session\`, and basic lookups where \`lookup\` is true, from that \`origin\` alone, ${BROWSER_CALLS_PER_MINUTE} calls a minute. What it calls is charged to the key's account; it ends with its time or with the key.`,
  schema: {
    body: Type.Object({
      origin: Type.String({
        maxLength: LONGEST_ORIGIN,
        description:
          "The page's origin, as its browser names it: scheme, name, and the port where it is not the scheme's.",
        examples: ["https://shop.example"],
      }),
      session: sessionField(`The session of typing, ${TYPING_SESSION.rule}.`),
      minutes: Type.Optional(
        Type.Integer({
          minimum: TOKEN_MINUTES.least,
          maximum: TOKEN_MINUTES.most,
          description: `How long it works; ${TOKEN_MINUTES.usual} when left out.`,
          examples: [TOKEN_MINUTES.usual],
        }),
      ),
      lookup: Type.Optional(
        Type.Boolean({ description: "Whether it may do basic lookups too.", examples: [true] }),
      ),
    }),
    response: Type.Object({
      token: text("The token. It is a secret until it ends.", "opz_tok_MQprZXlf…"),
      origin: text("The page's origin.", "https://shop.example"),
      session: text("The session of typing.", "3f0c1f6e-6f0f-4a4e-9a50-0b7d1c1f9a57"),
      expiresAt: text("When it ends, ISO 8601 UTC.", "2026-11-22T19:15:00.000Z"),
    }),
  },
  read: ({ body }) => {
    if (isPageOrigin(body.origin)) return body;
    throw new ApiError(
      "INVALID_REQUEST",
      `origin must be a page's origin in the way its browser names it, such as https://shop.example: lower case, no path, no slash at the end; received ${quoted(body.origin)}`,
    );
  },
  handler: async ({ origin, session, minutes, lookup }, services, { keyId, keyKind }) => {
    const claims = { keyId, keyKind, origin, session, mayLookUp: lookup === true };
    const made = await services.tokens.make(claims, minutes ?? TOKEN_MINUTES.usual);
    return { body: { token: made.token, origin, session, expiresAt: made.expiresAt } };
  },
});
