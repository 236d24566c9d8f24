import { bilingual } from "../../language/bilingual.ts";

export const texts = bilingual({
  title: ["Keys", "Sleutels"],
  about: [
    "Programs use a key to call the API on behalf of your account. Give each program its own key, so that you can replace one without affecting the others.",
    "Met een sleutel roept een programma de API aan namens uw account. Geef elk programma een eigen sleutel, dan kunt u er een vervangen zonder gevolgen voor de rest.",
  ],
  list: ["Your keys", "Uw sleutels"],
  count: (live: string, most: string) => [
    `${live} active, of at most ${most}.`,
    `${live} actief, van maximaal ${most}.`,
  ],
  make: ["New key", "Nieuwe sleutel"],
  name: ["Name", "Naam"],
  nameAbout: [
    "What you use it for, such as your website or a nightly job.",
    "Waarvoor u hem gebruikt, zoals uw website of een nachtelijke taak.",
  ],
  nameMissing: [
    "Give the key a name of at most 100 characters.",
    "Geef de sleutel een naam van maximaal 100 tekens.",
  ],
  makeButton: ["Create key", "Sleutel aanmaken"],
  none: [
    "You don’t have a key yet. Create one, and you can call the API within a minute.",
    "U hebt nog geen sleutel. Maak er een aan, dan kunt u binnen een minuut de API aanroepen.",
  ],
  newTitle: ["Your new key", "Uw nieuwe sleutel"],
  newAbout: [
    "Save it somewhere safe now. It is shown only once: we store just a fingerprint of it.",
    "Bewaar hem nu op een veilige plek. Hij wordt maar één keer getoond: wij bewaren er alleen een vingerafdruk van.",
  ],
  key: ["Key", "Sleutel"],
  done: ["I’ve saved it", "Ik heb hem opgeslagen"],
  oldEnds: (moment: string) => [
    `The old key works until ${moment}. Replace it with the new one before then.`,
    `De oude sleutel werkt tot ${moment}. Vervang hem vóór die tijd door de nieuwe.`,
  ],
  oldEnded: ["The old key has stopped working.", "De oude sleutel werkt niet meer."],
  columns: {
    key: ["Key", "Sleutel"],
    created: ["Created", "Aangemaakt"],
    lastUsed: ["Last used", "Laatst gebruikt"],
    requests: ["Calls this month", "Aanroepen deze maand"],
    tokens: ["Tokens", "Tokens"],
    state: ["Status", "Status"],
    actions: ["Actions", "Acties"],
  },
  kinds: { live: ["Live", "Live"], test: ["Test", "Test"], pub: ["Browser", "Browser"] },
  states: {
    live: ["Active", "Actief"],
    ending: ["Expires soon", "Verloopt binnenkort"],
    expired: ["Expired", "Verlopen"],
    revoked: ["Revoked", "Ingetrokken"],
  },
  until: (moment: string) => [`until ${moment}`, `tot ${moment}`],
  since: (moment: string) => [`since ${moment}`, `sinds ${moment}`],
  never: ["Never", "Nooit"],
  roll: ["Replace", "Vervangen"],
  revoke: ["Revoke", "Intrekken"],
  rollTitle: (name: string) => [`Replace “${name}”`, `‘${name}’ vervangen`],
  rollAbout: [
    "You get a new key with the same name. How long should the old one keep working?",
    "U krijgt een nieuwe sleutel met dezelfde naam. Hoe lang moet de oude nog werken?",
  ],
  overlaps: {
    now: ["Stops immediately", "Stopt meteen"],
    hour: ["1 hour", "1 uur"],
    day: ["24 hours", "24 uur"],
  },
  overlap: ["The old key", "De oude sleutel"],
  rollButton: ["Replace key", "Sleutel vervangen"],
  revokeTitle: (name: string) => [`Revoke “${name}”?`, `‘${name}’ intrekken?`],
  revokeAbout: [
    "All calls with this key will fail. This can’t be undone.",
    "Alle aanroepen met deze sleutel mislukken dan. Dit kunt u niet ongedaan maken.",
  ],
  revokeButton: ["Revoke key", "Sleutel intrekken"],
  tooMany: [
    "You have reached the maximum number of active keys. Revoke one first.",
    "U hebt het maximale aantal actieve sleutels bereikt. Trek er eerst een in.",
  ],
  tooManyToday: (most: string, duration: string) => [
    `You have created the maximum of ${most} keys today. You can create the next one in ${duration}.`,
    `U hebt vandaag het maximum van ${most} sleutels aangemaakt. De volgende kan over ${duration}.`,
  ],
  originsRefused: [
    "One of these web addresses isn’t accepted. Enter each as https://shop.example.",
    "Een van deze webadressen wordt niet geaccepteerd. Schrijf ze als https://shop.example.",
  ],
  pages: ["Pages of keys", "Pagina's met sleutels"],
  gone: [
    "This key is no longer active. Reload the page to see your keys.",
    "Deze sleutel is niet meer actief. Laad de pagina opnieuw om uw sleutels te zien.",
  ],
  expiry: ["Expires on", "Verloopt op"],
  expiryAbout: [
    "Optional. The key works until the end of this day (UTC). You can move the date later.",
    "Optioneel. De sleutel werkt tot het einde van deze dag (UTC). U kunt de datum later verschuiven.",
  ],
  expiryWrong: [
    "Choose a day from today on, at most ten years ahead.",
    "Kies een dag vanaf vandaag, maximaal tien jaar vooruit.",
  ],
  addresses: ["Allowed IP addresses", "Toegestane IP-adressen"],
  addressesAbout: [
    "Optional. One IP address or network per line, such as 192.0.2.7 or 2001:db8::/32. Calls from elsewhere fail.",
    "Optioneel. Eén IP-adres of netwerk per regel, zoals 192.0.2.7 of 2001:db8::/32. Aanroepen van elders mislukken.",
  ],
  addressesWrong: (line: string) => [
    `“${line}” isn’t an IP address or network. Enter 192.0.2.7 or 192.0.2.0/24.`,
    `‘${line}’ is geen IP-adres of netwerk. Schrijf 192.0.2.7 of 192.0.2.0/24.`,
  ],
  addressesMany: (most: string) => [
    `At most ${most} addresses. Combine addresses into a network.`,
    `Maximaal ${most} adressen. Combineer adressen tot een netwerk.`,
  ],
  change: ["Edit", "Bewerken"],
  changeTitle: (name: string) => [`Edit “${name}”`, `‘${name}’ bewerken`],
  changeAbout: [
    "The key itself doesn’t change, so programs that use it keep working.",
    "De sleutel zelf verandert niet: programma's die hem gebruiken, hoeft u niet aan te passen.",
  ],
  save: ["Save", "Opslaan"],
  expires: (day: string) => [`Expires ${day}`, `Verloopt op ${day}`],
  expired: (day: string) => [`Expired ${day}`, `Verlopen op ${day}`],
  usedFrom: (addresses: string) => [`Only from ${addresses}`, `Alleen vanaf ${addresses}`],
  usedFromMany: (first: string, more: string) => [
    `Only from ${first} and ${more} more`,
    `Alleen vanaf ${first} en nog ${more}`,
  ],
  kindLabel: ["Type of key", "Soort sleutel"],
  kindChoices: {
    live: ["Live: for your server", "Live: voor uw server"],
    test: ["Test: to try things out", "Test: om uit te proberen"],
    pub: ["Browser: for a web page", "Browser: voor een webpagina"],
  },
  kindsAbout: {
    live: ["Can call everything. Keep it secret.", "Kan alles aanroepen. Houd hem geheim."],
    test: ["Returns fictional companies, free of charge.", "Geeft verzonnen bedrijven terug, gratis."],
    pub: [
      "Visible to everyone who opens the page, and therefore limited: suggestions as you type, on your websites only.",
      "Zichtbaar voor iedereen die de pagina opent en daarom beperkt: suggesties tijdens het typen, alleen op uw websites.",
    ],
  },
  origins: ["Websites that may use the key", "Websites die de sleutel mogen gebruiken"],
  originsAbout: [
    "One web address per line, such as https://shop.example, or https://*.shop.example for all its subdomains.",
    "Eén webadres per regel, zoals https://shop.example, of https://*.shop.example voor alle subdomeinen.",
  ],
  originsMissing: [
    "Add at least one web address, such as https://shop.example.",
    "Vul minstens één webadres in, zoals https://shop.example.",
  ],
  originsWrong: (line: string) => [
    `“${line}” can’t be used. Enter https://shop.example or https://*.shop.example, without a path.`,
    `‘${line}’ kan niet worden gebruikt. Schrijf https://shop.example of https://*.shop.example, zonder pad.`,
  ],
  originsMany: (most: string) => [
    `At most ${most} web addresses. Combine names, such as https://*.shop.example.`,
    `Maximaal ${most} webadressen. Combineer namen, zoals https://*.shop.example.`,
  ],
  dailyTokens: ["Maximum tokens per day", "Maximumaantal tokens per dag"],
  dailyTokensAbout: [
    "Limits the cost if someone copies the key. A day ends at midnight UTC.",
    "Beperkt de kosten als iemand de sleutel kopieert. Een dag eindigt om middernacht UTC.",
  ],
  dailyTokensWrong: (most: string) => [
    `Enter a whole number from 1 to ${most}.`,
    `Vul een heel getal van 1 tot en met ${most} in.`,
  ],
  mayLookUp: ["May also look up companies", "Mag ook bedrijven opzoeken"],
  mayLookUpAbout: [
    "Basic data by KVK number, to complete an address.",
    "Basisgegevens opvragen op KVK-nummer, om een adres in te vullen.",
  ],
  spends: (tokens: string) => [`At most ${tokens} tokens per day`, `Maximaal ${tokens} tokens per dag`],
  spendsWithLookups: (tokens: string) => [
    `At most ${tokens} tokens per day, including lookups`,
    `Maximaal ${tokens} tokens per dag, inclusief opzoeken`,
  ],
  usedOn: (origins: string) => [`On ${origins}`, `Op ${origins}`],
  usedOnMany: (first: string, more: string) => [`On ${first} and ${more} more`, `Op ${first} en nog ${more}`],
  seenInBrowser: (origin: string) => [
    `Used in a browser at ${origin}. Anyone who opens that page can copy the key: create a browser key for the page and replace this one.`,
    `Gebruikt in een browser op ${origin}. Iedereen die die pagina opent, kan de sleutel kopiëren: maak een browsersleutel voor de pagina aan en vervang deze.`,
  ],
  noPage: ["a page without a web address", "een pagina zonder webadres"],
  newBrowserAbout: [
    "This key can go into your page. It is shown only once; if you lose it, create a new one. Paste this HTML into a page at one of the key’s web addresses.",
    "Deze sleutel mag in uw pagina staan. Hij wordt maar één keer getoond; bent u hem kwijt, maak dan een nieuwe aan. Plak deze HTML in een pagina op een van de webadressen van de sleutel.",
  ],
  elementHtml: ["HTML for your page", "HTML voor uw pagina"],
});
