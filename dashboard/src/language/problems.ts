import type { Failure, FailureCode } from "../api/failure.ts";
import { bilingual, type Pair } from "./bilingual.ts";
import type { Formats } from "./formats.ts";
import { nonBreaking } from "./nonBreaking.ts";

/** The problem and what to do, for each failure. */

const problems = bilingual({
  INVALID_KVK_NUMBER: [
    "A KVK number has eight digits. Check the number and try again.",
    "Een KVK-nummer heeft acht cijfers. Controleer het nummer en probeer het opnieuw.",
  ],
  INVALID_VAT_NUMBER: [
    "This is not an EU VAT number. It starts with two letters, such as NL, followed by digits and sometimes letters.",
    "Dat is geen Europees btw-nummer. Het begint met twee letters, zoals NL, gevolgd door cijfers en soms letters.",
  ],
  INVALID_REQUEST: [
    "Something in the form isn’t right. Check what you entered and try again.",
    "Er klopt iets niet in het formulier. Controleer wat u hebt ingevuld en probeer het opnieuw.",
  ],
  UNAUTHORIZED: [
    "You are no longer signed in. Sign in and try again.",
    "U bent niet meer ingelogd. Log in en probeer het opnieuw.",
  ],
  FORBIDDEN: [
    "You don’t have permission to do this. If you think you should, ask the operator of this service.",
    "U hebt hier geen rechten voor. Denkt u van wel, vraag het dan aan de beheerder van deze dienst.",
  ],
  NOT_FOUND: [
    "There is no company with this number in the registry.",
    "Er staat geen bedrijf met dit nummer in het register.",
  ],
  NOT_HELD: [
    "The data source of this company doesn’t include branches. Ask the operator of this service. No tokens were charged.",
    "De gegevensbron van dit bedrijf bevat geen vestigingen. Vraag het aan de beheerder van deze dienst. Er zijn geen tokens afgeschreven.",
  ],
  ROUTE_NOT_FOUND: [
    "This part of the service doesn’t exist. Reload the page.",
    "Dit deel van de dienst bestaat niet. Laad de pagina opnieuw.",
  ],
  METHOD_NOT_ALLOWED: [
    "This part of the service has changed. Reload the page.",
    "Dit deel van de dienst is veranderd. Laad de pagina opnieuw.",
  ],
  CONFLICT: [
    "This is already in progress. Try again in a moment. No tokens were charged.",
    "Dit wordt al uitgevoerd. Probeer het zo opnieuw. Er zijn geen tokens afgeschreven.",
  ],
  CURSOR_EXPIRED: [
    "These changes are no longer kept. Reload the page.",
    "Deze wijzigingen worden niet meer bewaard. Laad de pagina opnieuw.",
  ],
  PAYLOAD_TOO_LARGE: [
    "That is too much at once. Send less and try again.",
    "Dat is te veel tegelijk. Stuur minder en probeer het opnieuw.",
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    "This part of the service has changed. Reload the page.",
    "Dit deel van de dienst is veranderd. Laad de pagina opnieuw.",
  ],
  RANGE_NOT_SATISFIABLE: [
    "You already have everything. Load it again.",
    "U hebt alles al. Laad het opnieuw.",
  ],
  RATE_LIMIT_EXCEEDED: [
    "Too many requests in a short time. Wait a moment and try again.",
    "Te veel verzoeken in korte tijd. Wacht even en probeer het opnieuw.",
  ],
  QUOTA_EXCEEDED: [
    "You don’t have enough tokens left this month. Wait for the new month, or request a larger plan.",
    "U hebt deze maand te weinig tokens over. Wacht op de nieuwe maand of vraag een groter abonnement aan.",
  ],
  UPSTREAM_ERROR: [
    "The source of this data isn’t answering right now. Try again in a few minutes. No tokens were charged.",
    "De bron van deze gegevens reageert nu niet. Probeer het over een paar minuten opnieuw. Er zijn geen tokens afgeschreven.",
  ],
  SERVICE_UNAVAILABLE: [
    "The service is busy or restarting. Try again in a moment.",
    "De dienst is overbelast of wordt opnieuw gestart. Probeer het zo opnieuw.",
  ],
  INTERNAL_ERROR: [
    "Something went wrong on our side. Try again; if it happens again, report it to the operator of this service.",
    "Er ging bij ons iets mis. Probeer het opnieuw; gebeurt het weer, meld het dan aan de beheerder.",
  ],
  UNREACHABLE: [
    "The service cannot be reached. Check your connection and try again.",
    "De dienst is niet bereikbaar. Controleer uw verbinding en probeer het opnieuw.",
  ],
} satisfies Record<FailureCode, Pair>);

/** Texts that say more than the code of a failure. */
const special = bilingual({
  noRegistry: [
    "This service has no company registry yet, so no company can be found or monitored. Ask the operator of this service. Calls that need it cost nothing.",
    "Deze dienst heeft nog geen bedrijvenregister: u kunt nog geen bedrijven vinden of volgen. Vraag het aan de beheerder van deze dienst. Aanroepen die het register nodig hebben, kosten niets.",
  ],
  namesNotIndexed: [
    "Names can’t be searched yet: the service is still building the index. Looking up by KVK number works. Try again in a few minutes. No tokens were charged.",
    "Op naam zoeken kan nog niet: de dienst maakt de index nog. Opzoeken met een KVK-nummer werkt wel. Probeer het over een paar minuten opnieuw. Er zijn geen tokens afgeschreven.",
  ],
  wait: (duration: string) => [
    `Too many requests in a short time. You can continue in ${duration}.`,
    `Te veel verzoeken in korte tijd. U kunt over ${duration} verder.`,
  ],
  over: [
    "Too many requests in a short time. You can continue now.",
    "Te veel verzoeken in korte tijd. U kunt nu verder.",
  ],
});

/** Returns the text for a failure. @param seconds left until a retry is allowed */
export function problemOf(
  { code, retryAtMs, registryIs }: Failure,
  seconds: number,
  language: "en" | "nl",
  formats: Formats,
): string {
  if (registryIs !== undefined) return nonBreaking(special[language][registryIs]);
  if (code === "RATE_LIMIT_EXCEEDED" && retryAtMs !== undefined) {
    return seconds === 0 ? special[language].over : special[language].wait(formats.duration(seconds));
  }
  return nonBreaking(problems[language][code] ?? problems[language].INTERNAL_ERROR);
}
