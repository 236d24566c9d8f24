import { FREEPOST_STREET, PO_BOX_STREET } from "../../company/address.ts";
import {
  type AddressSpans,
  clearAddress,
  clearSpan,
  type FactsSpans,
  numberAt,
  type Span,
} from "../../snapshot/incoming/factsSpans.ts";
import type { RecordContext } from "../formats/format.ts";
import { BROKEN, ENDED, GOES_ON, JsonCursor } from "./jsonCursor.ts";
import { hideShielded, isAsWritten } from "./lineChecks.ts";
import {
  areDigits,
  formAt,
  isCountryAt,
  isDayAt,
  isPostalCodeAt,
  isTextAt,
  isVatNumber,
} from "./lineForms.ts";
import {
  BRANCH_ADDRESS,
  BRANCH_IS_ACTIVE,
  BRANCH_NAME,
  BRANCH_NUMBER,
  CITY,
  COUNTRY,
  DESCRIPTION,
  FULL_TIME,
  HOUSE_NUMBER,
  IS_MAIN,
  IS_SHIELDED,
  KEY_BYTES,
  KEYS,
  NEEDED,
  PART_TIME,
  POSTAL_CODE,
  SBI_CODE,
  STREET,
  TOTAL,
} from "./lineKeys.ts";
import { SourceOfLines } from "./sourceOfLines.ts";

const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const literal = (text: string): Uint8Array => Buffer.from(text);
const PO_BOX = literal(PO_BOX_STREET);
const FREEPOST = literal(FREEPOST_STREET);

/**
 * Reads lines as `opzoek export` writes them: compact JSON, nothing escaped, the keys within addresses, branches and the like in their order. It says where in the line
 * each fact stands; whoever needs it as a value makes one. Of what it does not know exactly it says so: then `parseJsonLine` reads the line, and tells what is wrong
 * with it if anything is. So it must know all rules of that, and needs no words for what breaks them.
 */
export class LineScanner {
  readonly #spans: FactsSpans;
  readonly #origin: string;
  readonly #asOfMs: number | undefined;
  readonly #json = new JsonCursor();
  readonly #source = new SourceOfLines();
  /** Where something is that nobody wants to know. */
  readonly #passed: Span = { from: 0, to: 0 };

  /** @param spans what is told of each line, until the next one is read */
  constructor(spans: FactsSpans, { origin, asOf }: RecordContext) {
    this.#spans = spans;
    this.#origin = origin;
    this.#asOfMs = asOf === undefined ? undefined : Date.parse(asOf);
  }

  /**
   * Reads a line, whose bytes above 0x7f the caller looks at.
   * @returns false for one that is to be read in another way
   */
  scan(bytes: Uint8Array, from: number, to: number): boolean {
    const spans = this.#spans;
    spans.clear();
    spans.bytes = bytes;
    this.#json.bytes = bytes;
    this.#json.letters = 0;
    if (bytes[from] !== OPEN_OBJECT) return false;
    this.#json.at = from + 1;
    let seen = 0;
    let next = 0;
    for (;;) {
      const key = this.#key(next);
      if (key === -1 || (seen & (1 << key)) !== 0) return false;
      seen |= 1 << key;
      next = key + 1;
      if (!this.#value(key)) return false;
      const end = bytes[this.#json.at++];
      if (end === CLOSE_OBJECT) break;
      if (end !== COMMA) return false;
    }
    if (this.#json.at !== to || (seen & NEEDED) !== NEEDED || !isAsWritten(spans)) return false;
    spans.isAscii = this.#json.letters < 0x80;
    if ((seen & (1 << KEYS.indexOf("source"))) !== 0) return true;
    if (this.#asOfMs === undefined) return false;
    spans.origin = this.#origin;
    spans.asOfMs = this.#asOfMs;
    return true;
  }

  /** Which key comes next; the one after the last is tried first. */
  #key(first: number): number {
    for (let nth = 0; nth < KEYS.length; nth++) {
      const key = (first + nth) % KEYS.length;
      const bytes = KEY_BYTES[key];
      if (bytes !== undefined && this.#json.is(bytes)) return key;
    }
    return -1;
  }

  #value(key: number): boolean {
    const spans = this.#spans;
    switch (KEYS[key]) {
      case "kvkNumber": {
        const span = this.#passed;
        if (!this.#json.digits(span, 8)) return false;
        spans.kvk = numberAt(this.#json.bytes, span);
        return spans.kvk !== 0;
      }
      case "name":
        return this.#json.text(spans.name);
      case "tradingNames":
        return this.#texts(spans.tradingNames, true);
      case "statutoryName":
        return this.#json.text(spans.statutoryName);
      case "legalForm":
        return this.#legalForm();
      case "address":
        return this.#companyAddress();
      case "isActive": {
        const value = this.#json.boolean();
        spans.isActive = value === true;
        return value !== undefined;
      }
      case "registrationDate":
        return this.#day(spans.registrationDate);
      case "deregistrationDate":
        return this.#day(spans.deregistrationDate);
      case "activities":
        return this.#activities();
      case "rsin":
        return this.#json.digits(spans.rsin, 9);
      case "vatNumber":
        return this.#json.text(spans.vatNumber) && isVatNumber(this.#json.bytes, spans.vatNumber);
      case "nonMailing":
        spans.nonMailing = this.#json.boolean();
        return spans.nonMailing !== undefined;
      case "employees":
        return this.#employees();
      case "websites":
        return this.#texts(spans.websites, false);
      case "mainBranchNumber":
        return this.#json.digits(spans.mainBranchNumber, 12);
      case "branchCount":
        return this.#json.whole(spans.branchCount);
      case "branches":
        return this.#branches();
      case "source":
        return this.#sourceOfLine();
      default:
        return false;
    }
  }

  /** A list of texts. */
  #texts(span: Span, isEachKept: boolean): boolean {
    span.from = this.#json.at;
    if (!this.#json.byte(OPEN_ARRAY)) return false;
    if (!this.#json.byte(CLOSE_ARRAY)) {
      do {
        if (!this.#json.text(isEachKept ? this.#spans.eachTradingName.next() : this.#passed)) return false;
      } while (this.#json.byte(COMMA));
      if (!this.#json.byte(CLOSE_ARRAY)) return false;
    }
    span.to = this.#json.at;
    return true;
  }

  #legalForm(): boolean {
    const spans = this.#spans;
    if (!this.#json.text(spans.legalForm)) return false;
    spans.form = formAt(this.#json.bytes, spans.legalForm);
    return spans.form !== 0;
  }

  #day(span: Span): boolean {
    return this.#json.text(span) && isDayAt(this.#json.bytes, span);
  }

  #companyAddress(): boolean {
    const { address, country } = this.#spans;
    if (!this.#address(address, country)) return false;
    const { bytes } = this.#json;
    this.#spans.isCorrespondence =
      isTextAt(bytes, address.street, PO_BOX) || isTextAt(bytes, address.street, FREEPOST);
    return hideShielded(bytes, address);
  }

  /** An address with something in it, its fields in their order. @param country undefined where it may have none */
  #address(address: AddressSpans, country: Span | undefined): boolean {
    clearAddress(address);
    address.isKnown = true;
    if (!this.#json.byte(OPEN_OBJECT)) return false;
    let field = this.#json.textField(STREET, address.street);
    if (field === GOES_ON) field = this.#json.textField(HOUSE_NUMBER, address.houseNumber);
    if (field === GOES_ON) {
      field = this.#json.textField(POSTAL_CODE, address.postalCode);
      if (field !== BROKEN && !isPostalCodeAt(this.#json.bytes, address.postalCode)) return false;
    }
    if (field === GOES_ON) field = this.#json.textField(CITY, address.city);
    if (field === GOES_ON && country !== undefined) {
      field = this.#json.textField(COUNTRY, country);
      if (field !== BROKEN && !isCountryAt(this.#json.bytes, country)) return false;
    }
    if (field === GOES_ON && this.#json.is(IS_SHIELDED)) {
      field = this.#json.afterField();
      address.isShielded = true;
    }
    return field === ENDED;
  }

  #employees(): boolean {
    const { total, fullTime, partTime } = this.#spans;
    if (!this.#json.byte(OPEN_OBJECT)) return false;
    let field = this.#json.wholeField(TOTAL, total);
    if (field === GOES_ON) field = this.#json.wholeField(FULL_TIME, fullTime);
    if (field === GOES_ON) field = this.#json.wholeField(PART_TIME, partTime);
    return field === ENDED;
  }

  #activities(): boolean {
    const { activities } = this.#spans;
    this.#spans.hasActivities = true;
    if (!this.#json.byte(OPEN_ARRAY)) return false;
    if (this.#json.byte(CLOSE_ARRAY)) return true;
    do {
      const { sbiCode, description, kind } = activities.next();
      if (!this.#json.is(SBI_CODE) || !this.#json.text(sbiCode)) return false;
      const digits = sbiCode.to - sbiCode.from;
      if (digits < 2 || digits > 6 || !areDigits(this.#json.bytes, sbiCode.from, sbiCode.to)) return false;
      clearSpan(description);
      if (this.#json.is(DESCRIPTION) && !this.#json.text(description)) return false;
      kind.from = sbiCode.from;
      kind.to = this.#json.at;
      const isMain = this.#json.is(IS_MAIN) ? this.#json.boolean() : undefined;
      if (isMain === undefined || !this.#json.byte(CLOSE_OBJECT)) return false;
      activities.at(activities.count - 1).isMain = isMain;
    } while (this.#json.byte(COMMA));
    return this.#json.byte(CLOSE_ARRAY);
  }

  /** The main branch first, none with a country: others have to be cleaned. */
  #branches(): boolean {
    const { branches } = this.#spans;
    this.#spans.hasBranches = true;
    if (!this.#json.byte(OPEN_ARRAY)) return false;
    if (this.#json.byte(CLOSE_ARRAY)) return true;
    let wasMain = true;
    do {
      const branch = branches.next();
      if (!this.#json.is(BRANCH_NUMBER) || !this.#json.digits(branch.branchNumber, 12)) return false;
      clearSpan(branch.name);
      if (this.#json.is(BRANCH_NAME) && !this.#json.text(branch.name)) return false;
      const isMain = this.#json.is(IS_MAIN) ? this.#json.boolean() : undefined;
      if (isMain === undefined || (isMain && !wasMain)) return false;
      wasMain = isMain;
      branch.isMain = isMain;
      if (!this.#json.is(BRANCH_ADDRESS)) clearAddress(branch.address);
      else if (!this.#address(branch.address, undefined)) return false;
      if (!hideShielded(this.#json.bytes, branch.address)) return false;
      const isActive = this.#json.is(BRANCH_IS_ACTIVE) ? this.#json.boolean() : undefined;
      if (isActive === undefined || !this.#json.byte(CLOSE_OBJECT)) return false;
      branch.isActive = isActive;
    } while (this.#json.byte(COMMA));
    return this.#json.byte(CLOSE_ARRAY);
  }

  #sourceOfLine(): boolean {
    if (!this.#source.read(this.#json)) return false;
    this.#spans.origin = this.#source.origin;
    this.#spans.asOfMs = this.#source.asOfMs;
    return true;
  }
}
