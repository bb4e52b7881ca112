// The page's elements by id, and small helpers on them.

export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

export function setPressed(button: HTMLElement, pressed: boolean): void {
  button.setAttribute('aria-pressed', String(pressed));
}

export function fillOptions(
  select: HTMLSelectElement,
  options: { value: string; text: string }[],
  chosen: string,
): void {
  select.replaceChildren(...options.map(({ value, text }) => new Option(text, value)));
  select.value = chosen;
}

// Pairs of term and text for a <dl>.
export function fillTerms(list: HTMLElement, terms: [string, string][]): void {
  list.replaceChildren(
    ...terms.flatMap(([term, text]) => {
      const dt = document.createElement('dt');
      const dd = document.createElement('dd');
      dt.textContent = term;
      dd.textContent = text;
      return [dt, dd];
    }),
  );
}

// What the page shows, at its top and in the window's.
export function showTitle(name: string, program: string): void {
  element('title').textContent = name;
  document.title = `${name} · ${program}`;
}

export function showTrouble(error: unknown): void {
  const trouble = element('trouble');
  trouble.textContent = error instanceof Error ? error.message : String(error);
  trouble.hidden = false;
}

export async function pause(milliseconds: number): Promise<void> {
  await new Promise((done) => setTimeout(done, milliseconds));
}
