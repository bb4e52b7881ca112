// The bodies in the panel: shown or hidden, opacity, colour.

// What the panel says of a body or a part.
export interface NamedSurface {
  name: string;
  num_vertices: number;
  num_triangles: number;
}

export interface BodyLook {
  visible: boolean;
  opacity: number; // in [0, 1]
  colour: string; // as #rrggbb, while coloured by body
}

export function input(type: string, label: string, className: string): HTMLInputElement {
  const made = document.createElement('input');
  made.type = type;
  made.className = className;
  made.setAttribute('aria-label', label);
  return made;
}

export function bodyRow(body: NamedSurface, look: BodyLook, onChange: () => void): HTMLLIElement {
  const row = document.createElement('li');
  row.classList.toggle('off', !look.visible);
  const visible = input('checkbox', `Show ${body.name}`, 'eye');
  visible.checked = look.visible;
  visible.addEventListener('change', () => {
    look.visible = visible.checked;
    row.classList.toggle('off', !look.visible);
    onChange();
  });

  const colour = input('color', `Colour of ${body.name}`, 'swatch');
  colour.value = look.colour;
  colour.addEventListener('input', () => {
    look.colour = colour.value;
    onChange();
  });

  const opacity = input('range', `Opacity of ${body.name}`, 'opacity');
  Object.assign(opacity, { min: '0.05', max: '1', step: '0.05', value: String(look.opacity) });
  opacity.style.setProperty('--done', `${(100 * (look.opacity - 0.05)) / 0.95}%`);
  opacity.addEventListener('input', () => {
    look.opacity = Number(opacity.value);
    opacity.style.setProperty('--done', `${(100 * (look.opacity - 0.05)) / 0.95}%`);
    onChange();
  });

  const name = document.createElement('span');
  name.className = 'body-name';
  name.textContent = body.name;
  name.title = `${body.num_vertices} vertices, ${body.num_triangles} triangles`;
  row.append(visible, colour, name, opacity);
  return row;
}

export function fillBodies(
  list: HTMLElement,
  bodies: NamedSurface[],
  looks: BodyLook[],
  onChange: (body: number) => void,
): void {
  list.replaceChildren(...bodies.map((body, b) => bodyRow(body, looks[b]!, () => onChange(b))));
}
