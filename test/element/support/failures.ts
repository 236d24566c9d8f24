import { type Reply, refusal } from "./stage.ts";

/** The failures of a search: the code for the page, and the texts in English and Dutch. */
export const FAILURES: readonly (readonly [string, Reply | "cut", string, string, string])[] = [
  [
    "a key that is not accepted",
    refusal(401, "UNAUTHORIZED"),
    "UNAUTHORIZED",
    "the key is not accepted",
    "de sleutel wordt niet geaccepteerd",
  ],
  [
    "another site than the key is for",
    refusal(403, "FORBIDDEN"),
    "FORBIDDEN",
    "cannot be used on this site",
    "deze sleutel is niet geldig op deze site",
  ],
  [
    "an empty allowance",
    refusal(429, "QUOTA_EXCEEDED", { "retry-after": "86400" }),
    "QUOTA_EXCEEDED",
    "search limit has been reached",
    "De zoeklimiet is bereikt",
  ],
  [
    "a registry that is away",
    refusal(502, "UPSTREAM_ERROR"),
    "UPSTREAM_ERROR",
    "is not available at the moment",
    "Zoeken werkt op dit moment niet",
  ],
  [
    "a fault of the service",
    refusal(500, "INTERNAL_ERROR"),
    "INTERNAL_ERROR",
    "is not available at the moment",
    "Zoeken werkt op dit moment niet",
  ],
  [
    "a proxy's page",
    { status: 502, body: "<h1>Bad gateway</h1>" },
    "BAD_ANSWER",
    "is not available at the moment",
    "Zoeken werkt op dit moment niet",
  ],
  [
    "a page instead of a response",
    { body: "<h1>Hello</h1>" },
    "BAD_ANSWER",
    "is not available at the moment",
    "Zoeken werkt op dit moment niet",
  ],
  [
    "an answer of another form",
    { body: { results: "none" } },
    "BAD_ANSWER",
    "is not available at the moment",
    "Zoeken werkt op dit moment niet",
  ],
  [
    "a cut connection",
    "cut",
    "UNREACHABLE",
    "is not available at the moment",
    "Zoeken werkt op dit moment niet",
  ],
];
