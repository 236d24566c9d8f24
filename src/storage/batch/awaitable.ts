/** A value now or later. SQLite answers at once and must: no other work may come between the statements of its transaction. */
export type Awaitable<T> = T | Promise<T>;

export function andThen<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

type Settled<T extends readonly unknown[]> = { readonly [Index in keyof T]: Awaited<T[Index]> };

/** All values at once if none of them is a promise, else a promise of them. */
export function all<const T extends readonly unknown[]>(values: T): Awaitable<Settled<T>> {
  if (values.some((value) => value instanceof Promise)) return Promise.all(values);
  return values as Settled<T>;
}
