/** Which texts are names of places, for the cities of shielded addresses: in doubt a text is none. */
/** A province behind a city: `(Ov)`, `(N.H.)`, `(Gelderland)`. */
export const PROVINCE =
  "\\((?:(?:gro?n?|fri?|frl|dre?|ov?|fl|gl?d?|utr?|[nz][. -]{0,2}h|ze|zl?d|n[. -]{0,2}br?|lb?|limb)\\.?|groningen|friesland|frysl[aâ]n|drenthe|overijssel|flevoland|gelderland|utrecht|(?:noord|zuid)[- ]holland|zeeland|(?:noord[- ])?brabant|limburg)\\)";
/**
 * Dutch places, `name from to inhabitants`: their postal codes, of which no ranges overlap, and their inhabitants in
 * thousands (rounded, about 2025).
 */
export const PLACE_TABLE = `
Amsterdam 1011 1109 930; Edam 1135 1135 8; Volendam 1131 1132 23; Amstelveen 1181 1188 95
Hilversum 1211 1223 93; Almere 1311 1363 225; Weesp 1381 1384 21; Bussum 1401 1406 34; Uithoorn 1421 1423 24
Purmerend 1441 1448 82; Zaandam 1501 1509 79; Enkhuizen 1601 1602 19; Hoorn 1621 1628 75
Heerhugowaard 1701 1706 60; Schagen 1741 1742 20; Den Helder 1781 1788 57; Alkmaar 1811 1827 100
Castricum 1901 1902 24; Beverwijk 1941 1949 43; Heemskerk 1961 1969 40; IJmuiden 1971 1976 32
Haarlem 2011 2037 165; Zandvoort 2041 2042 17; Heemstede 2101 2106 28; Hoofddorp 2130 2135 78
Nieuw-Vennep 2151 2153 32; Lisse 2161 2163 23; Hillegom 2181 2182 22; Noordwijk 2201 2204 28
Katwijk 2221 2225 48; Voorschoten 2251 2254 25; Leidschendam 2261 2267 41; Voorburg 2271 2275 40
Rijswijk 2281 2289 57; Leiden 2311 2334 127; Leiderdorp 2351 2353 28; Alphen aan den Rijn 2401 2409 76
's-Gravenhage 2491 2597 562; Delft 2611 2629 107; Pijnacker 2641 2642 29; Naaldwijk 2671 2672 22
Zoetermeer 2711 2729 127; Gouda 2801 2809 75; Capelle aan den IJssel 2901 2909 67
Krimpen aan den IJssel 2921 2926 30; Ridderkerk 2981 2989 37; Barendrecht 2991 2994 49; Rotterdam 3011 3089 665
Schiedam 3111 3125 81; Vlaardingen 3131 3138 75; Maassluis 3141 3147 35; Spijkenisse 3201 3208 74
Hellevoetsluis 3221 3225 40; Dordrecht 3311 3329 121; Zwijndrecht 3331 3336 44; Papendrecht 3351 3356 32
Sliedrecht 3361 3364 26; IJsselstein 3401 3404 34; Nieuwegein 3431 3439 66; Woerden 3441 3449 41
Utrecht 3511 3585 370; Maarssen 3601 3608 40; Breukelen 3621 3621 10; Zeist 3701 3708 52; Bilthoven 3721 3723 23
Soest 3761 3768 40; Barneveld 3771 3773 36; Amersfoort 3811 3829 160; Harderwijk 3841 3848 43
Ermelo 3851 3853 24; Nijkerk 3861 3864 31; Zeewolde 3891 3899 23; Veenendaal 3901 3907 68; Doorn 3941 3941 10
Houten 3991 3995 45; Tiel 4001 4007 37; Culemborg 4101 4105 29; Geldermalsen 4191 4191 11
Gorinchem 4201 4208 38; Middelburg 4331 4339 43; Vlissingen 4381 4389 34; Goes 4461 4465 28
Terneuzen 4531 4539 25; Bergen op Zoom 4611 4625 58; Roosendaal 4701 4709 67; Breda 4811 4839 160
Etten-Leur 4871 4879 44; Oosterhout 4901 4909 49; Tilburg 5011 5049 207; Waalwijk 5141 5146 31
's-Hertogenbosch 5211 5237 118; Vught 5261 5263 26; Boxtel 5281 5283 26; Oss 5341 5349 59; Uden 5401 5406 37
Veghel 5461 5467 26; Veldhoven 5501 5509 46; Valkenswaard 5551 5556 31; Eindhoven 5611 5658 246
Geldrop 5661 5667 28; Best 5681 5685 31; Helmond 5701 5709 95; Deurne 5751 5754 24; Venray 5801 5804 30
Venlo 5911 5928 66; Weert 6001 6006 50; Roermond 6041 6049 45; Sittard 6131 6137 37; Geleen 6161 6167 32
Maastricht 6211 6229 123; Valkenburg 6301 6301 9; Heerlen 6411 6422 86; Kerkrade 6461 6469 45
Nijmegen 6511 6546 187; Wijchen 6601 6606 35; Wageningen 6701 6709 41; Ede 6711 6718 76; Arnhem 6811 6846 167
Zevenaar 6901 6905 27; Doetinchem 7001 7009 48; Winterswijk 7101 7109 29; Zutphen 7201 7207 48
Apeldoorn 7311 7339 141; Deventer 7411 7429 82; Rijssen 7461 7463 29; Enschede 7511 7548 149
Hengelo 7551 7559 81; Oldenzaal 7571 7577 32; Almelo 7601 7611 67; Coevorden 7741 7742 15
Hardenberg 7771 7773 20; Emmen 7811 7828 57; Hoogeveen 7901 7909 41; Meppel 7941 7944 32; Zwolle 8011 8045 128
Lelystad 8211 8245 82; Dronten 8251 8254 30; Kampen 8261 8266 38; Emmeloord 8301 8305 27; Steenwijk 8331 8334 18
Heerenveen 8441 8449 31; Joure 8501 8503 13; Sneek 8601 8608 34; Bolsward 8701 8702 10; Franeker 8801 8802 13
Harlingen 8861 8862 15; Leeuwarden 8911 8941 94; Dokkum 9101 9103 13; Drachten 9201 9207 45; Roden 9301 9302 15
Leek 9351 9351 11; Assen 9401 9408 67; Stadskanaal 9501 9503 20; Hoogezand 9601 9603 22; Veendam 9641 9648 20
Winschoten 9671 9675 18; Groningen 9711 9747 205; Haren 9751 9753 17; Delfzijl 9931 9936 16
`;

/** Places whose names have several words and fit no rule. */
const OTHER_PLACES =
  "Den Haag|The Hague|Den Bosch|De Bilt|Huis ter Heide|Wijk bij Duurstede|Hoek van Holland|Sas van Gent|Berg en Dal|Den Burg|De Meern|De Rijp|Ter Apel|Berkel Enschot|Egmond Binnen|Driebergen Rijsenburg|Hardinxveld Giessendam|Hendrik Ido Ambacht|Heeswijk Dinther|Berkel en Rodenrijs|Beek en Donk|Wijk en Aalburg|Broek op Langedijk|Nederhorst den Berg|Anna Paulowna";
/** Ends of names that few streets and families have. */
const ENDING = /\p{L}(?:dam|drecht|dorp|huizen|kerke|oord|sluis|stad|terp|veen|velde|voorde|woude|zijl)$/u;
/** `Sint Pancras`, `Krimpen aan de Lek`: names of several words that few streets and families have. */
const COMPOUND =
  /^(?:(?:oude?|nieuwe?|hoo?ge?|lage|laag|s heer|noord|zuid|oost|west|sint|st) \p{L}+|\p{L}+ aan (?:de[nr]? |het )?(?:zee|rijn|ijssel|lek|maas|vecht|amstel|zaan|schie|hoef|geul)|\p{L}+ op (?:zand|zoom))$/u;
const QUARTER = / (?:noord|zuid|oost|west|zuidoost|centrum)$/;
/** With an article or not: `De Rijp`. */
const ONE_WORD = /^(?:(?:de|den|het|'t|ter|ten|bad)\s)?[\p{L}\p{M}'’-]+$/iu;
const PROVINCE_BEHIND = new RegExp(`(?:${PROVINCE}|(?<!\\s)\\s(?:[nz]h|nb|gld|ov|ut|lb|fr|gn|dr))$`, "iu");

const TABLE: ReadonlySet<string> = new Set(
  [
    ...PLACE_TABLE.split(/[;\n]/).map((row) => row.replace(/(?<![ 0-9])[ 0-9]+$/, "")),
    ...OTHER_PLACES.split("|"),
  ].map(plainPlace),
);

/**
 * Lower case, without accents, a province and punctuation: `Capelle a/d IJssel` is the same as
 * `Capelle aan den IJssel`.
 */
export function plainPlace(text: string): string {
  return text
    .replace(PROVINCE_BEHIND, "")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\ba[/.]d[.\s]/, "aan den ")
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}

/** Whether a text is the name of a place: by this table, by its form, or as one of `known`, which are plain. */
export function isPlace(text: string, known: ReadonlySet<string> = new Set()): boolean {
  const plain = plainPlace(text);
  const core = plain.replace(QUARTER, "");
  if (core === "") return false;
  const isKnown = [plain, core].some((name) => TABLE.has(name) || known.has(name));
  return isKnown || COMPOUND.test(core) || (!core.includes(" ") && ENDING.test(core));
}

/** Whether a text that must be a place may be shown: it is one, or has no room for a person's name. */
export function isLikelyPlace(text: string): boolean {
  return ONE_WORD.test(text.replace(PROVINCE_BEHIND, "").trim()) || isPlace(text);
}
