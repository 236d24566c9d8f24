/** A part of an object whose key is there only when its value is known: spread it. */
export function known<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  const part: { [K in Key]?: Value } = {};
  if (value !== undefined) part[key] = value;
  return part;
}
