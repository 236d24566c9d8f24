/** Matching: what a caller knows of a company, and the companies that may be meant. */
import { type Static, Type } from "typebox";
import { flag, object, resource, text, textOfForm, word } from "./fields.ts";
import { KVK_NUMBER_PATTERN, LOST_ZERO } from "./numbers.ts";

export const MATCH_DECISIONS = ["matched", "ambiguous", "none"] as const;

/** Why a result is not as sure as its names suggest, or what of a query was not used. */
export const MATCH_NOTES = [
  "left_out",
  "number_unusable",
  "number_padded",
  "number_unknown",
  "number_shared",
  "numbers_differ",
  "name_differs",
  "form_differs",
] as const;

/** The parts of a query that are compared with a company. */
export const FEATURE_PARTS = [
  "name",
  "legalForm",
  "city",
  "postalCode",
  "houseNumber",
  "street",
  "website",
  "kvkNumber",
  "rsin",
  "vatNumber",
  "lei",
  "euid",
] as const;

/** Limits of a query and of a call. Lengths are UTF-16 code units. */
export const MATCH_BOUNDS = {
  nameLength: 700,
  fieldLength: 200,
  idLength: 64,
  maxQueries: 100,
  maxCandidates: 10,
  defaultCandidates: 3,
  maxBytes: 512 * 1_024,
} as const;

interface FieldOptions {
  readonly maxLength?: number;
  /** Adds a hint to the error for values of this form. */
  readonly hint?: { readonly pattern: string; readonly hint: string };
  /** Errors do not repeat the value, which may contain a citizen's number. */
  readonly isSecret?: boolean;
}

const field = (
  description: string,
  example: string,
  { maxLength = MATCH_BOUNDS.fieldLength, hint, isSecret }: FieldOptions = {},
) =>
  Type.Optional(
    Type.String({
      maxLength,
      description,
      examples: [example],
      "x-rule": `a string of at most ${maxLength} characters`,
      // Names in lists contain line breaks.
      "x-multiline": true,
      ...(hint !== undefined && { "x-hint": hint }),
      ...(isSecret !== undefined && { "x-secret": isSecret }),
    }),
  );

export const MatchQuerySchema = resource(
  "MatchQuery",
  "The data that you have about one company, as text. It needs a name, a number, or a postal code with a house number. An empty text and `null` count as absent. A number that cannot be right is left out when there is a name, and a note says so.",
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MATCH_BOUNDS.idLength,
        description: `Your own id of this query, different in each query of a call; by default its index in \`queries\`, from "0".`,
        examples: ["debtor-1042"],
      }),
    ),
    name: field("Name or trading name, as it is in your list.", "Bakkerij De Gouden Korenaar B.V.", {
      maxLength: MATCH_BOUNDS.nameLength,
    }),
    city: field("City.", "Amsterdam"),
    postalCode: field("Dutch postal code, with or without its space.", "1012 AB"),
    street: field("Street, with or without the house number.", "Korenmolenlaan"),
    houseNumber: field("House number, with or without its addition.", "17M"),
    kvkNumber: field("KVK number: eight digits, as a string because leading zeros count.", "51234567", {
      hint: LOST_ZERO,
    }),
    rsin: field("RSIN: nine digits, as a string.", "912345603", { isSecret: true }),
    vatNumber: field("Dutch VAT number.", "NL912345603B01", { isSecret: true }),
    lei: field("LEI.", "99990051234567AB1209"),
    euid: field("Dutch EUID; it means the same as the KVK number.", "NLNHR.51234567"),
    website: field("Website; it supports a match, but does not find a company.", "www.korenaar.example"),
  },
);
/** A query as it is sent. */
export type SentMatchQuery = Static<typeof MatchQuerySchema>;

const share = (description: string, example: number) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1, description, examples: [example] }));

export const MatchCandidateSchema = resource("MatchCandidate", "A company that a query may mean.", {
  kvkNumber: textOfForm(
    KVK_NUMBER_PATTERN,
    "KVK number: eight digits as text, including leading zeros.",
    "51234567",
  ),
  name: text("The company's name.", "Bakkerij De Gouden Korenaar B.V."),
  matchedName: Type.Optional(
    text(
      "The trading or statutory name that fits best, when it is not the name itself.",
      "Korenaar Catering",
    ),
  ),
  city: Type.Optional(text("City, where known.", "Amsterdam")),
  isActive: flag("Whether the company is registered as active.", true),
  score: Type.Number({
    minimum: 0,
    maximum: 100,
    description: "The probability that this is the company meant, in percent, with one decimal.",
    examples: [98.6],
  }),
  match: flag("Whether this is the company meant; true for the one candidate of a `matched` query.", true),
  features: object(
    "How well each part of the query fits this company, from 0 (it contradicts) to 1 (it is the same). A part that the query or the company lacks is absent.",
    {
      name: share("The share of the words that agree, weighted by their rarity.", 0.94),
      legalForm: share("Legal form.", 1),
      city: share("City.", 1),
      postalCode: share("Postal code; 0.5 when only its four digits agree.", 1),
      houseNumber: share("House number.", 1),
      street: share("Street.", 1),
      website: share("Website.", 1),
      kvkNumber: share("KVK number.", 1),
      rsin: share("RSIN.", 1),
      vatNumber: share("VAT number.", 1),
      lei: share("LEI.", 1),
      euid: share("EUID.", 1),
    } satisfies Record<(typeof FEATURE_PARTS)[number], unknown>,
  ),
});
export type MatchCandidate = Static<typeof MatchCandidateSchema>;

export const MatchNoteSchema = resource("MatchNote", "A remark about a result, for a person.", {
  code: word(
    MATCH_NOTES,
    "`left_out`: a part of the name was not compared; `number_unusable`: a number that cannot be right was not used; `number_padded`: lost leading zeros were added; `number_unknown`: no company of this registry has the number; `number_shared`: several companies have it; `numbers_differ`: two numbers belong to different companies; `name_differs`: the number belongs to a company with another name; `form_differs`: the legal form is another.",
  ),
  message: text("The note as a sentence.", "the KVK number belongs to a company with another name"),
});
export type MatchNote = Static<typeof MatchNoteSchema>;

export const MatchResultSchema = resource(
  "MatchResult",
  "The result of one query: a decision with its candidates, or an error.",
  {
    id: text("The id of the query.", "debtor-1042"),
    decision: Type.Optional(
      word(
        MATCH_DECISIONS,
        "`matched`: one candidate is the company meant; `ambiguous`: a person must choose; `none`: the company is probably not in the registry. Absent with an error.",
      ),
    ),
    candidates: Type.Optional(
      Type.Array(Type.Unsafe<MatchCandidate>({ $ref: "MatchCandidate#" }), {
        description: "The companies that may be meant, best first; absent with an error.",
      }),
    ),
    notes: Type.Optional(
      Type.Array(Type.Unsafe<MatchNote>({ $ref: "MatchNote#" }), {
        description: "Remarks: data that was not used, and contradictions. Absent if there are none.",
      }),
    ),
    error: Type.Optional(
      object("Why the query was not matched. It costs nothing.", {
        code: text("One of the error codes.", "INVALID_KVK_NUMBER"),
        message: text("The error of this query.", 'kvkNumber must be exactly 8 digits; received "123"'),
      }),
    ),
  },
);
export type MatchResult = Static<typeof MatchResultSchema>;
