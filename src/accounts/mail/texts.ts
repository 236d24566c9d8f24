import type { Language } from "../../contract/accountResources.ts";
import type { Mail } from "./mails.ts";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  /** Plain text, in which a link cannot be disguised. */
  readonly text: string;
}

/** The subject and the paragraphs of each kind of mail. */
type Words = Readonly<Record<Mail["kind"], readonly [subject: string, ...paragraphs: string[]]>>;

const LINK = "{link}";
const SITE = "{site}";
const TOKENS = "{tokens}";
/** The time of the next allowance. */
const RENEWED = "{renewed}";
/** The number of events. */
const EVENTS = "{events}";

const TEXTS: Readonly<Record<Language, Words>> = {
  en: {
    confirm: [
      "Confirm your address",
      "Someone, probably you, signed up at {site} with this address.",
      "To finish, open this link within 24 hours and enter the password that you chose:",
      LINK,
      "If it was not you, do nothing: no account will be created.",
      "We email you when an account has used 80% of a month's tokens and when it has used all of them. You can turn that off under Settings.",
    ],
    taken: [
      "You already have an account",
      "Someone, probably you, signed up at {site} with this address, which already has an account.",
      "Sign in there, or set a new password if you forgot it. If it was not you, you can ignore this message.",
    ],
    reset: [
      "Set a new password",
      "Someone, probably you, requested a new password at {site}.",
      "To set one, open this link within an hour:",
      LINK,
      "If it was not you, do nothing: your password stays as it is.",
    ],
    changed: [
      "Your password was changed",
      "The password of your account at {site} was changed, and all other sessions have ended.",
      "If it was not you, set a new password there at once and revoke your keys.",
    ],
    email: [
      "Confirm your new address",
      "Someone, probably you, wants to use this address to sign in at {site}.",
      "If it was you, open this link within an hour and enter your password:",
      LINK,
      "If it was not you, do nothing: nothing will change.",
    ],
    "email-taken": [
      "This address already has an account",
      "Someone, probably you, wants to give another account at {site} this address, which already has an account.",
      "If that was you, delete the account of this address first. If it was not you, you can ignore this message.",
    ],
    "email-changed": [
      "The address of your account was changed",
      "The address of your account at {site} was changed. You now sign in with the new one.",
      "If it was not you, contact the operator of the service at once: someone knows your password.",
    ],
    "two-factor-on": [
      "Two-factor sign-in is on",
      "Two-factor sign-in was turned on for your account at {site}, and all other sessions have ended. Keep the recovery codes in a safe place.",
      "If it was not you, set a new password there at once and ask the operator of the service to turn it off.",
    ],
    "two-factor-off": [
      "Two-factor sign-in is off",
      "Two-factor sign-in was turned off for your account at {site}. The password alone is now enough to sign in.",
      "If it was not you, set a new password there at once.",
    ],
    "allowance-80": [
      "80% of this month's tokens are used",
      "Your account at {site} has {tokens} tokens this month, and at least 80% of them are used.",
      "Once they are used up, calls that cost tokens are refused until {renewed}, or until you get a larger plan. Usage there shows where they went, by day and by key.",
      "We send this once at 80% and once at 100% of a month's tokens. You can turn it off there under Settings.",
    ],
    "allowance-100": [
      "This month's tokens are used up",
      "Your account at {site} has {tokens} tokens this month, and all of them are used. Calls that cost tokens are now refused.",
      "You get new tokens on {renewed}. A larger plan, which you can request there under Plan, takes effect as soon as the operator approves it.",
      "We send this once at 80% and once at 100% of a month's tokens. You can turn it off there under Settings.",
    ],
    "monitor-digest": [
      "News about the companies you monitor",
      "Changes of companies that your account at {site} monitors since the last weekly mail: {events}.",
      "You find them there under Monitors, with the values before and now.",
      "We send this at most once a week, and only if there is a change. You can turn it off there under Monitors.",
    ],
    "changes-wait": [
      "Changes of companies you monitor wait for tokens",
      "Companies that your account at {site} monitors have changed, but there are no tokens left for it: this month's tokens are used up, or the limit that you set for changes is reached.",
      "No change is lost. They are recorded on the 1st of next month, the oldest first, or as soon as you have a larger plan or raise the limit there under Monitors.",
      "We send this once, when changes begin to wait.",
    ],
    "webhook-disabled": [
      "A webhook was disabled",
      "A webhook of your account at {site} accepted no message for three days, or answered that it is gone (410). It gets no more messages.",
      "No change is lost: GET /v1/changes returns the events of the last weeks, and so does the page there under Monitors.",
      "Once the webhook works again, enable it there, or set it again with a PATCH of the monitor. A webhook of lists works again with the next list.",
    ],
  },
  nl: {
    confirm: [
      "Bevestig uw adres",
      "Iemand, waarschijnlijk u, heeft zich met dit adres aangemeld bij {site}.",
      "Open binnen 24 uur deze link en vul het wachtwoord in dat u hebt gekozen:",
      LINK,
      "Was u het niet? Doe dan niets: er komt geen account.",
      "We sturen u een e-mail als 80% van de tokens van een maand is gebruikt en als ze op zijn. Dat kunt u uitzetten onder Instellingen.",
    ],
    taken: [
      "U hebt al een account",
      "Iemand, waarschijnlijk u, heeft zich bij {site} aangemeld met dit adres, dat al een account heeft.",
      "Log daar in, of stel een nieuw wachtwoord in als u het vergeten bent. Was u het niet? Dan hoeft u niets te doen.",
    ],
    reset: [
      "Stel een nieuw wachtwoord in",
      "Iemand, waarschijnlijk u, heeft bij {site} een nieuw wachtwoord aangevraagd.",
      "Open binnen een uur deze link om het in te stellen:",
      LINK,
      "Was u het niet? Doe dan niets: uw wachtwoord blijft zoals het is.",
    ],
    changed: [
      "Uw wachtwoord is gewijzigd",
      "Het wachtwoord van uw account bij {site} is gewijzigd en alle andere sessies zijn beëindigd.",
      "Was u het niet? Stel daar dan meteen een nieuw wachtwoord in en trek uw sleutels in.",
    ],
    email: [
      "Bevestig uw nieuwe adres",
      "Iemand, waarschijnlijk u, wil voortaan met dit adres inloggen bij {site}.",
      "Was u het? Open dan binnen een uur deze link en vul uw wachtwoord in:",
      LINK,
      "Was u het niet? Doe dan niets: er verandert niets.",
    ],
    "email-taken": [
      "Dit adres heeft al een account",
      "Iemand, waarschijnlijk u, wil een ander account bij {site} dit adres geven, dat al een account heeft.",
      "Was u het? Verwijder dan eerst het account van dit adres. Was u het niet? Dan hoeft u niets te doen.",
    ],
    "email-changed": [
      "Het adres van uw account is gewijzigd",
      "Het adres van uw account bij {site} is gewijzigd. U logt voortaan in met het nieuwe adres.",
      "Was u het niet? Neem dan meteen contact op met de beheerder van de dienst: iemand kent uw wachtwoord.",
    ],
    "two-factor-on": [
      "Inloggen in twee stappen staat aan",
      "Voor uw account bij {site} is inloggen in twee stappen aangezet, en alle andere sessies zijn beëindigd. Bewaar de herstelcodes op een veilige plek.",
      "Was u het niet? Stel daar dan meteen een nieuw wachtwoord in en vraag de beheerder van de dienst om het uit te zetten.",
    ],
    "two-factor-off": [
      "Inloggen in twee stappen staat uit",
      "Voor uw account bij {site} is inloggen in twee stappen uitgezet. Vanaf nu is alleen het wachtwoord genoeg om in te loggen.",
      "Was u het niet? Stel daar dan meteen een nieuw wachtwoord in.",
    ],
    "allowance-80": [
      "80% van de tokens van deze maand is gebruikt",
      "Uw account bij {site} heeft deze maand {tokens} tokens. Daarvan is minstens 80% gebruikt.",
      "Zijn ze op, dan worden aanroepen die tokens kosten geweigerd tot {renewed}, of tot u een groter abonnement hebt. Onder Verbruik ziet u daar per dag en per sleutel wat er is gebruikt.",
      "Dit bericht sturen we één keer bij 80% en één keer bij 100% van de tokens van een maand. U kunt het daar uitzetten onder Instellingen.",
    ],
    "allowance-100": [
      "De tokens van deze maand zijn op",
      "Uw account bij {site} heeft deze maand {tokens} tokens. Die zijn allemaal gebruikt. Aanroepen die tokens kosten, worden nu geweigerd.",
      "Op {renewed} krijgt u nieuwe tokens. Een groter abonnement vraagt u daar aan onder Abonnement; het geldt zodra de beheerder het goedkeurt.",
      "Dit bericht sturen we één keer bij 80% en één keer bij 100% van de tokens van een maand. U kunt het daar uitzetten onder Instellingen.",
    ],
    "monitor-digest": [
      "Nieuws over de bedrijven die u volgt",
      "Wijzigingen sinds de vorige wekelijkse e-mail bij bedrijven die uw account bij {site} volgt: {events}.",
      "U vindt ze daar onder Monitoring, met de oude en de nieuwe waarden.",
      "Dit bericht sturen we hooguit één keer per week, en alleen als er iets is gewijzigd. U kunt het daar uitzetten onder Monitoring.",
    ],
    "changes-wait": [
      "Wijzigingen bij bedrijven die u volgt wachten op tokens",
      "Bij bedrijven die uw account bij {site} volgt is iets gewijzigd, maar er zijn geen tokens meer voor: de tokens van deze maand zijn op, of de limiet die u voor wijzigingen hebt ingesteld is bereikt.",
      "Er gaat niets verloren. De wijzigingen worden vastgelegd op de 1e van de volgende maand, de oudste eerst, of zodra u een groter abonnement hebt of daar onder Monitoring de limiet verhoogt.",
      "Dit bericht sturen we één keer, als er wijzigingen beginnen te wachten.",
    ],
    "webhook-disabled": [
      "Een webhook is uitgeschakeld",
      "Een webhook van uw account bij {site} heeft drie dagen lang geen bericht aangenomen, of heeft laten weten dat hij niet meer bestaat (410). We sturen er geen berichten meer naartoe.",
      "Er gaat niets verloren: GET /v1/changes geeft de gebeurtenissen van de afgelopen weken, en u ziet ze daar ook onder Monitoring.",
      "Werkt de webhook weer? Schakel hem daar dan in, of stel hem opnieuw in met een PATCH van de monitor. Een webhook van lijsten werkt weer vanaf de volgende lijst.",
    ],
  },
};

/** The text of a mail. @param publicUrl the base of links; never taken from a request */
export function letterOf(mail: Mail, publicUrl: string): Letter {
  const [subject, ...paragraphs] = TEXTS[mail.language][mail.kind];
  const link = "token" in mail ? `${publicUrl}/#${mail.kind}=${mail.token}` : "";
  const [tokens, renewed] = "month" in mail ? allowanceIn(mail) : ["", ""];
  const events = "events" in mail ? mail.events.toLocaleString(mail.language) : "";
  const text = paragraphs
    .map((paragraph) =>
      paragraph
        .replace(LINK, () => link)
        .replace(SITE, () => publicUrl)
        .replace(TOKENS, () => tokens)
        .replace(RENEWED, () => renewed)
        .replace(EVENTS, () => events),
    )
    .join("\n\n");
  return { to: mail.to, subject: `Opzoek: ${subject}`, text: `${text}\n` };
}

/** The number of tokens and the time of the next allowance, in the mail's language. */
function allowanceIn({
  language,
  month,
  tokens,
}: Extract<Mail, { readonly month: number }>): [string, string] {
  const renewed = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(Date.UTC(Math.floor((month + 1) / 12), (month + 1) % 12));
  return [tokens.toLocaleString(language), `${renewed} UTC`];
}
