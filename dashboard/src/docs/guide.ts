/** A page of `docs/` as the docs page shows it; `build/guides.ts` reads it. */
export interface Guide {
  /** The name of its file, and its part of the address. */
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly about: string;
  /** Markdown without the title. Its links lead to views of the docs page. */
  readonly body: string;
}

/** The addresses that stand for a service in the documents: one of an operator, and the demo's. */
const SHOWN_ADDRESSES = ["https://opzoek.example", "http://127.0.0.1:8080"];

/** A text in which the service has its own address. */
export function atService(text: string, origin: string): string {
  return SHOWN_ADDRESSES.reduce((shown, address) => shown.replaceAll(address, origin), text);
}
