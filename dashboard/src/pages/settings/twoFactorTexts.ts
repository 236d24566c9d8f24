import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Two-factor sign-in", "Inloggen in twee stappen"],
  about: [
    "When you sign in, you also enter a code from an app on your phone. Someone who finds out your password still can’t sign in.",
    "Bij het inloggen vraagt Opzoek naast uw wachtwoord om een code uit een app op uw telefoon. Uw wachtwoord alleen is dan niet genoeg.",
  ],
  off: ["Off", "Uit"],
  on: (since: string) => [`On since ${since}`, `Aan sinds ${since}`],
  notOffered: [
    "It can’t be turned on here: the operator of this service has to set a key for it first (TWO_FACTOR_KEY).",
    "Aanzetten kan hier nog niet: de beheerder van deze dienst moet er eerst een sleutel voor instellen (TWO_FACTOR_KEY).",
  ],
  codesLeft: (count: number) => [
    count === 1 ? "1 recovery code left." : `${count} recovery codes left.`,
    count === 1 ? "Nog 1 herstelcode over." : `Nog ${count} herstelcodes over.`,
  ],
  fewLeft: ["Create new ones before you run out.", "Maak nieuwe aan voordat ze op zijn."],
  turnOn: ["Turn on", "Aanzetten"],
  turnOff: ["Turn off", "Uitzetten"],
  renew: ["Create new recovery codes", "Nieuwe herstelcodes aanmaken"],
  next: ["Continue", "Doorgaan"],
  password: ["Confirm with your password", "Bevestig met uw wachtwoord"],
  passwordWrong: [
    "This is not your password. Check it and try again.",
    "Dit is niet uw wachtwoord. Controleer het en probeer het opnieuw.",
  ],
  codeWrong: [
    "This code is wrong or has already been used. Wait for the next one; if that fails too, check the clock on your phone.",
    "Deze code is onjuist of al gebruikt. Wacht op de volgende; blijft het misgaan, controleer dan de klok van uw telefoon.",
  ],
  tries: (duration: string) => [
    `Too many wrong attempts. Try again in ${duration}.`,
    `Te veel onjuiste pogingen. Probeer het over ${duration} opnieuw.`,
  ],
  away: [
    "Codes can’t be checked right now. Use a recovery code, or try again later.",
    "Codes kunnen nu niet worden gecontroleerd. Gebruik een herstelcode of probeer het later opnieuw.",
  ],
  tooLate: [
    "This took too long. Start again with a new QR code.",
    "Dit duurde te lang. Begin opnieuw, met een nieuwe QR-code.",
  ],
  onAlready: ["It is already on. Reload the page.", "Het staat al aan. Laad de pagina opnieuw."],
  offAlready: ["It is already off. Reload the page.", "Het staat al uit. Laad de pagina opnieuw."],
  turnOnTitle: ["Turn on two-factor sign-in", "Inloggen in twee stappen aanzetten"],
  scan: [
    "Scan this with an authenticator app, such as the password manager on your phone. It is shown only now.",
    "Scan dit met een authenticator-app, zoals de wachtwoordbeheerder op uw telefoon. De QR-code is alleen nu te zien.",
  ],
  qr: ["QR code for your authenticator app", "QR-code voor uw authenticator-app"],
  byHand: ["Can’t scan? Type this code into the app", "Scannen lukt niet? Typ deze code over in de app"],
  first: [
    "Then enter the six digits that the app shows, so that we know it works.",
    "Vul daarna de zes cijfers in die de app toont, zodat we weten dat het werkt.",
  ],
  others: ["All your other devices are signed out.", "Al uw andere apparaten worden uitgelogd."],
  turnOffTitle: ["Turn off two-factor sign-in?", "Inloggen in twee stappen uitzetten?"],
  turnOffAbout: [
    "After that, your password is enough to sign in. Enter a code from the app, or a recovery code.",
    "Daarna is uw wachtwoord genoeg om in te loggen. Vul een code uit de app in, of een herstelcode.",
  ],
  renewAbout: [
    "Your current recovery codes stop working. Enter a code from the app.",
    "Uw huidige herstelcodes werken daarna niet meer. Vul een code uit de app in.",
  ],
  codesTitle: ["Save your recovery codes", "Bewaar uw herstelcodes"],
  codesAbout: [
    "Each code lets you sign in once without the app. Keep them where you can find them without your phone. They are shown only now.",
    "Met elke code kunt u één keer inloggen zonder de app. Bewaar ze waar u ze zonder uw telefoon kunt vinden. Ze zijn alleen nu te zien.",
  ],
  codes: ["Recovery codes", "Herstelcodes"],
  download: ["Download", "Downloaden"],
  saved: ["I’ve saved them", "Ik heb ze bewaard"],
  fileName: ["opzoek-recovery-codes.txt", "opzoek-herstelcodes.txt"],
});
