// src/element/index.ts
var e = "opzoek-autocomplete";
export { e as ELEMENT_NAME };
