/** The behaviour of form fields that custom elements must implement themselves. */

/** Submits a form as Enter does: with its first submit button, or without one. */
export function submit(form: HTMLFormElement | null): void {
  const button = [...(form?.elements ?? [])].find((one) =>
    one.matches("button:not([type=button],[type=reset]),input[type=submit]"),
  );
  if (button instanceof HTMLElement) button.click();
  else form?.requestSubmit();
}

/** The submitted value; nothing without a name. */
export function entries(...pairs: readonly (readonly [name: string | null, value: string])[]): FormData {
  const data = new FormData();
  for (const [name, value] of pairs) if (name) data.append(name, value);
  return data;
}

/** The texts of the labels. */
export function textOf(labels: NodeList): string {
  return [...labels].map(({ textContent }) => textContent?.trim()).join(" ");
}

/** Sets properties again that were set before the element was defined, because they hide its accessors. */
export function takeUp<Name extends string>(element: Record<Name, unknown>, names: readonly Name[]): void {
  for (const name of names) {
    if (!Object.hasOwn(element, name)) continue;
    const { [name]: before } = element;
    delete element[name];
    element[name] = before;
  }
}
