/** Country names, as Dutch and English registers write them, to ISO 3166-1 alpha-2 codes. */

/** The codes that ISO 3166-1 assigns; the names come with the runtime (Unicode CLDR). */
const CODES =
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
  "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
  "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO " +
  "JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR " +
  "MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO " +
  "RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV " +
  "TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/** What registers write and the runtime's lists do not hold. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  holland: "NL",
  "the netherlands": "NL",
  "koninkrijk der nederlanden": "NL",
  "groot-brittannië": "GB",
  "great britain": "GB",
  engeland: "GB",
  england: "GB",
  schotland: "GB",
  scotland: "GB",
  uk: "GB",
  "verenigde staten van amerika": "US",
  "united states of america": "US",
  usa: "US",
  "bondsrepubliek duitsland": "DE",
  "tsjechische republiek": "CZ",
  "czech republic": "CZ",
  turkije: "TR",
  turkey: "TR",
  rusland: "RU",
  "russische federatie": "RU",
  "volksrepubliek china": "CN",
  "hong kong": "HK",
  hongkong: "HK",
  "zuid-korea": "KR",
  "south korea": "KR",
  "ierse republiek": "IE",
  "republic of ireland": "IE",
  "slowaakse republiek": "SK",
  slowakije: "SK",
  macedonië: "MK",
  vaticaanstad: "VA",
};

let byName: Map<string, string> | undefined;

/** The code of a country that `text` names or is: `Frankrijk`, `France` and `fr` are `FR`; undefined when unknown. */
export function parseCountry(text: string): string | undefined {
  byName ??= namesToCodes();
  return byName.get(plain(text));
}

function namesToCodes(): Map<string, string> {
  const names = new Map<string, string>();
  const languages = ["nl", "en", "fr", "de"].map(
    (language) => new Intl.DisplayNames(language, { type: "region" }),
  );
  for (const code of CODES.split(" ")) {
    names.set(plain(code), code);
    for (const language of languages) {
      const name = language.of(code);
      if (name !== undefined && !names.has(plain(name))) names.set(plain(name), code);
    }
  }
  for (const [name, code] of Object.entries(OTHER_NAMES)) names.set(plain(name), code);
  return names;
}

/** Letters only, without case and accents: `Groot-Brittannië` and `groot brittannie` are one. */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();
}
