import type { Language } from "../../../dashboard/src/language/bilingual.ts";

/** The preferred term on all screens, and the terms that it replaces. */
export interface Term {
  readonly say: string;
  /** Whole words in any case. */
  readonly notSay?: readonly string[];
  /** Wrong as the whole text of a button, but allowed in a sentence. */
  readonly notAsButton?: readonly string[];
}

/**
 * The terms of the page by language. English uses contractions and imperative buttons; Dutch buttons are infinitives.
 * test/dashboard/terms.test.ts checks all texts.
 */
export const TERMS: Readonly<Record<Language, readonly Term[]>> = {
  en: [
    { say: "Create account", notSay: ["make an account", "make account"] },
    { say: "Create key", notSay: ["make the key", "make a key", "make one", "make another"] },
    { say: "Created", notAsButton: ["made"] },
    { say: "Current password", notSay: ["password now"] },
    { say: "Enter", notSay: ["fill in"] },
    { say: "Refresh", notSay: ["look again"] },
    { say: "I’ve saved it", notSay: ["i have kept it"] },
    { say: "Can’t be checked right now", notSay: ["nobody knows"] },
    { say: "Employees", notSay: ["people at work"] },
    { say: "Enriched lookup", notSay: ["look up everything", "lookup, everything"] },
    { say: "Up to date", notSay: ["fresh answer", "fresh"] },
    { say: "Checked with VIES", notSay: ["confirmed by VIES"] },
    { say: "Outdated", notSay: ["old answer", "marked as old"] },
    { say: "Incorrect format", notSay: ["wrong form", "well formed"] },
    { say: "Temporarily skipped", notSay: ["left alone"] },
    { say: "permanently", notSay: ["for good"] },
    { say: "the operator of this service", notSay: ["whoever runs this service"] },
    { say: "on behalf of your account", notSay: ["in your account's name", "in your account’s name"] },
    { say: "Request a plan", notSay: ["ask for a larger plan", "ask for this plan", "asked for"] },
    { say: "Deregistered", notSay: ["closed down"] },
    { say: "Email address", notSay: ["e-mail", "unwanted mail"] },
    { say: "Status", notAsButton: ["state"] },
    // "Refused" is reserved for the count in Usage: the rate limit, or too few tokens.
    {
      say: "calls fail",
      notSay: [
        "its calls are refused",
        "keys is refused",
        "elsewhere are refused",
        "be refused",
        "we refuse",
      ],
    },
    { say: "maximum", notSay: ["as many keys", "the most keys"] },
    {
      say: "Errors are free; answers cost tokens",
      notSay: ["a mistake costs nothing", "only what is delivered counts"],
    },
  ],
  nl: [
    { say: "in één API", notSay: ["één aanroep ver", "met één aanroep"] },
    { say: "Actueel", notSay: ["vers", "vers antwoord"] },
    { say: "Gecontroleerd bij VIES", notSay: ["bevestigd door VIES"] },
    { say: "Verouderd", notSay: ["oud antwoord", "als oud gemerkt"] },
    { say: "Onjuist formaat", notSay: ["verkeerde vorm", "goed gevormd"] },
    { say: "voldoet niet aan de regels", notSay: ["breekt de regels"] },
    { say: "geeft geen uitsluitsel", notSay: ["heeft geen woord", "laatste woord"] },
    { say: "Nu niet vast te stellen", notSay: ["niemand weet"] },
    { say: "Opzoeken", notSay: ["zoek op"] },
    { say: "Uitgebreid opzoeken", notSay: ["zoek alles op", "opzoeken, alles"] },
    { say: "Status", notAsButton: ["staat"] },
    { say: "Aangemaakt", notSay: ["opnieuw gemaakt"], notAsButton: ["gemaakt"] },
    { say: "Aanmaken", notSay: ["account maken", "maak een account", "maak de sleutel"] },
    { say: "Peildatum", notSay: ["gegevens van"] },
    { say: "Tijdelijk overgeslagen", notSay: ["met rust gelaten"] },
    { say: "Uitproberen", notSay: ["probeer een aanroep"], notAsButton: ["probeer"] },
    { say: "Annuleren", notAsButton: ["annuleer"] },
    { say: "Sluiten", notAsButton: ["sluit"] },
    { say: "Kopiëren", notAsButton: ["kopieer"] },
    { say: "Vernieuwen", notSay: ["kijk opnieuw"] },
    { say: "Intrekken", notSay: ["trek de sleutel in", "trek de aanvraag in"], notAsButton: ["trek in"] },
    { say: "Opslaan", notSay: ["bewaar het nieuwe"] },
    { say: "Ongedaan maken", notSay: ["terug te draaien"] },
    { say: "Definitief verwijderen", notSay: ["voorgoed"] },
    { say: "namens uw account", notSay: ["uit naam van"] },
    // The same as in English.
    {
      say: "aanroepen mislukken",
      notSay: [
        "de aanroepen worden geweigerd",
        "sleutels wordt geweigerd",
        "elders worden geweigerd",
        "nu geweigerd",
        "geweigerd verzoek",
        "geweigerde verzoeken",
      ],
    },
    { say: "maximaal", notSay: ["hoogstens"] },
    { say: "abonnement", notSay: ["plan"] },
    { say: "Uitgeschreven", notSay: ["opgeheven"] },
    { say: "e-mail", notSay: ["mail", "een mail", "ongewenste mail"] },
    {
      say: "Fouten zijn gratis; antwoorden kosten tokens",
      notSay: ["een vergissing", "een fout kost niets"],
    },
  ],
};
