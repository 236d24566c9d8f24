/** Street names in the usual Dutch patterns, and streets abroad. */
import { splitList } from "../random.ts";

const STEMS = splitList(`
Kerk, School, Dorps, Molen, Beuken, Eiken, Linden, Kastanje, Berken, Wilgen, Populieren, Esdoorn, Acacia, Iepen
Elzen, Dennen, Sparren, Meidoorn, Sleedoorn, Vlier, Rozen, Tulpen, Anjer, Narcis, Lelie, Dahlia, Violen, Korenbloem
Klaproos, Zonnebloem, Vergeetmijniet, Lavendel, Merel, Lijster, Nachtegaal, Leeuwerik, Spreeuwen, Zwaluw
Reiger, Ooievaar, Kievit, Grutto, Wulp, Valken, Buizerd, Uilen, Fazanten, Patrijs, Eksters, Snoek, Karper
Baars, Forel, Bakkers, Smeden, Wevers, Kuipers, Timmer, Zilversmid, Goudsmid, Pottenbakkers, Looiers, Touwslagers
Zeilmakers, Schippers, Vissers, Ambachts, Nijverheids, Industrie, Handels, Havens, Fabrieks, Energie, Techniek
Logistiek, Stations, Spoor, Tram, Post, Raadhuis, Markt, Brink, Wal, Gracht, Poort, Toren, Brug, Sluis, Dijk
Polder, Weide, Akker, Korenmolen, Hooi, Veld, Hei, Bos, Duin, Strand, Zee, Rijn, Maas, Waal, IJssel, Vecht, Lek
Schelde, Eem, Dommel, Amstel, Wilhelmina, Juliana, Beatrix, Emma, Irene, Margriet, Oranje, Nassau, Prinsen
Konings, Wilhelminapark, Saturnus, Jupiter, Mercurius, Venus, Orion, Poolster, Zonne, Maan, Robijn, Saffier
Smaragd, Diamant, Opaal, Topaas, Koper, Zilver, Goud, Platina, Violier, Cello, Trompet, Hobo, Fluit, Sonate
Menuet, Sarabande, Vrijheids, Vredes, Europa, Atlantis, Azië, Afrika, Noord, Zuid, Ooster, Wester
`);
const ENDS = splitList("straat, laan, weg, plein, kade, dijk, hof, singel, pad, steeg, plantsoen, park");
const NAMED_AFTER = splitList(`
Burgemeester, Dokter, Pastoor, Dominee, Meester, Professor, Notaris, Wethouder
`);
const HONOURED = splitList(`
van der Velden, Bijlsma, de Goede, Kloosterman, van Rooijen, Tichelaar, Verhagen, Zegers, IJzerman, ten Have
Huijbers, van 't Hof, Romeijn, Wesselink, Naber, de Rooij, Swinkels, Offermans, Haagsma, Lodewijks
`);
const GATES = splitList(`
Laan van Oversteen, Laan van Meerzicht, Laan van de Vrede, Weg naar de Heuvel, Achter de Kerk, Achter het Raadhuis
Op de Wal, Onder de Linden, Aan de Vest, Bij de Molen, Het Rond, Het Spoor, De Brink, De Beemd, De Hoef
De Run, De Dreef, 't Zand, 't Hofje, 't Heike, 's-Heerenweg, 's-Gravenpad, Plein 1940, Laan 1945, Lange Nering
Korte Nering, Oude Rijksweg, Nieuwe Rijksweg, Rondweg-Oost, Rondweg-West, Hoofdweg Noord, Hoofdweg Zuid
`);
const ORDINALS = splitList("1e, 2e, 3e, Eerste, Tweede, Derde, Lange, Korte, Oude, Nieuwe, Kleine, Grote");

const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Every street of the demo. Code refers to a street by its index in this list. */
export const STREETS: readonly string[] = [
  ...STEMS.flatMap((stem) => ENDS.map((end) => `${stem}${end}`)),
  ...NAMED_AFTER.flatMap((title) =>
    HONOURED.flatMap((name) => [`${title} ${withCapital(name)}straat`, `${title} ${withCapital(name)}laan`]),
  ),
  ...GATES,
  ...STEMS.slice(0, 60).flatMap((stem, index) =>
    ORDINALS.slice(index % 4, (index % 4) + 6).map((ordinal) => `${ordinal} ${stem}straat`),
  ),
];

export interface ForeignPlace {
  readonly city: string;
  /** ISO 3166-1 alpha-2 */
  readonly country: string;
  /** Street and number as that country writes them, `#` standing for the number. */
  readonly streets: readonly string[];
}

const abroad = (country: string, streets: string, cities: string): readonly ForeignPlace[] =>
  splitList(cities).map((city) => ({ city, country, streets: splitList(streets) }));

export const FOREIGN_PLACES: readonly ForeignPlace[] = [
  ...abroad("BE", "Kerkstraat #, Stationsstraat #, Steenweg op Oost #", "Antwerpen, Gent, Hasselt, Turnhout"),
  ...abroad("BE", "Rue de la Gare #, Avenue du Parc #", "Liège, Namur"),
  ...abroad("DE", "Hauptstraße #, Bahnhofstraße #, Gartenweg #", "Düsseldorf, Köln, Münster, Kleve, Berlin"),
  ...abroad("GB", "# High Street, # Station Road, Unit # Mill Lane", "London, Manchester, Leeds, Bristol"),
  ...abroad("FR", "# Rue de la République, # Avenue des Tilleuls", "Paris, Lyon, Lille"),
  ...abroad("LU", "# Rue du Moulin, # Boulevard du Parc", "Luxembourg"),
  ...abroad("ES", "Calle Mayor #, Avenida del Mar #", "Madrid, Málaga, Barcelona"),
  ...abroad("PL", "ul. Długa #, ul. Ogrodowa #", "Warszawa, Kraków, Łódź"),
  ...abroad("IT", "Via Roma #, Via dei Mulini #", "Milano, Torino"),
  ...abroad("CH", "Seestrasse #, Dorfstrasse #", "Zürich, Basel"),
  ...abroad("US", "# Main Street, # Maple Avenue Suite 200", "New York, Wilmington, Austin"),
  ...abroad("IE", "# Harbour Street, # Abbey Road", "Dublin, Cork"),
];
