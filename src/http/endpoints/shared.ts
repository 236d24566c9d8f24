import { Type } from "typebox";
import { KVK_NUMBER_PATTERN, type KvkNumber, LOST_ZERO } from "../../contract/numbers.ts";
import { TYPING_SESSION } from "../../contract/typingSession.ts";

/** One of several texts. */
export const oneOf = <const Word extends string>(
  words: readonly Word[],
  description: string,
  example: NoInfer<Word>,
) => Type.Unsafe<Word>({ type: "string", enum: [...words], description, examples: [example] });

/** True or absent, or false or absent. */
export const onlyWhen = <const Value extends boolean>(value: Value, description: string) =>
  Type.Optional(Type.Unsafe<Value>({ type: "boolean", enum: [value], description, examples: [value] }));

/** A KVK number in a path or query. */
export const kvkNumberField = (description: string) =>
  Type.Unsafe<KvkNumber>({
    type: "string",
    pattern: KVK_NUMBER_PATTERN,
    description,
    examples: ["51234567"],
    "x-rule": "exactly 8 digits",
    "x-hint": LOST_ZERO,
    "x-error": "INVALID_KVK_NUMBER",
  });

/** The KVK number in a path. */
export const KvkNumberParameter = kvkNumberField("KVK number: exactly eight digits, leading zeros included.");

/** An hour: fresher data would use up the operator's paid calls. */
const MIN_AGE_SECONDS = 3_600;
const MAX_AGE_SECONDS = 315_360_000;

/** The maximum age of a company's data. */
export const MaxAgeParameter = Type.Optional(
  Type.Integer({
    minimum: MIN_AGE_SECONDS,
    maximum: MAX_AGE_SECONDS,
    description:
      "Maximum age of the data in seconds, at least an hour. Older data is fetched from KVK again, if possible. If KVK does not answer, the older data is returned; see source.cachedAt.",
    examples: [86_400],
  }),
);

/** A year. */
const MAX_VERDICT_AGE_SECONDS = 31_536_000;

const verdictAge = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_VERDICT_AGE_SECONDS, description, examples: [0] }));

/** The maximum age of a verdict, for a validation and for an enriched lookup. */
export const VerdictMaxAgeParameter = verdictAge(
  "Maximum age of a fresh answer in seconds; 0 asks VIES now.",
);
export const VatMaxAgeParameter = verdictAge(
  "Maximum age, in seconds, of VIES's answer on the VAT number of an enriched company; 0 asks VIES now. Ignored for a basic lookup.",
);

/** Converts seconds to milliseconds. */
export function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** A typing session. */
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
