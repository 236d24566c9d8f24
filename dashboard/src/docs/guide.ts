/** A guide of `docs/`, read by `build/guides.ts`. */
export interface Guide {
  /** The name of its file, which is also its address. */
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  /** Markdown without the title. Its links point to views of the docs page. */
  readonly body: string;
}

/** The placeholder addresses of a service in the guides. */
const SHOWN_ADDRESSES = ["https://opzoek.example", "http://127.0.0.1:8080"];

/** Replaces the placeholder addresses in a text by the service's own. */
export function atService(text: string, origin: string): string {
  return SHOWN_ADDRESSES.reduce((shown, address) => shown.replaceAll(address, origin), text);
}
