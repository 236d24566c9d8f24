import { bilingual } from "../../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Account", "Account"],
  back: ["← All accounts", "← Alle accounts"],
  audit: ["Audit log of this account", "Auditlog van dit account"],
  gone: [
    "No account has this ID. It may have been deleted.",
    "Er is geen account met deze id. Misschien is het verwijderd.",
  ],
  overview: ["Overview", "Overzicht"],
  facts: {
    created: ["Created", "Aangemaakt"],
    plan: ["Plan", "Abonnement"],
    asked: ["Requested plan", "Aangevraagd abonnement"],
    used: ["Tokens this month", "Tokens deze maand"],
    suspension: ["Suspended", "Geblokkeerd"],
    operator: ["Operator", "Beheerder"],
    password: ["Password set", "Wachtwoord ingesteld"],
    twoFactor: ["Two-factor sign-in", "Inloggen in twee stappen"],
  },
  askedSince: (plan: string, day: string) => [`${plan}, since ${day}`, `${plan}, sinds ${day}`],
  yes: ["Yes", "Ja"],
  no: ["No", "Nee"],
  since: (moment: string) => [`Since ${moment}`, `Sinds ${moment}`],
  noPassword: [
    "No: signing in is possible once a password is set with a link",
    "Nee: inloggen kan zodra met een link een wachtwoord is ingesteld",
  ],
  twoFactorOn: (day: string, codes: string) => [
    `On since ${day}, ${codes} recovery codes left`,
    `Aan sinds ${day}, nog ${codes} herstelcodes`,
  ],
  twoFactorOff: ["Off", "Uit"],
  passwordLink: {
    open: ["Create password link", "Wachtwoordlink aanmaken"],
    title: (email: string) => [`Password link for ${email}`, `Wachtwoordlink voor ${email}`],
    about: [
      "Anyone with the link can set a new password and get into the account. Verify who is asking, then enter your own password.",
      "Met de link kan iedereen een nieuw wachtwoord instellen en in het account komen. Controleer wie erom vraagt en vul daarna uw eigen wachtwoord in.",
    ],
    button: ["Create link", "Link aanmaken"],
    made: [
      "Send this link only to the owner of the account. All devices are signed out as soon as a new password is set.",
      "Stuur deze link alleen naar de eigenaar van het account. Zodra er een nieuw wachtwoord is ingesteld, worden alle apparaten uitgelogd.",
    ],
  },
  resetTwoFactor: {
    open: ["Reset two-factor sign-in", "Inloggen in twee stappen uitzetten"],
    title: (email: string) => [
      `Turn off two-factor sign-in for ${email}?`,
      `Inloggen in twee stappen uitzetten voor ${email}?`,
    ],
    about: [
      "For someone who lost both phone and recovery codes. After that, the password is enough. Verify who is asking, then enter your own password.",
      "Voor wie telefoon én herstelcodes kwijt is. Daarna is het wachtwoord genoeg. Controleer wie erom vraagt en vul daarna uw eigen wachtwoord in.",
    ],
    button: ["Turn off", "Uitzetten"],
  },
  ownPassword: ["Your own password", "Uw eigen wachtwoord"],
  passwordWrong: ["This is not your password.", "Dit is niet uw wachtwoord."],
  save: ["Save", "Opslaan"],
  sessions: ["Signed-in devices", "Ingelogde apparaten"],
  noSessions: ["Not signed in anywhere.", "Nergens ingelogd."],
  sessionCount: (count: string, moment: string) => [
    `Devices: ${count}. Last used ${moment}.`,
    `Apparaten: ${count}. Laatst gebruikt ${moment}.`,
  ],
  signOutAll: ["Sign out everywhere", "Overal uitloggen"],
  signOutTitle: (email: string) => [`Sign out ${email} everywhere?`, `${email} overal uitloggen?`],
  signOutAbout: [
    "All devices are signed out immediately. Keys keep working. This can’t be undone.",
    "Alle apparaten worden direct uitgelogd. Sleutels blijven werken. Dit kunt u niet ongedaan maken.",
  ],
  signOutOwn: [
    "All your other devices are signed out immediately; this one stays signed in. This can’t be undone.",
    "Al uw andere apparaten worden direct uitgelogd; op dit apparaat blijft u ingelogd. Dit kunt u niet ongedaan maken.",
  ],
  note: ["Note", "Notitie"],
  noteAbout: [
    "Plain text, for operators only: the account owner never sees it. It is deleted with the account.",
    "Gewone tekst, alleen voor beheerders: de accounthouder ziet de notitie nooit. De notitie wordt met het account verwijderd.",
  ],
  noteText: ["Text", "Tekst"],
  noteTooLong: (most: string) => [`At most ${most} characters.`, `Maximaal ${most} tekens.`],
  noteKept: ["The note has been saved.", "De notitie is opgeslagen."],
  noteOther: [
    "Someone changed this note since you opened it, so yours was not saved. Copy your text, reload the page and add it.",
    "Iemand heeft deze notitie gewijzigd sinds u die opende, dus uw versie is niet opgeslagen. Kopieer uw tekst, laad de pagina opnieuw en voeg hem toe.",
  ],
  noteBy: (who: string, moment: string) => [
    `Last changed by ${who} on ${moment}`,
    `Laatst gewijzigd door ${who} op ${moment}`,
  ],
  noNote: ["No note yet.", "Nog geen notitie."],
  keys: ["Keys", "Sleutels"],
  noKeys: ["This account has no keys.", "Dit account heeft geen sleutels."],
  usage: ["Usage", "Verbruik"],
  usageAbout: [
    "Every call is counted. Days and months are in UTC.",
    "Elke aanroep telt mee. Dagen en maanden zijn in UTC.",
  ],
  month: ["Month", "Maand"],
  byOperation: ["By type of call", "Naar soort aanroep"],
  testKeys: ["Test keys, counted separately and free", "Testsleutels, apart geteld en gratis"],
  operation: ["Type of call", "Soort aanroep"],
  noUseInYear: ["No usage in the last twelve months.", "Geen verbruik in de laatste twaalf maanden."],
  noUseInMonth: ["No usage in this month.", "Geen verbruik in deze maand."],
  callsOff: [
    "The list of calls is switched off (RECENT_CALLS). Usage still counts every call.",
    "De lijst met aanroepen staat uit (RECENT_CALLS). Verbruik telt wel elke aanroep.",
  ],
});
