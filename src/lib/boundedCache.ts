import { LRUCache } from "lru-cache";

export type BoundedCache<Key extends {}, Value extends {}> = LRUCache<Key, Value>;

/**
 * A cache of the most recently used entries. It grows with its entries: with the option `max`, `LRUCache` allocates all
 * of them at once, which takes a third of the time of composing a service.
 */
export function boundedCache<Key extends {}, Value extends {}>(maxEntries: number): BoundedCache<Key, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
