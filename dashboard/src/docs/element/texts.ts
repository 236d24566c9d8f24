import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual(
  {
    title: "Try it here",
    about:
      "The element in a form, asking this service. Typing costs a token a session, a choice one for the lookup that fills the address.",
    needsKey: "Enter a key first.",
    send: "Show what the form sends",
    sent: "The form sends",
    html: "The HTML of this form",
  },
  {
    title: "Probeer het hier",
    about:
      "Het element in een formulier, dat deze dienst bevraagt. Typen kost een token per sessie, een keuze één voor het opvragen van het adres.",
    needsKey: "Vul eerst een sleutel in.",
    send: "Tonen wat het formulier verstuurt",
    sent: "Het formulier verstuurt",
    html: "De HTML van dit formulier",
  },
);
