import type { StateCode } from "../../src/vat/numbers/states.ts";

/** Numbers of one state, without the country code. */
export interface Fixture {
  /** Published examples, and numbers derived by hand from the rule. */
  readonly valid: readonly string[];
  readonly wrongChecksum: readonly string[];
  readonly wrongFormat: readonly string[];
}

/** For every state: valid numbers, numbers with a wrong checksum, numbers of no national format. */
export const FIXTURES: Readonly<Record<StateCode, Fixture>> = {
  AT: {
    valid: ["U13585627"],
    wrongChecksum: ["U13585626"],
    wrongFormat: ["13585627", "X13585627", "U1358562"],
  },
  BE: {
    valid: ["0403019261", "1000000021"],
    wrongChecksum: ["0403019262", "1000000022", "2403019261", "9403019261"],
    wrongFormat: ["04030192611", "040301926A"],
  },
  BG: {
    valid: ["175074752", "7523169263", "8032056031", "7111042925", "7501020018"],
    wrongChecksum: ["175074751", "7552010004", "7501020019"],
    wrongFormat: ["17507475", "17507475A"],
  },
  CY: {
    valid: ["10259033P"],
    wrongChecksum: ["10259033Z", "12000139V"],
    wrongFormat: ["102590339", "1025903P"],
  },
  CZ: {
    valid: ["25123891", "640903926", "7103192745", "991231123"],
    wrongChecksum: ["25123890", "640903927", "7103192746", "1103492745", "590312123", "95123891"],
    wrongFormat: ["2512389", "2512389A"],
  },
  DE: {
    valid: ["136695976"],
    wrongChecksum: ["136695978", "036695976", "000000020"],
    wrongFormat: ["13669597", "13669597X"],
  },
  DK: { valid: ["13585628"], wrongChecksum: ["13585627", "03585628"], wrongFormat: ["1358562"] },
  EE: { valid: ["100931558"], wrongChecksum: ["100594103"], wrongFormat: ["10093155", "10093155X"] },
  EL: {
    valid: ["094259216", "023456780"],
    wrongChecksum: ["123456781"],
    wrongFormat: ["1234567", "12345678X"],
  },
  ES: {
    valid: ["54362315K", "X5253868R", "K0867756N", "B58378431", "M1234567L", "J99216582", "W4003922D"],
    wrongChecksum: ["54362315Z", "X5253868A", "B58378432", "I12345678"],
    wrongFormat: ["123456789", "B5837843", "BB8378431"],
  },
  FI: { valid: ["20774740"], wrongChecksum: ["20774741"], wrongFormat: ["2077474", "2077474X"] },
  FR: {
    valid: ["40303265045", "23334175221", "K7399859412", "4Z123456782"],
    wrongChecksum: ["84323140391", "41303265045", "K6399859412"],
    wrongFormat: ["IO334175221", "4030326504", "40A03265045"],
  },
  HR: { valid: ["33392005961"], wrongChecksum: ["33392005962"], wrongFormat: ["3339200596", "3339200596A"] },
  HU: { valid: ["12892312"], wrongChecksum: ["12892313"], wrongFormat: ["1289231", "1289231A"] },
  IE: {
    valid: ["6433435F", "6433435OA", "8D79739I", "3628739L"],
    wrongChecksum: ["6433435E", "6433435OB", "8D79738J", "6433435X", "6433435OZ"],
    wrongFormat: ["64334351", "643343", "6433435+"],
  },
  IT: {
    valid: ["00743110157"],
    wrongChecksum: ["00743110158", "00000000000", "12449965439"],
    wrongFormat: ["0074311015", "0074311015A"],
  },
  LT: {
    valid: ["119511515", "100001919017", "100004801610"],
    wrongChecksum: ["100001919018", "119511525"],
    wrongFormat: ["11951151", "10000191901A"],
  },
  LU: { valid: ["15027442"], wrongChecksum: ["15027443"], wrongFormat: ["1502744", "1502744A"] },
  LV: {
    valid: ["40003521600", "16117519997"],
    wrongChecksum: ["40003521601", "16117519998", "31029010007"],
    wrongFormat: ["4000352160", "4000352160A"],
  },
  MT: { valid: ["11679112"], wrongChecksum: ["11679113", "01679112"], wrongFormat: ["1167911"] },
  NL: {
    valid: ["123456782B90", "000099998B57", "123456789B13"],
    wrongChecksum: ["123456789B90", "123456789B01", "000000000B01"],
    wrongFormat: ["123456782B00", "123456782", "123456782A90", "12345678XB90", "A+*456782B90"],
  },
  PL: { valid: ["8567346215"], wrongChecksum: ["8567346216"], wrongFormat: ["856734621", "856734621A"] },
  PT: { valid: ["501964843"], wrongChecksum: ["501964842", "001964843"], wrongFormat: ["50196484"] },
  RO: { valid: ["18547290", "19"], wrongChecksum: ["18547291", "18", "018547290"], wrongFormat: ["1A"] },
  SE: {
    valid: ["123456789701"],
    wrongChecksum: ["123456789101", "123456789702"],
    wrongFormat: ["1234567897"],
  },
  SI: { valid: ["50223054"], wrongChecksum: ["50223055", "05022305"], wrongFormat: ["5022305"] },
  SK: {
    valid: ["2022749619", "7103192745"],
    wrongChecksum: ["2022749618", "7103492745", "0122749619", "2012749619"],
    wrongFormat: ["202274961", "20227496199", "202274961A"],
  },
  XI: {
    valid: ["980780684", "980780684001", "GD001", "HA599"],
    wrongChecksum: ["980780685", "GD500", "HA499"],
    wrongFormat: ["98078068", "GB001", "GD0011"],
  },
};
