import type { Mail } from "../accounts/mails.ts";
import type { Language } from "../contract/accountResources.ts";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  /** Plain text: nothing in it can be dressed up. */
  readonly text: string;
}

type Words = Readonly<Record<Mail["kind"], { readonly subject: string; readonly lines: readonly string[] }>>;

const LINK = "{link}";
const SITE = "{site}";
const TOKENS = "{tokens}";
/** When the next allowance comes. */
const RENEWED = "{renewed}";

const TEXTS: Readonly<Record<Language, Words>> = {
  en: {
    confirm: {
      subject: "Confirm your address",
      lines: [
        "Somebody, presumably you, signed up at {site} with this address.",
        "To finish, open this link within 24 hours and enter the password that you chose:",
        LINK,
        "If it was not you, do nothing: no account is made.",
        "From an account that you make we send a mail when 80% of a month's tokens are used and when all are. You can switch that off under Settings.",
      ],
    },
    taken: {
      subject: "You have an account already",
      lines: [
        "Somebody, presumably you, signed up at {site} with this address, which has an account already.",
        "Sign in there, or set a new password if you forgot it. If it was not you, there is nothing to do.",
      ],
    },
    reset: {
      subject: "Set a new password",
      lines: [
        "Somebody, presumably you, asked for a new password at {site}.",
        "To set one, open this link within an hour:",
        LINK,
        "If it was not you, do nothing: your password stays as it is.",
      ],
    },
    changed: {
      subject: "Your password was changed",
      lines: [
        "The password of your account at {site} was changed, and all other sessions have ended.",
        "If it was not you, set a new password there at once and revoke your keys.",
      ],
    },
    email: {
      subject: "Confirm your new address",
      lines: [
        "Somebody, presumably you, wants to sign in at {site} with this address from now on.",
        "If it was you, open this link within an hour and enter your password:",
        LINK,
        "If it was not you, do nothing: nothing changes.",
      ],
    },
    "email-taken": {
      subject: "This address has an account already",
      lines: [
        "Somebody, presumably you, wants to give another account at {site} this address, which has an account already.",
        "If that was you, delete the account of this address first. If it was not you, there is nothing to do.",
      ],
    },
    "email-changed": {
      subject: "The address of your account was changed",
      lines: [
        "Your account at {site} had this address. From now on it signs in with another one.",
        "If it was not you, tell the operator of the service at once: somebody knows your password.",
      ],
    },
    "two-factor-on": {
      subject: "Two-factor sign-in is on",
      lines: [
        "Two-factor sign-in was turned on for your account at {site}, and all other sessions have ended. Keep the recovery codes in a safe place.",
        "If it was not you, set a new password there at once and ask the operator of the service to turn it off.",
      ],
    },
    "two-factor-off": {
      subject: "Two-factor sign-in is off",
      lines: [
        "Two-factor sign-in was turned off for your account at {site}. From now on the password is enough.",
        "If it was not you, set a new password there at once.",
      ],
    },
    "allowance-80": {
      subject: "80% of this month's tokens are used",
      lines: [
        "Your account at {site} has {tokens} tokens this month, and at least 80% of them are used.",
        "Once they are used up, calls are refused until {renewed}, or until you have a larger plan. What used them, by day and by key, stands there under Usage.",
        "We send this once at 80% and once at 100% of a month's tokens. You can switch it off there under Settings.",
      ],
    },
    "allowance-100": {
      subject: "This month's tokens are used up",
      lines: [
        "Your account at {site} has {tokens} tokens this month, and all of them are used. Calls are refused now, which costs nothing.",
        "New tokens come on {renewed}. A larger plan, which you can request there under Plan, counts as soon as the operator gives it.",
        "We send this once at 80% and once at 100% of a month's tokens. You can switch it off there under Settings.",
      ],
    },
  },
  nl: {
    confirm: {
      subject: "Bevestig uw adres",
      lines: [
        "Iemand, waarschijnlijk u, heeft zich met dit adres aangemeld bij {site}.",
        "Open binnen 24 uur deze link en vul het wachtwoord in dat u hebt gekozen:",
        LINK,
        "Was u het niet? Doe dan niets: er komt geen account.",
        "Over een account dat u aanmaakt sturen we een e-mail als 80% van de tokens van een maand is gebruikt en als ze op zijn. Dat zet u uit onder Instellingen.",
      ],
    },
    taken: {
      subject: "U hebt al een account",
      lines: [
        "Iemand, waarschijnlijk u, heeft zich bij {site} aangemeld met dit adres, dat al een account heeft.",
        "Log daar in, of stel een nieuw wachtwoord in als u het vergeten bent. Was u het niet? Dan hoeft u niets te doen.",
      ],
    },
    reset: {
      subject: "Stel een nieuw wachtwoord in",
      lines: [
        "Iemand, waarschijnlijk u, heeft bij {site} om een nieuw wachtwoord gevraagd.",
        "Open binnen een uur deze link om het in te stellen:",
        LINK,
        "Was u het niet? Doe dan niets: uw wachtwoord blijft zoals het is.",
      ],
    },
    changed: {
      subject: "Uw wachtwoord is gewijzigd",
      lines: [
        "Het wachtwoord van uw account bij {site} is gewijzigd en alle andere sessies zijn beëindigd.",
        "Was u het niet? Stel daar dan meteen een nieuw wachtwoord in en trek uw sleutels in.",
      ],
    },
    email: {
      subject: "Bevestig uw nieuwe adres",
      lines: [
        "Iemand, waarschijnlijk u, wil voortaan met dit adres inloggen bij {site}.",
        "Was u het? Open dan binnen een uur deze link en vul uw wachtwoord in:",
        LINK,
        "Was u het niet? Doe dan niets: er verandert niets.",
      ],
    },
    "email-taken": {
      subject: "Dit adres heeft al een account",
      lines: [
        "Iemand, waarschijnlijk u, wil een ander account bij {site} dit adres geven, dat al een account heeft.",
        "Was u het? Verwijder dan eerst het account van dit adres. Was u het niet? Dan hoeft u niets te doen.",
      ],
    },
    "email-changed": {
      subject: "Het adres van uw account is gewijzigd",
      lines: [
        "Uw account bij {site} had dit adres. Vanaf nu logt het in met een ander adres.",
        "Was u het niet? Laat het de beheerder van de dienst dan meteen weten: iemand kent uw wachtwoord.",
      ],
    },
    "two-factor-on": {
      subject: "Inloggen in twee stappen staat aan",
      lines: [
        "Voor uw account bij {site} is inloggen in twee stappen aangezet, en alle andere sessies zijn beëindigd. Bewaar de herstelcodes op een veilige plek.",
        "Was u het niet? Stel daar dan meteen een nieuw wachtwoord in en vraag de beheerder van de dienst om het uit te zetten.",
      ],
    },
    "two-factor-off": {
      subject: "Inloggen in twee stappen staat uit",
      lines: [
        "Voor uw account bij {site} is inloggen in twee stappen uitgezet. Vanaf nu is het wachtwoord genoeg.",
        "Was u het niet? Stel daar dan meteen een nieuw wachtwoord in.",
      ],
    },
    "allowance-80": {
      subject: "80% van de tokens van deze maand is gebruikt",
      lines: [
        "Uw account bij {site} heeft deze maand {tokens} tokens. Daarvan is minstens 80% gebruikt.",
        "Zijn ze op, dan worden aanroepen geweigerd tot {renewed}, of tot u een groter abonnement hebt. Onder Verbruik ziet u daar per dag en per sleutel wat er is gebruikt.",
        "Dit bericht sturen we één keer bij 80% en één keer bij 100% van de tokens van een maand. U zet het daar uit onder Instellingen.",
      ],
    },
    "allowance-100": {
      subject: "De tokens van deze maand zijn op",
      lines: [
        "Uw account bij {site} heeft deze maand {tokens} tokens. Die zijn allemaal gebruikt. Aanroepen worden nu geweigerd; dat kost niets.",
        "Op {renewed} krijgt u nieuwe tokens. Een groter abonnement vraagt u daar aan onder Abonnement; het geldt zodra de beheerder het geeft.",
        "Dit bericht sturen we één keer bij 80% en één keer bij 100% van de tokens van een maand. U zet het daar uit onder Instellingen.",
      ],
    },
  },
};

/**
 * A mail as a person reads it.
 * @param publicUrl where links lead; never what a request called itself
 */
export function letterOf(mail: Mail, publicUrl: string): Letter {
  const { subject, lines } = TEXTS[mail.language][mail.kind];
  const link = "token" in mail ? `${publicUrl}/#${mail.kind}=${mail.token}` : "";
  const [tokens, renewed] = "month" in mail ? allowanceIn(mail) : ["", ""];
  const text = lines
    .map((line) =>
      line
        .replace(LINK, () => link)
        .replace(SITE, () => publicUrl)
        .replace(TOKENS, () => tokens)
        .replace(RENEWED, () => renewed),
    )
    .join("\n\n");
  return { to: mail.to, subject: `Opzoek: ${subject}`, text: `${text}\n` };
}

/** How many tokens, and when the next ones come, in the mail's language. */
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
