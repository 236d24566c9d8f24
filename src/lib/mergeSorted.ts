/**
 * Merges several sorted lists into one (a k-way merge; Knuth, The Art of Computer Programming, volume 3, 5.4.1). For a
 * few lists: their heads are compared one by one. Equal items keep the order of their lists.
 */
export function* mergeSorted<T>(
  lists: readonly Iterable<T>[],
  isBefore: (a: T, b: T) => boolean,
): Generator<T> {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) {
    yield* only;
    return;
  }
  const heads = lists.map((list) => {
    const items = list[Symbol.iterator]();
    return { items, head: items.next() };
  });
  try {
    for (;;) {
      let first: { items: Iterator<T>; head: IteratorResult<T> } | undefined;
      for (const one of heads) {
        if (one.head.done === true) continue;
        if (first === undefined || first.head.done === true || isBefore(one.head.value, first.head.value)) {
          first = one;
        }
      }
      if (first === undefined || first.head.done === true) return;
      yield first.head.value;
      first.head = first.items.next();
    }
  } finally {
    for (const { items } of heads) items.return?.();
  }
}
