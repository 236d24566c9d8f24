import type { SelectType } from "kysely";

/** How both databases store a value. */
type StoredType = "text" | "integer" | "bigint";

/** A column: its stored type, and the form of its value in objects; see `../objects.ts`. */
export interface Column<Value = unknown, Shown = unknown, Property = unknown> {
  readonly type: StoredType;
  readonly form?: "flag" | "mark" | "json";
  /** Its name in objects; the column's own in camel case by default. */
  readonly property?: Property;
  /** These only carry types: of the stored value, and of the value in objects. */
  readonly value?: Value;
  readonly shown?: Shown;
}

/** The name of a column in objects. */
export function propertyOf(name: string, column?: Column): string {
  return typeof column?.property === "string"
    ? column.property
    : name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

export type Columns = Readonly<Record<string, Column>>;

/** The type itself, without inference from the context of the call. */
type Given<Value> = [Value] extends [infer Own] ? Own : never;

type Plain<Value> = Column<Given<Value>, Given<SelectType<Value>>, undefined>;

export function text<Value = string>(): Plain<Value> {
  return { type: "text" };
}

export function integer<Value = number>(): Plain<Value> {
  return { type: "integer" };
}

export function bigint<Value = number>(): Plain<Value> {
  return { type: "bigint" };
}

type OrNull<Shown, Value> = Shown | Extract<SelectType<Value>, null>;

/** 0 or 1, a boolean in objects. */
export function flag<Value = number>(): Column<Given<Value>, Given<OrNull<boolean, Value>>, undefined> {
  return { type: "integer", form: "flag" };
}

/** 0 or 1, `true` or absent in objects. */
export function mark(): Column<number, true | null, undefined> {
  return { type: "integer", form: "mark" };
}

/** A JSON text, parsed in objects. */
export function json<Shown, Value = string>(): Column<Given<Value>, Given<OrNull<Shown, Value>>, undefined> {
  return { type: "text", form: "json" };
}

/** A column with another name in objects. */
export function named<const Property extends string, Value, Shown>(
  property: Property,
  column: Column<Value, Shown, undefined>,
): Column<Value, Shown, Property> {
  const { type, form } = column;
  return { type, property, ...(form !== undefined && { form }) };
}

/** The owner column, the key within it, and the large text. */
export interface LargeRows {
  readonly of: string;
  readonly key: string;
  readonly text: string;
}

/**
 * When the rows of an account are deleted. Tables marked `at once` have few rows per account, or give access. The
 * others grow with calls and years. Tables with large rows have their own steps.
 */
export type WhenDeleted = "at once" | "in steps" | LargeRows;

export interface Table<Own extends Columns = Columns, When = WhenDeleted | undefined> {
  readonly columns: Own;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Undefined if its rows belong to no account. */
  readonly whenDeleted: When;
  /** False for a table of a single store, which is not moved to another. */
  readonly isMoved: boolean;
}

type Key<Own> = readonly (keyof Own & string)[];
type WithoutAccount = Columns & { readonly account_id?: never };

/** A table whose rows belong to no account. */
export function table<Own extends WithoutAccount>(key: Key<Own>, columns: Own): Table<Own, undefined> {
  return { key, columns, whenDeleted: undefined, isMoved: true };
}

/** A table in which all or some rows belong to accounts. */
export function accountTable<const When extends WhenDeleted, Own extends Columns>(
  whenDeleted: When,
  key: Key<Own>,
  columns: Own,
): Table<Own, When> {
  return { key, columns, whenDeleted, isMoved: true };
}

/**
 * A table of a single store: writes of its health check, outcomes of its commits, totals that it counts itself, its
 * nodes and its clock.
 */
export function storeTable<Own extends WithoutAccount>(key: Key<Own>, columns: Own): Table<Own, undefined> {
  return { key, columns, whenDeleted: undefined, isMoved: false };
}
