/** Country names, as Dutch and English registers write them, to ISO 3166-1 alpha-2 codes. */
import { isNoAddress } from "./streetLine.ts";

/**
 * The codes of two and of three letters that ISO 3166-1 assigns, and XK, which the EU uses for Kosovo; the names come with
 * the runtime (Unicode CLDR).
 */
const CODES =
  "ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB " +
  "BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR " +
  "BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR " +
  "CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK " +
  "FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS " +
  "GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN " +
  "ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO " +
  "LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD " +
  "MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER " +
  "NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM " +
  "PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP " +
  "SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF " +
  "TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY " +
  "UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM XKXKX YEYEM YTMYT ZAZAF ZMZMB ZWZWE";

/** Names that registers, ISO itself and people write, and the runtime's lists do not hold; by code, parted by `|`. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  AE: "UAE|VAE",
  BN: "Brunei Darussalam",
  BO: "Bolivia, Plurinational State of|Bolivia (Plurinational State of)",
  BQ: "Bonaire|Saba|Sint Eustatius|Bonaire, Sint Eustatius en Saba|Bonaire, Sint Eustatius and Saba|BES|BES-eilanden|Caribisch deel van Nederland",
  BY: "Wit-Rusland|Witrusland|White Russia|Weissrussland|Weißrussland|Belorussia|Bielorussie",
  CD: "Democratische Republiek Congo|Congo, Democratische Republiek|Congo (Democratische Republiek)|Democratic Republic of the Congo|Democratic Republic of Congo|Congo, The Democratic Republic of the|Congo (the Democratic Republic of the)|République démocratique du Congo|Demokratische Republik Kongo|DR Congo|DRC|Zaïre",
  CG: "Congo|Kongo|Republiek Congo|Congo, Republiek|Republic of the Congo",
  CI: "Ivory Coast|Elfenbeinküste",
  CN: "Volksrepubliek China|China (Volksrepubliek)|People's Republic of China|China, People's Republic of",
  CV: "Cabo Verde|Kaapverdische Eilanden",
  CZ: "Tsjechische Republiek|Czech Republic|République tchèque|Tschechische Republik",
  DE: "Bondsrepubliek Duitsland|Duitsland (Bondsrepubliek)|Bundesrepublik Deutschland|Federal Republic of Germany|BRD",
  FK: "Falkland Islands (Malvinas)",
  FM: "Micronesia, Federated States of",
  GB: "Groot-Brittannië|Groot-Brittannië en Noord-Ierland|Great Britain|Engeland|England|Schotland|Scotland|Wales|Noord-Ierland|Northern Ireland|Verenigd Koninkrijk van Groot-Brittannië en Noord-Ierland|United Kingdom of Great Britain and Northern Ireland|Grande-Bretagne|Grossbritannien|Angleterre|UK|VK",
  GR: "EL|Hellas",
  HK: "Hong Kong|Hong-Kong",
  IE: "Ierse Republiek|Republiek Ierland|Republic of Ireland|Eire|Ierland (Republiek)",
  IM: "Man|Eiland Man",
  IR: "Iran, Islamic Republic of|Iran (Islamic Republic of)|Islamitische Republiek Iran",
  KN: "Saint Kitts en Nevis|St. Kitts en Nevis",
  KP: "Korea, Democratic People's Republic of|Democratic People's Republic of Korea|Democratische Volksrepubliek Korea|Korea, Noord",
  KR: "Korea|Republiek Korea|Republic of Korea|Korea, Republic of|Korea (Republiek)|Korea, Zuid|Zuidkorea",
  KY: "Caymaneilanden|Cayman eilanden",
  LA: "Lao People's Democratic Republic",
  LU: "Groothertogdom Luxemburg",
  MD: "Moldova, Republic of|Republiek Moldavië|Moldova",
  MF: "Saint Martin (French part)",
  MK: "Macedonië|Macedonia|Voormalige Joegoslavische Republiek Macedonië|FYROM|Republiek Noord-Macedonië",
  MM: "Birma|Burma",
  MO: "Macau|Macao",
  NL: "Holland|Hollande|Ned|Nederl|Nedl|Netherland|Niederland|The Netherlands|Netherlands, The|Netherlands (the)|Koninkrijk der Nederlanden|Kingdom of the Netherlands|Netherlands, Kingdom of the|Netherlands (Kingdom of the)|Les Pays-Bas|Die Niederlande",
  PS: "Palestina|Palestine, State of|Palestijnse Autoriteit",
  RU: "Russische Federatie|Russian Federation",
  SK: "Slowaakse Republiek|Slovak Republic",
  SR: "Republiek Suriname",
  SX: "St. Maarten|Sint Maarten (Dutch part)",
  SY: "Syrian Arab Republic",
  SZ: "Swaziland",
  TL: "East Timor",
  TR: "Turkey|Republiek Turkije",
  TW: "Taiwan, Province of China|Taiwan (Province of China)|Republiek China|Republic of China",
  TZ: "Tanzania, United Republic of",
  US: "Verenigde Staten van Amerika|United States of America|USA|VSA|Amerika",
  VA: "Holy See|Heilige Stoel|Holy See (Vatican City State)",
  VE: "Venezuela, Bolivarian Republic of|Venezuela (Bolivarian Republic of)",
  VG: "Virgin Islands, British|Virgin Islands (British)|Britse Maagdeneilanden",
  VI: "Virgin Islands, U.S.|Virgin Islands (U.S.)|Amerikaanse Maagdeneilanden",
  VN: "Viet Nam",
  XK: "Republiek Kosovo|XKX",
};

/** Between two ways to name one country: `NL / Nederland`, `Nederland (NL)`, `NL - Nederland`. */
const BETWEEN_NAMES = /[()[\]/|,;:]|\s[-–—]\s/u;
/** A code before or behind a name, with a space alone between them. */
const CODE_AND_NAME =
  /^(?:(?<code>[a-z]{2,3})[\s–—-]+(?<name>.+)|(?<front>.+?)[\s–—-]+(?<back>[a-z]{2,3}))$/iu;

/** The codes of two letters. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(CODES.split(" ").map((both) => both.slice(0, 2)));

/** A text with a country behind it: in brackets, behind a separator, or as a code or the Dutch name behind a space. */
const COUNTRY_BEHIND = [
  /^(.*[^\s,])[\s,]*[([]([^()[\]]+)[)\]]\.?$/u,
  /^(.*[^\s,;/|])(?:\s*[,;/|]|\s+[-–—]\s)\s*([^,;/|()[\]0-9]+)$/u,
  /^(.*[^\s,])\s+([a-z]{2,3}|n\.l\.?|nederland|(?:the )?netherlands)\.?$/iu,
];
/** Shorter ones may be a province: `Nes (Fr)`, `Beek (Gr)`. */
const MIN_NAME_LENGTH = 4;

let byName: Map<string, string> | undefined;

/**
 * The code of a country that `text` names or is: `Frankrijk`, `France`, `FRA`, `fr` and `FR - Frankrijk` are `FR`;
 * undefined when unknown, or when two names in it are not of one country.
 */
export function parseCountry(text: string): string | undefined {
  byName ??= namesToCodes();
  const whole = plain(text);
  const found = byName.get(whole) ?? byName.get(whole.replace(TITLE, ""));
  if (found !== undefined) return found;
  const { code, name, front, back } = CODE_AND_NAME.exec(text.trim().replace(/\.$/, ""))?.groups ?? {};
  const parted = text.split(BETWEEN_NAMES);
  for (const parts of [parted, [code ?? back ?? "", name ?? front ?? ""]]) {
    const filled = parts.filter((part) => /\p{L}/u.test(part));
    const codes = new Set(filled.map((part) => byName?.get(plain(part))));
    const [only] = codes;
    if (filled.length > (parts === parted ? 0 : 1) && codes.size === 1 && only !== undefined) return only;
  }
  return undefined;
}

/**
 * The text without the country that people write behind a city or an address, as in `Rommeldam (NL)`, and that country:
 * the Netherlands, or `own`, or, where `own` is unknown, one by its name. A province (`Hengelo (Ov)`) stays.
 */
export function splitCountry(
  text: string,
  own?: string,
): { readonly rest: string; readonly country?: string } {
  if (isNoAddress(text)) return { rest: text };
  for (const form of COUNTRY_BEHIND) {
    const [, rest = "", name = ""] = form.exec(text) ?? [];
    const country = /\p{L}/u.test(rest) ? parseCountry(name) : undefined;
    if (country === undefined) continue;
    if (country !== (own ?? "NL") && (own !== undefined || name.length < MIN_NAME_LENGTH)) continue;
    return { rest: splitCountry(rest, country).rest, country };
  }
  return { rest: text };
}

function namesToCodes(): Map<string, string> {
  const names = new Map<string, string>();
  const lists = (["nl", "en", "fr", "de"] as const).flatMap((language) =>
    // The short names in French have one that reads EU.
    (language === "fr" ? (["long"] as const) : (["long", "short"] as const)).map(
      (style) => new Intl.DisplayNames(language, { type: "region", style }),
    ),
  );
  const codes = CODES.split(" ").map((both) => [both.slice(0, 2), both.slice(2)] as const);
  for (const [code, longCode] of codes) {
    names.set(plain(code), code);
    names.set(plain(longCode), code);
  }
  for (const [code] of codes) {
    for (const list of lists) {
      const name = plain(list.of(code) ?? "");
      if (!names.has(name)) names.set(name, code);
    }
  }
  for (const [code, others] of Object.entries(OTHER_NAMES)) {
    for (const name of others.split("|")) names.set(plain(name), code);
  }
  return names;
}

/** Words between names, which some write and others do not: `Trinidad & Tobago`, `Trinidad en Tobago`. */
const SMALL_WORDS = new Set("and en und et the de het der die des du van of la le les".split(" "));
const TITLE = /^(?:republic|kingdom|state|republiek|koninkrijk|republique|republik|konigreich)(?=\p{L})/u;

/** Letters only, without case, accents and small words: `Groot-Brittannië` and `groot brittannie` are one. */
function plain(text: string): string {
  const words = text
    .normalize("NFD")
    .replace(/[\p{M}.'’]/gu, "")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const telling = words.filter((word) => !SMALL_WORDS.has(word)).join("");
  return telling === "" ? words.join("") : telling;
}
