/** Country names, as Dutch and English registers write them, to ISO 3166-1 alpha-2 codes. */
import { isTooLong } from "./streetLine.ts";

/**
 * The codes of two and of three letters of ISO 3166-1, and XK, which the EU uses for Kosovo. The names come with the
 * runtime (Unicode CLDR).
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

/** Names in use that the runtime's lists do not have, by code, separated by `|`. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  AE: "UAE|VAE",
  BO: "Bolivia, Plurinational State of",
  BQ: "Bonaire|Saba|Sint Eustatius|Bonaire, Sint Eustatius en Saba|BES-eilanden|Caribisch deel van Nederland|BES",
  BY: "Wit-Rusland|White Russia|Weissrussland|Weißrussland|Belorussia",
  CD: "Democratische Republiek Congo|Congo, Democratische Republiek|Democratic Republic of the Congo|Congo, The Democratic Republic of the|République démocratique du Congo|Demokratische Republik Kongo|DR Congo|DRC|Zaïre",
  CG: "Congo|Kongo|Republiek Congo|Congo, Republiek|Republic of the Congo",
  CI: "Ivory Coast|Elfenbeinküste",
  CN: "Volksrepubliek China|China (Volksrepubliek)|People's Republic of China|China, People's Republic of",
  CV: "Kaapverdische Eilanden",
  CZ: "Tsjechische Republiek|Czech Republic|République tchèque|Tschechische Republik",
  DE: "Bondsrepubliek Duitsland|Duitsland (Bondsrepubliek)|Bundesrepublik Deutschland|Federal Republic of Germany|BRD",
  FK: "Falkland Islands (Malvinas)",
  FM: "Micronesia, Federated States of",
  GB: "Groot-Brittannië|Groot-Brittannië en Noord-Ierland|Great Britain|Engeland|England|Schotland|Scotland|Wales|Noord-Ierland|Northern Ireland|Verenigd Koninkrijk van Groot-Brittannië en Noord-Ierland|United Kingdom of Great Britain and Northern Ireland|Grande-Bretagne|Grossbritannien|Angleterre|UK|VK",
  GR: "EL|Hellas",
  IE: "Ierse Republiek|Eire|Ierland (Republiek)",
  IM: "Man|Eiland Man",
  IR: "Iran, Islamic Republic of|Islamitische Republiek Iran",
  KP: "Korea, Democratic People's Republic of|Democratic People's Republic of Korea|Democratische Volksrepubliek Korea|Korea, Noord",
  KR: "Korea|Republiek Korea|Republic of Korea|Korea, Republic of|Korea (Republiek)|Korea, Zuid",
  KY: "Caymaneilanden",
  LA: "Lao People's Democratic Republic",
  LU: "Groothertogdom Luxemburg",
  MD: "Moldova, Republic of",
  MF: "Saint Martin (French part)",
  MK: "Macedonië|Macedonia|Voormalige Joegoslavische Republiek Macedonië|FYROM",
  MM: "Birma|Burma",
  NL: "Holland|Hollande|Ned|Nederl|Nedl|Netherland|Niederland|Koninkrijk der Nederlanden|Netherlands, Kingdom of the",
  PS: "Palestine, State of|Palestijnse Autoriteit",
  RU: "Russische Federatie|Russian Federation",
  SK: "Slowaakse Republiek|Slovak Republic",
  SX: "St. Maarten|Sint Maarten (Dutch part)",
  SY: "Syrian Arab Republic",
  SZ: "Swaziland",
  TL: "East Timor",
  TR: "Turkey",
  TW: "Taiwan, Province of China|Republiek China|Republic of China",
  TZ: "Tanzania, United Republic of",
  US: "Verenigde Staten van Amerika|United States of America|VSA|Amerika|USA",
  VA: "Holy See|Heilige Stoel|Holy See (Vatican City State)",
  VE: "Venezuela, Bolivarian Republic of",
  VG: "Virgin Islands, British",
  VI: "Virgin Islands, U.S.",
};

/** Separates two names of one country: `NL / Nederland`, `Nederland (NL)`, `NL - Nederland`. */
const BETWEEN_NAMES = /[()[\]/|,;:]|\s[-–—]\s/u;
/** A code before or after a name, with only a space between them. */
const CODE_AND_NAME =
  /^(?:(?<code>[a-z]{2,3})[\s–—-]+(?<name>.+)|(?<front>.+?)(?<![\s–—-])[\s–—-]+(?<back>[a-z]{2,3}))$/iu;

export const COUNTRY_CODES: ReadonlySet<string> = new Set(CODES.split(" ").map((both) => both.slice(0, 2)));

/** A text that ends with a country: in brackets, after a separator, or as a code or the Dutch name after a space. */
const COUNTRY_BEHIND = [
  /^(.*[^\s,])[\s,]*[([]([^()[\]]+)[)\]]\.?$/u,
  /^(.*[^\s,;/|])(?:\s*[,;/|]|\s+[-–—]\s)\s*([^,;/|()[\]0-9]+)$/u,
  /^(.*[^\s,])\s+([a-z]{2,3}|n\.l\.?|nederland|(?:the )?netherlands)\.?$/iu,
];
/** A shorter one may be a province: `Nes (Fr)`, `Beek (Gr)`. */
const MIN_NAME_LENGTH = 4;

let byName: Map<string, string> | undefined;

/**
 * The code of the country in `text`: `Frankrijk`, `France`, `FRA`, `fr` and `FR - Frankrijk` are `FR`; undefined when
 * unknown, or when the text names two countries.
 */
export function parseCountry(text: string): string | undefined {
  byName ??= namesToCodes();
  const whole = plain(text);
  const found = byName.get(whole) ?? byName.get(whole.replace(TITLE, ""));
  if (found !== undefined) return found;
  const { code, name, front, back } = CODE_AND_NAME.exec(text.trim().replace(/\.$/, ""))?.groups ?? {};
  const separated = text.split(BETWEEN_NAMES);
  for (const parts of [separated, [code ?? back ?? "", name ?? front ?? ""]]) {
    const filled = parts.filter((part) => /\p{L}/u.test(part));
    const codes = new Set(filled.map((part) => byName?.get(plain(part))));
    const [only] = codes;
    if (filled.length > (parts === separated ? 0 : 1) && codes.size === 1 && only !== undefined) return only;
  }
  return undefined;
}

/**
 * Splits off the country after a city or an address, as in `Rommeldam (NL)`: the Netherlands, or `own`, or, when `own`
 * is unknown, a country by its name. A province (`Hengelo (Ov)`) stays.
 */
export function splitCountry(
  text: string,
  own?: string,
): { readonly rest: string; readonly country?: string } {
  if (isTooLong(text)) return { rest: text };
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
    // One of the short names in French is EU.
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

/** Words that some writers omit: `Trinidad & Tobago`, `Trinidad en Tobago`. */
const SMALL_WORDS = new Set("and en und et the de het der die des du van of la le les".split(" "));
const TITLE = /^(?:republic|kingdom|state|republiek|koninkrijk|republique|republik|konigreich)(?=\p{L})/u;

/** Letters only, without case, accents and small words: `Groot-Brittannië` and `groot brittannie` are equal. */
function plain(text: string): string {
  const words = text
    .normalize("NFD")
    .replace(/[\p{M}.'’]/gu, "")
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  const significant = words.filter((word) => !SMALL_WORDS.has(word)).join("");
  return significant === "" ? words.join("") : significant;
}
