import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    promise: "The Dutch company registry, one call away.",
    points: {
      find: "Find a company while somebody types its name",
      check: "Check a VAT number with the EU, and know how fresh the answer is",
      pay: "Pay for answers only: errors, unknown KVK numbers and outages are free",
    },
    email: "E-mail address",
    password: "Password",
    newPassword: "New password",
    signIn: "Sign in",
    signInTitle: "Welcome back",
    ended: "Your session has ended. Sign in again.",
    deleted: "Your account is deleted, with all its keys.",
    wrong: "This e-mail address and password do not go together. Check both, or reset your password.",
    tooManyTries: (duration: string) =>
      `Too many wrong passwords were tried. Try again in ${duration}, or from a network where you signed in before.`,
    codeTitle: "One more step",
    codeAbout: "Open the app on your phone and fill in the code that it shows for Opzoek.",
    recoveryAbout: "Fill in one of the recovery codes that you saved. Each works once.",
    codeBad: "This code is wrong, or was used already. Wait for the next one and try again.",
    recoveryBad: "This recovery code is wrong, or was used already. Try another one.",
    codeTries: (duration: string) =>
      `Too many wrong codes were tried. Try again in ${duration}. If it was not you, somebody knows your password: choose a new one.`,
    codeAway: "Codes cannot be checked now. Sign in with a recovery code, or ask whoever runs this service.",
    useRecovery: "Use a recovery code",
    useCode: "Use a code from the app",
    lostBoth: "Lost your phone and the codes? Ask whoever runs this service.",
    forgot: "Forgot your password?",
    noAccount: "No account yet?",
    signUp: "Make an account",
    signUpTitle: "Make an account",
    haveAccount: "Have an account already?",
    invited: "You have been invited. Choose a password and you can begin.",
    closed: "Nobody can sign up here. Ask whoever runs this service for an account.",
    needsInvite:
      "You need an invite to sign up here. Ask whoever runs this service, and open the link that you get.",
    inviteBad: "This invite was used, has expired, or is for another e-mail address. Ask for a new one.",
    taken:
      "We could not sign you in with this password. If you have an account with this address, sign in with its own password.",
    emailBad: "Fill in a whole e-mail address, such as you@company.nl.",
    emailRefused:
      "This address can’t be used here. Write it as you@company.nl, without quotes, brackets or accents.",
    passwordMissing: "Enter your password.",
    mailSent: "Look in your mail",
    confirmSent: (email: string) =>
      `We sent a mail to ${email}. Open the link in it within a day to finish. Nothing came? Look among the unwanted mail.`,
    resetSent: (email: string) =>
      `If there is an account for ${email}, a mail with a link is on its way. Nothing came? Look among the unwanted mail.`,
    operatorResets: "This service sends no mail",
    operatorAbout:
      "Ask whoever runs this service for a link to choose a new password. They make one on the server with:",
    forgotTitle: "Choose a new password",
    forgotAbout: "Fill in your e-mail address, and you get a link to choose a new password.",
    askReset: "Send me a link",
    back: "Back to signing in",
    confirmTitle: "Almost there",
    confirmAbout: "Fill in the password that you chose, so that we know it is you.",
    confirm: "Confirm my address",
    confirmBad:
      "This link was used or has expired, or the password is another one. Check the password, or sign up again.",
    resetTitle: "Choose a new password",
    resetAbout: "All devices are signed out when you change it.",
    reset: "Save the new password",
    resetBad: "This link was used or has expired. Ask for a new one.",
    resetDone: "Your new password is saved. Sign in with it.",
    docs: "API documentation",
  },
  {
    promise: "Het Nederlandse handelsregister, één aanroep ver.",
    points: {
      find: "Vind een bedrijf terwijl iemand de naam typt",
      check: "Controleer een btw-nummer bij de EU en weet hoe vers het antwoord is",
      pay: "Betaal alleen voor antwoorden: fouten, onbekende KVK-nummers en storingen zijn gratis",
    },
    email: "E-mailadres",
    password: "Wachtwoord",
    newPassword: "Nieuw wachtwoord",
    signIn: "Inloggen",
    signInTitle: "Welkom terug",
    ended: "Uw sessie is afgelopen. Log opnieuw in.",
    deleted: "Uw account is verwijderd, met alle sleutels.",
    wrong:
      "Dit e-mailadres en wachtwoord horen niet bij elkaar. Controleer beide, of kies een nieuw wachtwoord.",
    tooManyTries: (duration) =>
      `Er zijn te veel verkeerde wachtwoorden geprobeerd. Probeer het over ${duration} opnieuw, of vanaf een netwerk waar u eerder inlogde.`,
    codeTitle: "Nog één stap",
    codeAbout: "Open de app op uw telefoon en vul de code in die daar bij Opzoek staat.",
    recoveryAbout: "Vul een van de herstelcodes in die u hebt bewaard. Elke code werkt één keer.",
    codeBad: "Deze code is onjuist of al gebruikt. Wacht op de volgende en probeer het opnieuw.",
    recoveryBad: "Deze herstelcode is onjuist of al gebruikt. Probeer een andere.",
    codeTries: (duration) =>
      `Er zijn te veel onjuiste codes geprobeerd. Probeer het over ${duration} opnieuw. Was u het niet, dan kent iemand uw wachtwoord: kies een nieuw.`,
    codeAway:
      "Codes kunnen nu niet worden gecontroleerd. Log in met een herstelcode, of vraag het de beheerder van deze dienst.",
    useRecovery: "Een herstelcode gebruiken",
    useCode: "Een code uit de app gebruiken",
    lostBoth: "Telefoon en codes kwijt? Vraag het de beheerder van deze dienst.",
    forgot: "Wachtwoord vergeten?",
    noAccount: "Nog geen account?",
    signUp: "Account maken",
    signUpTitle: "Maak een account",
    haveAccount: "Hebt u al een account?",
    invited: "U bent uitgenodigd. Kies een wachtwoord en u kunt beginnen.",
    closed: "Niemand kan hier zelf een account maken. Vraag er een aan de beheerder van deze dienst.",
    needsInvite:
      "U hebt een uitnodiging nodig om hier een account te maken. Vraag die aan de beheerder en open de link die u krijgt.",
    inviteBad: "Deze uitnodiging is gebruikt, verlopen of voor een ander e-mailadres. Vraag een nieuwe.",
    taken:
      "Met dit wachtwoord konden we u niet inloggen. Hebt u al een account met dit adres, log dan in met het eigen wachtwoord.",
    emailBad: "Vul een volledig e-mailadres in, zoals u@bedrijf.nl.",
    emailRefused:
      "Dit adres kan hier niet worden gebruikt. Schrijf het als u@bedrijf.nl, zonder aanhalingstekens, haken of accenten.",
    passwordMissing: "Vul uw wachtwoord in.",
    mailSent: "Kijk in uw mail",
    confirmSent: (email) =>
      `We hebben een mail gestuurd naar ${email}. Open de link binnen een dag om af te ronden. Niets gekregen? Kijk bij de ongewenste mail.`,
    resetSent: (email) =>
      `Als er een account is voor ${email}, is er een mail met een link onderweg. Niets gekregen? Kijk bij de ongewenste mail.`,
    operatorResets: "Deze dienst stuurt geen mail",
    operatorAbout:
      "Vraag de beheerder van deze dienst om een link waarmee u een nieuw wachtwoord kiest. Die maakt er een op de server met:",
    forgotTitle: "Kies een nieuw wachtwoord",
    forgotAbout: "Vul uw e-mailadres in, dan krijgt u een link om een nieuw wachtwoord te kiezen.",
    askReset: "Stuur mij een link",
    back: "Terug naar inloggen",
    confirmTitle: "Bijna klaar",
    confirmAbout: "Vul het wachtwoord in dat u koos, zodat we weten dat u het bent.",
    confirm: "Bevestig mijn adres",
    confirmBad:
      "Deze link is gebruikt of verlopen, of het wachtwoord is een ander. Controleer het wachtwoord of maak opnieuw een account.",
    resetTitle: "Kies een nieuw wachtwoord",
    resetAbout: "Alle apparaten worden uitgelogd als u het wijzigt.",
    reset: "Bewaar het nieuwe wachtwoord",
    resetBad: "Deze link is gebruikt of verlopen. Vraag een nieuwe.",
    resetDone: "Uw nieuwe wachtwoord is bewaard. Log ermee in.",
    docs: "API-documentatie",
  },
);
