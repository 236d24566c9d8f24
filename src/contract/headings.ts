/** Column headings of KVK and VAT numbers, as {@link plainHeading} returns them, the most specific first. */

export const KVK_NUMBER_HEADINGS = [
  ...[
    "kvknumber",
    "kvknummer",
    "kvknr",
    "kvkno",
    "nummerkvk",
    "nrkvk",
    "kvkid",
    "kvkcode",
    "kvkinschrijfnummer",
  ],
  ...["kvkinschrijvingsnummer", "inschrijfnummerkvk", "inschrijvingsnummerkvk", "kvkregistratienummer"],
  ...["kvkdossiernummer", "dossiernummerkvk", "kvkdossier", "dossiernummer", "dossiernr"],
  ...[
    "handelsregisternummer",
    "handelsregisternr",
    "nummerhandelsregister",
    "inschrijvingsnummerhandelsregister",
  ],
  ...["kamervankoophandelnummer", "nummerkamervankoophandel", "kamervankoophandel", "kamervankoophandelnr"],
  ...["cocnumber", "cocnummer", "cocnr", "cocno", "cocregistrationnumber", "numbercoc", "coccode", "cocid"],
  ...["chamberofcommercenumber", "chamberofcommerceno", "chamberofcommercenr", "chamberofcommercenummer"],
  ...[
    "chamberofcommerceregistrationnumber",
    "chamberofcommercecode",
    "chamberofcommerce",
    "traderegisternumber",
  ],
  ...["kvk", "coc", "handelsregister"],
] as const;

export const VAT_NUMBER_HEADINGS = [
  ...["vatnumber", "vatnummer", "vatno", "vatnr", "vatid", "vatidnumber", "vatidentificationnumber"],
  ...[
    "vatregistrationnumber",
    "btwnummer",
    "btwnr",
    "btwno",
    "btwid",
    "btwidnummer",
    "btwidentificatienummer",
  ],
  ...["nummerbtw", "btwregistratienummer", "omzetbelastingnummer", "obnummer", "taxnumber", "btw", "vat"],
] as const;

/** A heading without case, accents and punctuation: `KVK-nummer`, `kvk_nummer` and `kvkNummer` are equal. */
export function plainHeading(heading: string): string {
  return heading
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}
