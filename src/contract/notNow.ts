/**
 * Why the registry gives no answer now, where the code alone does not tell: the page says each in words of its own.
 */
export const NOT_NOW = {
  noRegistry: "this service has no company registry yet; ask its operator to import one",
  namesNotIndexed:
    "names cannot be searched yet, because their index is being built; nothing was charged: try again later, or look companies up by their KVK number meanwhile",
} as const;
