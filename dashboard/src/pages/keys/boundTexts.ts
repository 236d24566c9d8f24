import { bilingual } from "../../language/bilingual.ts";

/** What is said of a key's name, expiry and addresses. */
export const boundTexts = bilingual(
  {
    expiry: "Expires on",
    expiryAbout: "Optional. The key works until the end of this day (UTC). You can move the date later.",
    expiryWrong: "Choose a day from today on, at most ten years ahead.",
    addresses: "Allowed addresses",
    addressesAbout:
      "Optional. One IP address or network on each line, such as 192.0.2.7 or 2001:db8::/32. Calls from elsewhere fail.",
    addressesWrong: (line: string) =>
      `“${line}” is no IP address or network. Write 192.0.2.7 or 192.0.2.0/24.`,
    addressesMany: (most: string) => `At most ${most} addresses. Take addresses together as a network.`,
    change: "Edit",
    changeTitle: (name: string) => `Edit “${name}”`,
    changeAbout: "The key itself stays as it is: programs that use it need not change.",
    save: "Save",
    expires: (day: string) => `Expires ${day}`,
    expired: (day: string) => `Expired ${day}`,
    only: (addresses: string) => `Only from ${addresses}`,
    onlyMany: (first: string, more: string) => `Only from ${first} and ${more} more`,
  },
  {
    expiry: "Verloopt op",
    expiryAbout:
      "Niet verplicht. De sleutel werkt tot het einde van deze dag (UTC). U kunt de datum later verschuiven.",
    expiryWrong: "Kies een dag vanaf vandaag, hooguit tien jaar vooruit.",
    addresses: "Toegestane adressen",
    addressesAbout:
      "Niet verplicht. Op elke regel één IP-adres of netwerk, zoals 192.0.2.7 of 2001:db8::/32. Aanroepen van elders mislukken.",
    addressesWrong: (line) => `‘${line}’ is geen IP-adres of netwerk. Schrijf 192.0.2.7 of 192.0.2.0/24.`,
    addressesMany: (most) => `Hooguit ${most} adressen. Neem adressen samen als netwerk.`,
    change: "Bewerken",
    changeTitle: (name) => `‘${name}’ bewerken`,
    changeAbout: "De sleutel zelf blijft gelijk: programma's die hem gebruiken hoeft u niet aan te passen.",
    save: "Opslaan",
    expires: (day) => `Verloopt op ${day}`,
    expired: (day) => `Verlopen op ${day}`,
    only: (addresses) => `Alleen vanaf ${addresses}`,
    onlyMany: (first, more) => `Alleen vanaf ${first} en nog ${more}`,
  },
);
