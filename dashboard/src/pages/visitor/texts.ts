import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  promise: ["The Dutch company registry, one call away.", "Het Nederlandse handelsregister, in één API."],
  points: {
    find: ["Find companies as people type", "Vind bedrijven tijdens het typen"],
    check: [
      "Check VAT numbers with the EU, and see how up to date the answer is",
      "Controleer btw-nummers bij de EU en zie hoe actueel het antwoord is",
    ],
    pay: [
      "Pay for answers only: errors, unknown KVK numbers and outages are free",
      "Betaal alleen voor antwoorden: fouten, onbekende KVK-nummers en storingen zijn gratis",
    ],
  },
  password: ["Password", "Wachtwoord"],
  newPassword: ["New password", "Nieuw wachtwoord"],
  signIn: ["Sign in", "Inloggen"],
  signInTitle: ["Welcome back", "Welkom terug"],
  ended: ["Your session has ended. Sign in again.", "Uw sessie is verlopen. Log opnieuw in."],
  signedOut: ["You have signed out.", "U bent uitgelogd."],
  deleted: [
    "Your account and all its keys have been deleted.",
    "Uw account is verwijderd, met alle sleutels.",
  ],
  wrong: [
    "This email address and password don’t match. Check both, or reset your password.",
    "Dit e-mailadres en wachtwoord horen niet bij elkaar. Controleer beide of kies een nieuw wachtwoord.",
  ],
  tooManyAttempts: (duration: string) => [
    `Too many incorrect passwords. Try again in ${duration}, or from a network where you signed in before.`,
    `Te veel onjuiste wachtwoorden. Probeer het over ${duration} opnieuw, of vanaf een netwerk waar u eerder inlogde.`,
  ],
  emailTitle: ["Confirm your new address", "Bevestig uw nieuwe adres"],
  emailAbout: [
    "Enter the password of your account. From then on, you sign in with this address.",
    "Vul het wachtwoord van uw account in. Voortaan logt u met dit adres in.",
  ],
  emailConfirm: ["Change address", "Adres wijzigen"],
  emailBadLink: [
    "This link has been used or has expired, or the password is wrong. Check the password, or request a new link in the settings.",
    "Deze link is gebruikt of verlopen, of het wachtwoord is onjuist. Controleer het wachtwoord of vraag bij de instellingen een nieuwe link aan.",
  ],
  emailDone: ["The address of your account has been changed.", "Het adres van uw account is gewijzigd."],
  goOn: ["Continue", "Doorgaan"],
  codeTitle: ["One more step", "Nog één stap"],
  codeAbout: [
    "Open the app on your phone and enter the code that it shows for Opzoek.",
    "Open de app op uw telefoon en vul de code in die daar bij Opzoek staat.",
  ],
  recoveryAbout: [
    "Enter one of your saved recovery codes. Each works once.",
    "Vul een van de herstelcodes in die u hebt bewaard. Elke code werkt één keer.",
  ],
  codeBad: [
    "This code is wrong or has already been used. Wait for the next one and try again.",
    "Deze code is onjuist of al gebruikt. Wacht op de volgende en probeer het opnieuw.",
  ],
  recoveryBad: [
    "This recovery code is wrong or has already been used. Try another one.",
    "Deze herstelcode is onjuist of al gebruikt. Probeer een andere.",
  ],
  codeTries: (duration: string) => [
    `Too many wrong codes. Try again in ${duration}. If it wasn’t you, someone knows your password: choose a new one.`,
    `Te veel onjuiste codes. Probeer het over ${duration} opnieuw. Was u het niet, dan kent iemand uw wachtwoord: kies een nieuw wachtwoord.`,
  ],
  codeAway: [
    "Codes can’t be checked right now. Sign in with a recovery code, or ask the operator of this service.",
    "Codes kunnen nu niet worden gecontroleerd. Log in met een herstelcode, of vraag hulp aan de beheerder van deze dienst.",
  ],
  lostBoth: [
    "Lost your phone and the codes? Ask the operator of this service.",
    "Telefoon en codes kwijt? Vraag hulp aan de beheerder van deze dienst.",
  ],
  forgot: ["Forgot your password?", "Wachtwoord vergeten?"],
  noAccount: ["No account yet?", "Nog geen account?"],
  signUp: ["Create account", "Account aanmaken"],
  haveAccount: ["Already have an account?", "Hebt u al een account?"],
  invited: [
    "You have been invited. Choose a password to get started.",
    "U bent uitgenodigd. Kies een wachtwoord om te beginnen.",
  ],
  closed: [
    "You can’t sign up here yourself. Ask the operator of this service for an account.",
    "U kunt hier niet zelf een account aanmaken. Vraag er een aan bij de beheerder van deze dienst.",
  ],
  needsInvite: [
    "You need an invitation to sign up here. Ask the operator of this service, and open the link you receive.",
    "U hebt een uitnodiging nodig om hier een account aan te maken. Vraag die aan de beheerder en open de link die u krijgt.",
  ],
  inviteBad: [
    "This invitation has been used, has expired, or is for another email address. Ask for a new one.",
    "Deze uitnodiging is gebruikt, verlopen of bestemd voor een ander e-mailadres. Vraag een nieuwe aan.",
  ],
  taken: [
    "We couldn’t sign you in with this password. If you already have an account with this address, sign in with its own password.",
    "We konden u met dit wachtwoord niet inloggen. Hebt u al een account met dit adres, log dan in met het wachtwoord van dat account.",
  ],
  emailBad: [
    "Enter a complete email address, such as you@company.nl.",
    "Vul een volledig e-mailadres in, zoals u@bedrijf.nl.",
  ],
  emailRefused: [
    "This address can’t be used here. Write it as you@company.nl, without quotes, brackets or accents.",
    "Dit adres kan hier niet worden gebruikt. Schrijf het als u@bedrijf.nl, zonder aanhalingstekens, haken of accenten.",
  ],
  mailSent: ["Check your email", "Controleer uw e-mail"],
  confirmSent: (email: string) => [
    `We sent an email to ${email}. Open the link in it within a day to finish. Nothing received? Check your spam folder.`,
    `We hebben een e-mail gestuurd naar ${email}. Open de link binnen een dag om af te ronden. Niets ontvangen? Kijk in uw map met ongewenste e-mail.`,
  ],
  resetSent: (email: string) => [
    `If there is an account for ${email}, an email with a link is on its way. Nothing received? Check your spam folder.`,
    `Als er een account is voor ${email}, is er een e-mail met een link onderweg. Niets ontvangen? Kijk in uw map met ongewenste e-mail.`,
  ],
  operatorResets: ["This service doesn’t send email", "Deze dienst verstuurt geen e-mail"],
  operatorAbout: [
    "Ask the operator of this service for a link to choose a new password. They create one on the server with:",
    "Vraag de beheerder van deze dienst om een link waarmee u een nieuw wachtwoord kiest. Die maakt er op de server een aan met:",
  ],
  forgotTitle: ["Choose a new password", "Nieuw wachtwoord kiezen"],
  forgotAbout: [
    "Enter your email address to receive a link to choose a new password.",
    "Vul uw e-mailadres in, dan krijgt u een link om een nieuw wachtwoord te kiezen.",
  ],
  askReset: ["Send link", "Link versturen"],
  back: ["Back to sign in", "Terug naar inloggen"],
  confirmTitle: ["Almost there", "Bijna klaar"],
  confirmAbout: [
    "Enter the password you chose, so that we know it’s you.",
    "Vul het wachtwoord in dat u hebt gekozen, zodat we weten dat u het bent.",
  ],
  confirm: ["Confirm address", "Adres bevestigen"],
  confirmBad: [
    "This link has been used or has expired, or the password is incorrect. Check the password, or sign up again.",
    "Deze link is gebruikt of verlopen, of het wachtwoord is onjuist. Controleer het wachtwoord of maak opnieuw een account aan.",
  ],
  resetAbout: ["Changing it signs out all devices.", "Als u het wijzigt, worden alle apparaten uitgelogd."],
  reset: ["Save new password", "Nieuw wachtwoord opslaan"],
  resetBad: [
    "This link has been used or has expired. Request a new one.",
    "Deze link is gebruikt of verlopen. Vraag een nieuwe aan.",
  ],
  resetDone: [
    "Your new password has been saved. Sign in with it.",
    "Uw nieuwe wachtwoord is opgeslagen. Log ermee in.",
  ],
  docs: ["API documentation", "API-documentatie"],
});
