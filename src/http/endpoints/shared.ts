import { Type } from "typebox";
import { KVK_NUMBER_PATTERN, type KvkNumber, LOST_ZERO } from "../../contract/numbers.ts";
import { TYPING_SESSION } from "../../contract/typingSession.ts";

/** A text of a response. */
export const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** A number of a response that counts something. */
export const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** One of some words. */
export const oneOf = <const Word extends string>(
  words: readonly Word[],
  description: string,
  example: NoInfer<Word>,
) => Type.Unsafe<Word>({ type: "string", enum: [...words], description, examples: [example] });

/** True or absent, or false or absent. */
export const onlyWhen = <const Value extends boolean>(value: Value, description: string) =>
  Type.Optional(Type.Unsafe<Value>({ type: "boolean", enum: [value], description, examples: [value] }));

/** The KVK number of a path. */
export const KvkNumberParameter = Type.Unsafe<KvkNumber>({
  type: "string",
  pattern: KVK_NUMBER_PATTERN,
  description: "KVK number: exactly eight digits, leading zeros included.",
  examples: ["51234567"],
  "x-rule": "exactly 8 digits",
  "x-hint": LOST_ZERO,
  "x-error": "INVALID_KVK_NUMBER",
});

/** An hour: who asks for fresher would burn the operator's paid calls. */
const MIN_AGE_SECONDS = 3_600;
const MAX_AGE_SECONDS = 315_360_000;

/** How old the data of a company may be, of a path that asks for one. */
export const MaxAgeParameter = Type.Optional(
  Type.Integer({
    minimum: MIN_AGE_SECONDS,
    maximum: MAX_AGE_SECONDS,
    description:
      "How old the data may be, in seconds, an hour at least: what is older is asked of KVK anew, where the service can. Without an answer the older data is given; source.cachedAt tells.",
    examples: [86_400],
  }),
);

/** A year. */
const MAX_VERDICT_AGE_SECONDS = 31_536_000;

const verdictAge = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_VERDICT_AGE_SECONDS, description, examples: [0] }));

/** How old a verdict may be, of a path that asks for one, and of one that asks for a company with its verdict. */
export const VerdictMaxAgeParameter = verdictAge(
  "How old a fresh answer may be at most, in seconds; 0 asks VIES now.",
);
export const VatMaxAgeParameter = verdictAge(
  "How old VIES's answer on the VAT number of an enriched company may be at most, in seconds; 0 asks VIES now. A basic lookup has none.",
);

/** A session of typing. */
export const sessionField = (description: string) =>
  Type.String({
    minLength: TYPING_SESSION.minLength,
    maxLength: TYPING_SESSION.maxLength,
    pattern: TYPING_SESSION.pattern,
    description,
    examples: ["3f0c1f6e-6f0f-4a4e-9a50-0b7d1c1f9a57"],
    "x-rule": TYPING_SESSION.rule,
    "x-secret": true,
  });
