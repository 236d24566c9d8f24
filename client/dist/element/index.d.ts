/** `@opzoek/client/element`: `<opzoek-autocomplete>`, a field that suggests companies. */
/** The name of the element. */
export declare const ELEMENT_NAME = "opzoek-autocomplete";
