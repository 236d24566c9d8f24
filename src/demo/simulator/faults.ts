/** A field of a fault. */
interface Field<T> {
  readonly isRight: (value: unknown) => value is T;
  readonly rule: string;
  readonly isOptional?: boolean;
}
interface OptionalField<T> extends Field<T> {
  readonly isOptional: true;
}

/** Kinds of faults, each with its fields in addition to `kind`. */
export type FaultKinds = Readonly<Record<string, Readonly<Record<string, Field<unknown>>>>>;

type Value<F> = F extends Field<infer T> ? T : never;
type RequiredKeys<Fields> = {
  [Key in keyof Fields]: Fields[Key] extends OptionalField<unknown> ? never : Key;
}[keyof Fields];

/** The fault of a table of kinds. */
export type FaultOf<Kinds> = {
  [Kind in keyof Kinds]: { readonly kind: Kind } & {
    readonly [Key in RequiredKeys<Kinds[Kind]>]: Value<Kinds[Kind][Key]>;
  } & { readonly [Key in Exclude<keyof Kinds[Kind], RequiredKeys<Kinds[Kind]>>]?: Value<Kinds[Kind][Key]> };
}[keyof Kinds];

const wholeNumber = (min: number, max: number): Field<number> => ({
  isRight: (value): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
  rule: `a whole number from ${min} to ${max}`,
});
const optional = <T>(field: Field<T>): OptionalField<T> => ({ ...field, isOptional: true });
export const text = (pattern: RegExp, rule: string): Field<string> => ({
  isRight: (value): value is string => typeof value === "string" && pattern.test(value),
  rule,
});
export const oneOf = <T extends string>(...values: readonly T[]): Field<T> => ({
  isRight: (value): value is T => values.some((known) => known === value),
  rule: `one of ${values.join(", ")}`,
});
export const ANY_VALUE: Field<unknown> = { isRight: (_): _ is unknown => true, rule: "any JSON value" };
export const STATUS = wholeNumber(200, 599);
const MS = wholeNumber(0, 600_000);
const CODE = text(/^[A-Z][A-Z0-9_-]{0,59}$/, "a code in capitals, such as MS_UNAVAILABLE");

/** Faults that every simulated upstream can have. Times are in milliseconds. */
export const COMMON_KINDS = {
  /** An error of the upstream; `status` replaces the HTTP status that usually comes with its code. */
  code: { code: CODE, status: optional(STATUS) },
  /** Every other request, starting with the first, gets the code; with `first`, only that many requests. */
  flapping: { code: CODE, first: optional(wholeNumber(1, 1_000_000)) },
  /** The right response, late. */
  latency: { ms: MS },
  /** No response until the fault is cleared or replaced, or the caller hangs up. */
  hang: {},
  /** The connection is reset instead of a response. */
  reset: {},
  /** An HTML page, with status 503 by default. */
  html: { status: optional(STATUS) },
  /** The connection ends in the middle of the body. */
  truncated: {},
  /** A complete HTTP response with half of the JSON. */
  cutJson: {},
  /** The right response after a byte order mark. */
  bom: {},
  /** The right response with a `Content-Encoding` that was not requested. */
  compressed: { coding: oneOf("gzip", "deflate", "br", "zstd") },
  /** The right response after an unexpected `100 Continue`. */
  interim: {},
  /** Status 429 by default, with `Retry-After` when seconds are given. */
  tooMany: { retryAfterSeconds: optional(wholeNumber(0, 86_400)), status: optional(STATUS) },
  /** The right response byte by byte, one every `everyMs` (20 by default). */
  slowBody: { everyMs: optional(MS) },
} satisfies FaultKinds;

export type CommonFault = FaultOf<typeof COMMON_KINDS>;
type Hang = Extract<CommonFault, { kind: "hang" }>;
type Flapping = Extract<CommonFault, { kind: "flapping" }>;
/** A common fault as one request meets it. */
export type ActiveFault = Exclude<CommonFault, Hang | Flapping>;

const isHang = (fault: { kind: string }): fault is Hang => fault.kind === "hang";
const isFlapping = (fault: { kind: string }): fault is Flapping => fault.kind === "flapping";

export interface FaultBoardOptions<Target extends string> {
  /** The common kinds and the kinds of this upstream. */
  readonly kinds: FaultKinds;
  readonly isTarget: (text: string) => text is Target;
  /** The targets, for error messages: `a state (NL, DE, …)`. */
  readonly targets: string;
}

/** The faults of an upstream that are set now: by target the common ones, and `Own` ones of this upstream. */
export class FaultBoard<Target extends string, Own extends { readonly kind: string }> {
  readonly terms: FaultBoardOptions<Target>;
  readonly #set = new Map<string, { readonly fault: CommonFault | Own; met: number }>();
  readonly #waiting = new Set<() => void>();

  constructor(terms: FaultBoardOptions<Target>) {
    this.terms = terms;
  }

  /** Sets or (undefined) clears the fault of a target. @throws {RangeError} when it is not a fault of this upstream */
  set(target: Target, fault: CommonFault | Own | undefined): void {
    if (fault === undefined) this.#set.delete(target);
    else {
      if (!this.isFault(fault)) throw new RangeError(this.problemIn(fault));
      this.#set.set(target, { fault, met: 0 });
    }
    this.#wake();
  }

  clear(): void {
    this.#set.clear();
    this.#wake();
  }

  get(target: Target): CommonFault | Own | undefined {
    return this.#set.get(target)?.fault;
  }

  get all(): Readonly<Record<string, CommonFault | Own>> {
    return Object.fromEntries([...this.#set].map(([target, { fault }]) => [target, fault]));
  }

  /**
   * The fault that a request meets: of the first target that has one. A hang waits until the faults change or the
   * caller is gone.
   */
  async meet(targets: readonly Target[], gone: AbortSignal): Promise<ActiveFault | Own | undefined | "gone"> {
    for (;;) {
      const entry = targets.map((target) => this.#set.get(target)).find((found) => found !== undefined);
      if (entry === undefined) return undefined;
      const { fault, met } = entry;
      entry.met += 1;
      if (isFlapping(fault)) {
        const isDown = fault.first === undefined ? met % 2 === 0 : met < fault.first;
        return isDown ? { kind: "code", code: fault.code } : undefined;
      }
      if (!isHang(fault)) return fault;
      await this.#changed(gone);
      if (gone.aborted) return "gone";
    }
  }

  isFault(value: unknown): value is CommonFault | Own {
    return this.problemIn(value) === undefined;
  }

  /** Why a value is not a fault of this upstream, with what would be right; undefined when it is one. */
  problemIn(value: unknown): string | undefined {
    const { kinds } = this.terms;
    const given: Readonly<Record<string, unknown>> =
      typeof value === "object" && value !== null ? { ...value } : {};
    const kind = Object.keys(kinds).find((known) => known === given["kind"]);
    const fields = kind === undefined ? undefined : kinds[kind];
    if (fields === undefined)
      return `A fault is {"kind": K}, with K one of ${Object.keys(kinds).join(", ")}.`;
    if (Object.keys(given).some((name) => name !== "kind" && !Object.hasOwn(fields, name))) {
      return `A fault of kind ${kind} has only ${["kind", ...Object.keys(fields)].join(", ")}.`;
    }
    const [wrong] = Object.entries(fields).filter(
      ([name, { isOptional, isRight }]) =>
        !(isOptional && given[name] === undefined) && !isRight(given[name]),
    );
    return wrong && `${wrong[0]} of kind ${kind} must be ${wrong[1].rule}.`;
  }

  #changed(gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        gone.removeEventListener("abort", done);
        resolve();
      };
      if (gone.aborted) return resolve();
      this.#waiting.add(done);
      gone.addEventListener("abort", done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
