/** What the page shows to whoever opens it, by `/account/status`, `/account/suggestions` and `/account/offer`. */
import { type Static, Type } from "typebox";
import { closed, count, moment, offerFields, text, viesState, word } from "./accountFields.ts";
import { type AutocompleteItem, AutocompleteItemSchema, refTo } from "./resources.ts";

const HEALTH_WORDS = ["up", "degraded", "down"] as const;

export const ServiceStatusSchema = Type.Object(
  {
    service: word(["ok", "degraded", "down"], "The service as a whole, as `/v1/health` says it."),
    registrySource: word(HEALTH_WORDS, "Where companies come from."),
    registry: Type.Optional(
      Type.Object(
        {
          companies: count("Companies in the registry.", 4_000_000),
          asOf: Type.Optional(moment("The newest date of its data.")),
        },
        { ...closed, description: "The registry that is held; absent where there is none." },
      ),
    ),
    vies: viesState,
    slotSeconds: Type.Optional(count("How long a slot is, seconds.", 1_800)),
    viesDay: Type.Optional(
      Type.Array(
        Type.Object(
          {
            state: text("The member state, as VIES writes it.", "NL"),
            slots: Type.Array(
              Type.Object(
                {
                  startsAt: moment("When it began."),
                  answered: count("Questions that VIES answered."),
                  unanswered: count("Questions that it did not.", 0),
                },
                closed,
              ),
              { description: "Those in which it was asked, in order." },
            ),
          },
          closed,
        ),
        {
          description:
            "The states that VIES was asked about in the last twenty-four hours, as this service reached it; absent while that cannot be read.",
        },
      ),
    ),
    checkedAt: moment("When this was looked at."),
  },
  { ...closed, description: "How the service is." },
);
export type ServiceStatus = Static<typeof ServiceStatusSchema>;

export const SuggestionsSchema = Type.Object(
  {
    results: Type.Array(refTo<AutocompleteItem>(AutocompleteItemSchema), {
      description: "Companies that fit, best first.",
    }),
  },
  { ...closed, description: "What is suggested to who has no account." },
);
export type Suggestions = Static<typeof SuggestionsSchema>;

export const OfferSchema = Type.Object(offerFields, { ...closed, description: "What there is to have." });
export type Offer = Static<typeof OfferSchema>;

/** Facts about a service that every page shows, out of the document of the page. */
export interface Site {
  /** Whether its companies are made up, as those of the demo. */
  readonly isFictional: boolean;
  /** The operator's links; each is absent where it was not set. */
  readonly operator: {
    /** A page, or an address as `mailto:`. */
    readonly contact?: string;
    readonly termsUrl?: string;
    readonly privacyUrl?: string;
  };
}
