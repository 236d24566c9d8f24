/** Where a text stands in the bytes of a line: from one place to another, which are the same where there is none. */
export interface Span {
  from: number;
  to: number;
}

const NOWHERE = { from: 0, to: 0 };

/** An address of a line; a field that it does not have is nowhere. */
export interface AddressSpans {
  isKnown: boolean;
  /** Then it has a city at most. */
  isShielded: boolean;
  readonly street: Span;
  readonly houseNumber: Span;
  readonly postalCode: Span;
  readonly city: Span;
}

export interface BranchSpans {
  readonly branchNumber: Span;
  readonly name: Span;
  readonly address: AddressSpans;
  isMain: boolean;
  isActive: boolean;
}

export interface ActivitySpans {
  /** The code, and from there to the end of the description where there is one: what two of a kind have in common. */
  readonly sbiCode: Span;
  readonly kind: Span;
  readonly description: Span;
  isMain: boolean;
}

/** Things of which there are some in each line, made once and used for line after line. */
export class Some<Thing> {
  count = 0;
  readonly #things: Thing[] = [];
  readonly #make: () => Thing;

  constructor(make: () => Thing) {
    this.#make = make;
  }

  at(nth: number): Thing {
    const held = this.#things[nth];
    if (held !== undefined) return held;
    const made = this.#make();
    this.#things[nth] = made;
    return made;
  }

  /** One more, with whatever it held before. */
  next(): Thing {
    return this.at(this.count++);
  }
}

const span = (): Span => ({ ...NOWHERE });
const address = (): AddressSpans => ({
  isKnown: false,
  isShielded: false,
  street: span(),
  houseNumber: span(),
  postalCode: span(),
  city: span(),
});

/**
 * Clean facts of one origin (see `cleanFacts`) as they stand in the bytes of a line of JSON: texts are there as they are, without anything escaped, and lists of
 * texts with nothing between them but commas. One is used for line after line.
 */
export class FactsSpans {
  bytes: Uint8Array = new Uint8Array(0);
  /** Whether each byte is a letter of its own. */
  isAscii = true;
  kvk = 0;
  isActive = false;
  origin = "";
  asOfMs = 0;
  readonly name = span();
  readonly statutoryName = span();
  readonly address = address();
  isCorrespondence = false;
  readonly country = span();
  readonly registrationDate = span();
  readonly deregistrationDate = span();
  readonly legalForm = span();
  /** The number of the legal form, see `formNumber`; 0 for none. */
  form = 0;
  /** As lists in JSON. */
  readonly tradingNames = span();
  readonly websites = span();
  readonly eachTradingName = new Some(span);
  readonly rsin = span();
  readonly vatNumber = span();
  nonMailing: boolean | undefined;
  /** Whole numbers, as they are written. */
  readonly total = span();
  readonly fullTime = span();
  readonly partTime = span();
  readonly branchCount = span();
  readonly mainBranchNumber = span();
  hasActivities = false;
  readonly activities = new Some(
    (): ActivitySpans => ({ sbiCode: span(), kind: span(), description: span(), isMain: false }),
  );
  hasBranches = false;
  readonly branches = new Some(
    (): BranchSpans => ({
      branchNumber: span(),
      name: span(),
      address: address(),
      isMain: false,
      isActive: false,
    }),
  );

  /** Forgets all of the line before. */
  clear(): void {
    for (const one of this.#spans) clearSpan(one);
    clearAddress(this.address);
    this.isAscii = true;
    this.isCorrespondence = false;
    this.form = 0;
    this.nonMailing = undefined;
    this.eachTradingName.count = 0;
    this.activities.count = 0;
    this.branches.count = 0;
    this.hasActivities = false;
    this.hasBranches = false;
  }

  readonly #spans: readonly Span[] = [
    this.name,
    this.statutoryName,
    this.country,
    this.registrationDate,
    this.deregistrationDate,
    this.legalForm,
    this.tradingNames,
    this.websites,
    this.rsin,
    this.vatNumber,
    this.total,
    this.fullTime,
    this.partTime,
    this.branchCount,
    this.mainBranchNumber,
  ];
}

export function clearAddress(spans: AddressSpans): void {
  spans.isKnown = false;
  spans.isShielded = false;
  clearSpan(spans.street);
  clearSpan(spans.houseNumber);
  clearSpan(spans.postalCode);
  clearSpan(spans.city);
}

export function clearSpan(one: Span): void {
  one.from = 0;
  one.to = 0;
}

export function isThere({ from, to }: Span): boolean {
  return from < to;
}

/** Whether two texts of a line are the same; two that are nowhere are. */
export function isSameText(bytes: Uint8Array, a: Span, b: Span): boolean {
  const length = a.to - a.from;
  if (b.to - b.from !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[a.from + at] !== bytes[b.from + at]) return false;
  return true;
}

/** A whole number as it is written; 0 where there is none. */
export function numberAt(bytes: Uint8Array, { from, to }: Span): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + (bytes[at] ?? 0) - 0x30;
  return number;
}
