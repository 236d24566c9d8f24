/** Data that the page shows without signing in, by `/account/status`, `/account/suggestions` and `/account/offer`. */
import { type Static, Type } from "typebox";
import { offerFields, serviceState, upstreamState, viesState } from "./accountFields.ts";
import { type Coverage, CoverageSchema } from "./coverage.ts";
import { count, moment, object, rows, text } from "./fields.ts";
import { type Hint, HintSchema } from "./hints.ts";
import { type AutocompleteItem, AutocompleteItemSchema, refTo } from "./resources.ts";

export const ServiceStatusSchema = object("The state of the service.", {
  service: serviceState,
  registrySource: upstreamState,
  /** Absent without a registry. */
  registry: Type.Optional(refTo<Coverage>(CoverageSchema)),
  vies: viesState,
  slotSeconds: Type.Optional(count("The length of a slot, seconds.")),
  viesDay: Type.Optional(
    rows(
      "The member states that this service asked VIES about in the last 24 hours; absent while that cannot be read.",
      {
        state: text("The member state, by the code of VIES."),
        slots: rows("The time slots with requests, in order.", {
          startsAt: moment("When it began."),
          answered: count("Requests that VIES answered."),
          unanswered: count("Requests that it did not answer."),
        }),
      },
    ),
  ),
  checkedAt: moment("When this was read."),
});
export type ServiceStatus = Static<typeof ServiceStatusSchema>;

export const SuggestionsSchema = object("Suggestions for visitors without an account.", {
  results: Type.Array(refTo<AutocompleteItem>(AutocompleteItemSchema), {
    description: "Matching companies, best first.",
  }),
  hint: Type.Optional(refTo<Hint>(HintSchema)),
});
export type Suggestions = Static<typeof SuggestionsSchema>;

export const OfferSchema = object("The plans and prices.", offerFields);
export type Offer = Static<typeof OfferSchema>;

/** Facts about the service that every page shows, embedded in the page's HTML. */
export interface Site {
  /** Whether its companies are fictional, as in the demo. */
  readonly isFictional: boolean;
  /** The operator's links; each is absent if it is not set. */
  readonly operator: {
    /** The URL of a page, or a `mailto:` address. */
    readonly contact?: string;
    readonly termsUrl?: string;
    readonly privacyUrl?: string;
  };
}
