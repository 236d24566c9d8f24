/**
 * Rows as objects. The names are in camel case, flags are booleans, JSON is parsed, and null is absent; see
 * `schema/table.ts`.
 */
import type { Insertable, InsertType, SelectType } from "kysely";
import { type Column, propertyOf } from "./schema/table.ts";
import { type Definitions, TABLES, type Tables } from "./schema/tables.ts";

type Name = keyof Definitions;
type ColumnOf<Table extends Name, Own> = Own extends keyof Definitions[Table]["columns"]
  ? Definitions[Table]["columns"][Own]
  : never;

type CamelCase<Text> = Text extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

type Property<Table extends Name, Own> =
  ColumnOf<Table, Own> extends Column<unknown, unknown, infer Given>
    ? Given extends string
      ? Given
      : CamelCase<Own>
    : never;

type Shown<Table extends Name, Own> =
  ColumnOf<Table, Own> extends Column<unknown, infer Value, unknown> ? Value : never;

type MayLack<Table extends Name, Own extends keyof Tables[Table]> =
  | Extract<Shown<Table, Own>, null>
  | Extract<InsertType<Tables[Table][Own]>, null | undefined>;

type Shape<T> = { readonly [Key in keyof T]: T[Key] };

/** The object of a row, by the names of its columns. */
export type ObjectOf<Table extends Name, Own extends keyof Tables[Table] = keyof Tables[Table]> = Shape<
  {
    [Column in Own as null extends Shown<Table, Column> ? never : Property<Table, Column> & string]: Shown<
      Table,
      Column
    >;
  } & {
    [Column in Own as null extends Shown<Table, Column> ? Property<Table, Column> & string : never]?: Exclude<
      Shown<Table, Column>,
      null
    >;
  }
>;

/** An object to store; nullable columns and columns with a default may be absent. */
export type NewObject<Table extends Name> = Shape<
  {
    [Column in keyof Tables[Table] as [MayLack<Table, Column>] extends [never]
      ? Property<Table, Column> & string
      : never]: Shown<Table, Column>;
  } & {
    [Column in keyof Tables[Table] as [MayLack<Table, Column>] extends [never]
      ? never
      : Property<Table, Column> & string]?: Shown<Table, Column> | undefined;
  }
>;

/** @param without columns that the object does not get */
export function toObject<Table extends Name, Without extends keyof Tables[Table] & string = never>(
  table: Table,
  row: { readonly [Own in Exclude<keyof Tables[Table], Without>]: SelectType<Tables[Table][Own]> },
  ...without: readonly Without[]
): ObjectOf<Table, Exclude<keyof Tables[Table], Without>> {
  const values = new Map<string, unknown>(Object.entries(row));
  const omitted: readonly string[] = without;
  const fields: object = Object.fromEntries(
    Object.entries(TABLES[table].columns).flatMap(([name, column]) => {
      const value = omitted.includes(name) ? undefined : shownOf(column, values.get(name) ?? undefined);
      return value === undefined ? [] : [[propertyOf(name, column), value]];
    }),
  );
  return fields as ObjectOf<Table, Exclude<keyof Tables[Table], Without>>;
}

/** The row of an object, which may have further properties. */
export function toRow<Table extends Name>(table: Table, object: NewObject<Table>): Insertable<Tables[Table]> {
  const values = new Map<string, unknown>(Object.entries(object));
  const row: object = Object.fromEntries(
    Object.entries(TABLES[table].columns).flatMap(([name, column]) => {
      const value = storedOf(column, values.get(propertyOf(name, column)));
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return row as Insertable<Tables[Table]>;
}

function shownOf({ form }: Column, value: unknown): unknown {
  if (value === undefined || form === undefined) return value;
  if (form === "json") return JSON.parse(String(value));
  return value === 1 || (form === "mark" ? undefined : false);
}

function storedOf({ form }: Column, value: unknown): unknown {
  if (form === "mark") return value === true ? 1 : 0;
  if (value === undefined || value === null || form === undefined) return value;
  return form === "json" ? JSON.stringify(value) : Number(value);
}
