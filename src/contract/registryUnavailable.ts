/** Messages for a registry that cannot answer now. The page recognises them and shows its own texts. */
export const REGISTRY_UNAVAILABLE = {
  noRegistry: "this service has no company registry yet; ask its operator to import one",
  namesNotIndexed:
    "names cannot be searched yet, because their index is being built; nothing was charged: try again later, or look companies up by their KVK number meanwhile",
} as const;
