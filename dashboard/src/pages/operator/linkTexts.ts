import { bilingual } from "../../language/bilingual.ts";

export const linkTexts = bilingual({
  link: ["Link", "Link"],
  until: (moment: string) => [
    `It works once, until ${moment}. It is shown only now and can’t be retrieved.`,
    `Hij werkt één keer, tot ${moment}. Hij wordt alleen nu getoond en is niet meer op te vragen.`,
  ],
  done: ["I’ve saved it", "Ik heb hem opgeslagen"],
  invite: ["Invite someone", "Iemand uitnodigen"],
  inviteAbout: [
    "The link lets one person create an account. Send it only to that person.",
    "Met de link kan één persoon een account aanmaken. Stuur hem alleen naar die persoon.",
  ],
  email: ["Email address", "E-mailadres"],
  emailAbout: [
    "Only this address can then use the invite. Leave it empty for any address.",
    "Alleen dit adres kan de uitnodiging dan gebruiken. Laat het leeg om elk adres toe te staan.",
  ],
  emailWrong: ["This email address isn’t accepted here.", "Dit e-mailadres wordt hier niet geaccepteerd."],
  plan: ["Plan", "Abonnement"],
  makeInvite: ["Create invite", "Uitnodiging aanmaken"],
  open: [
    "Anyone can sign up here. An invite is only needed for a plan other than the first one.",
    "Iedereen kan zich hier aanmelden. Een uitnodiging is alleen nodig voor een ander abonnement dan het eerste.",
  ],
  closed: [
    "Signing up isn’t possible here at the moment, even with an invite: SIGNUP is set to closed.",
    "Aanmelden kan hier nu niet, ook niet met een uitnodiging: SIGNUP staat op closed.",
  ],
  tooMany: [
    "You have created many links in a short time. Try again later.",
    "U hebt in korte tijd veel links aangemaakt. Probeer het later opnieuw.",
  ],
});
