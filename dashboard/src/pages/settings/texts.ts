import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Settings", "Instellingen"],
  about: (email: string) => [`Signed in as ${email}.`, `Ingelogd als ${email}.`],
  email: ["Email address", "E-mailadres"],
  emailAbout: [
    "We send a link to the new address; the change takes effect once it is opened. We notify the old address too.",
    "We sturen een link naar het nieuwe adres; zodra die is geopend, geldt de wijziging. Het oude adres krijgt ook bericht.",
  ],
  newEmail: ["New email address", "Nieuw e-mailadres"],
  changeEmail: ["Send a link", "Link versturen"],
  emailBad: [
    "Enter another complete email address, such as you@company.nl.",
    "Vul een ander, volledig e-mailadres in, zoals u@bedrijf.nl.",
  ],
  emailSent: (email: string) => [
    `We sent an email to ${email}. Open the link in it within an hour. Until then nothing changes.`,
    `We hebben een e-mail gestuurd naar ${email}. Open de link daarin binnen een uur. Tot dan verandert er niets.`,
  ],
  emailByOperator: [
    "This service sends no email: ask the operator of this service to change your address.",
    "Deze dienst verstuurt geen e-mail: vraag de beheerder om uw adres te wijzigen.",
  ],
  emailTries: (duration: string) => [
    `You requested this too often. Try again in ${duration}.`,
    `U hebt dit te vaak aangevraagd. Probeer het over ${duration} opnieuw.`,
  ],
  emailSuspended: ["A suspended account keeps its address.", "Een geblokkeerd account houdt zijn adres."],
  allowanceMails: ["Emails about your tokens", "E-mails over uw tokens"],
  allowanceMailsAbout: [
    "One email when 80% of a month’s tokens are used, and one when all of them are.",
    "Eén e-mail als 80% van de tokens van een maand is gebruikt en één als ze op zijn.",
  ],
  allowanceMailsOn: ["Send me these emails", "Deze e-mails ontvangen"],
  allowanceMailsNone: [
    "This service sends no email, so it can’t warn you when your tokens are running out. Usage shows how many are left.",
    "Deze dienst verstuurt geen e-mail en kan dus niet laten weten dat uw tokens opraken. Onder Verbruik ziet u hoeveel u nog hebt.",
  ],
  takeAlong: ["Your data", "Uw gegevens"],
  takeAlongAbout: [
    "Everything we store about you, as one JSON file: account, keys (never the keys themselves), usage, monitors and their changes, sessions and requests.",
    "Alles wat we over u bewaren, als één JSON-bestand: account, sleutels (nooit de sleutels zelf), verbruik, gevolgde bedrijven en hun wijzigingen, sessies en aanvragen.",
  ],
  download: ["Download my data", "Mijn gegevens downloaden"],
  password: ["Password", "Wachtwoord"],
  passwordAbout: [
    "Changing it signs out all other devices.",
    "Als u het wijzigt, worden alle andere apparaten uitgelogd.",
  ],
  old: ["Current password", "Huidig wachtwoord"],
  new: ["New password", "Nieuw wachtwoord"],
  change: ["Change password", "Wachtwoord wijzigen"],
  changed: [
    "Your password has been changed. All other devices are signed out.",
    "Uw wachtwoord is gewijzigd. Alle andere apparaten zijn uitgelogd.",
  ],
  oldWrong: [
    "This is not your current password. Check it and try again.",
    "Dit is niet uw huidige wachtwoord. Controleer het en probeer het opnieuw.",
  ],
  sessions: ["Signed-in devices", "Ingelogde apparaten"],
  sessionsAbout: [
    "Don’t recognise a device? Sign it out and change your password.",
    "Herkent u een apparaat niet? Log het uit en wijzig uw wachtwoord.",
  ],
  thisOne: ["This device", "Dit apparaat"],
  lastSeen: (moment: string) => [`Last used ${moment}`, `Laatst gebruikt ${moment}`],
  since: (moment: string) => [`signed in ${moment}`, `ingelogd ${moment}`],
  unknownClient: ["Unknown device", "Onbekend apparaat"],
  end: ["Sign out", "Uitloggen"],
  delete: ["Delete account", "Account verwijderen"],
  deleteAbout: [
    "Your keys stop working immediately and your data is removed. This can’t be undone.",
    "Uw sleutels werken meteen niet meer en uw gegevens worden verwijderd. Dit kunt u niet ongedaan maken.",
  ],
  deleteTitle: ["Delete your account permanently?", "Uw account definitief verwijderen?"],
  deleteMore: [
    "We keep a fingerprint of your address until the end of next month, so that the free tokens can’t be claimed twice. A suspension stays in force for a year for anyone who returns with this address.",
    "Tot het einde van volgende maand bewaren we een vingerafdruk van uw adres, zodat niemand de gratis tokens twee keer krijgt. Een blokkade blijft een jaar gelden voor wie met dit adres terugkomt.",
  ],
  confirmPassword: ["Confirm with your password", "Bevestig met uw wachtwoord"],
  deleteFinal: ["Delete permanently", "Definitief verwijderen"],
  passwordWrong: [
    "This is not your password. Nothing was deleted.",
    "Dit is niet uw wachtwoord. Er is niets verwijderd.",
  ],
});
