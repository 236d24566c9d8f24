import { bilingual } from "../../language/bilingual.ts";

export const linkTexts = bilingual(
  {
    link: "Link",
    until: (moment: string) => `It works once, until ${moment}. It is shown only now and can’t be retrieved.`,
    done: "I’ve saved it",
    invite: "Invite someone",
    inviteAbout: "The link lets one person create an account. Send it only to that person.",
    email: "Email address",
    emailAbout: "Only this address can then use the invite. Leave it empty for any address.",
    emailWrong: "This email address isn’t accepted here.",
    plan: "Plan",
    makeInvite: "Create invite",
    open: "Anyone can sign up here. An invite is only needed for a plan other than the first one.",
    closed: "Signing up isn’t possible here at the moment, even with an invite: SIGNUP is set to closed.",
    tooMany: "You have created many links in a short time. Try again later.",
  },
  {
    link: "Link",
    until: (moment) =>
      `Hij werkt één keer, tot ${moment}. Hij wordt alleen nu getoond en is niet meer op te vragen.`,
    done: "Ik heb hem opgeslagen",
    invite: "Iemand uitnodigen",
    inviteAbout: "Met de link kan één persoon een account aanmaken. Stuur hem alleen naar die persoon.",
    email: "E-mailadres",
    emailAbout: "Alleen dit adres kan de uitnodiging dan gebruiken. Laat het leeg om elk adres toe te staan.",
    emailWrong: "Dit e-mailadres wordt hier niet geaccepteerd.",
    plan: "Abonnement",
    makeInvite: "Uitnodiging aanmaken",
    open: "Iedereen kan zich hier aanmelden. Een uitnodiging is alleen nodig voor een ander abonnement dan het eerste.",
    closed: "Aanmelden kan hier nu niet, ook niet met een uitnodiging: SIGNUP staat op closed.",
    tooMany: "U hebt in korte tijd veel links aangemaakt. Probeer het later opnieuw.",
  },
);
