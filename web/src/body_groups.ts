// The bodies of a recording by what they are: their first looks, and a list of groups that are
// shown or hidden at once.

import type { BodyInfo } from './api';
import { paletteColour } from './body_mesh';
import { bodyRow, input, type BodyLook } from './panel';

const kBoneColour = '#e3dac4';
const kLineColour = '#f2c14e';
const kGroups: { kind: BodyInfo['kind']; title: string }[] = [
  { kind: 'tissue', title: 'muscles' },
  { kind: 'bone', title: 'bones' },
  { kind: 'lines', title: 'lines' },
];

export function startLooks(bodies: BodyInfo[]): BodyLook[] {
  const colours = { bone: kBoneColour, lines: kLineColour };
  return bodies.map(({ kind }, b) => ({
    visible: true,
    opacity: 1,
    colour: kind === 'tissue' ? paletteColour(b) : colours[kind],
  }));
}

// The row above a group; `boxes` are the checkboxes of its bodies.
function groupRow(title: string, boxes: HTMLInputElement[]): HTMLLIElement {
  const row = document.createElement('li');
  row.className = 'group';
  const all = input('checkbox', `Show all ${title}`, 'eye');
  const note = () => {
    const shown = boxes.filter(({ checked }) => checked).length;
    all.checked = shown === boxes.length;
    all.indeterminate = shown > 0 && shown < boxes.length;
  };
  for (const box of boxes) box.addEventListener('change', note);
  all.addEventListener('change', () => {
    const wanted = all.checked; // each click below is noted
    for (const box of boxes) if (box.checked !== wanted) box.click();
  });
  note();
  const name = document.createElement('span');
  name.textContent = title;
  const count = document.createElement('span');
  count.textContent = String(boxes.length);
  row.append(all, name, count);
  return row;
}

// With headings where there is more than one group.
export function fillGroups(
  list: HTMLElement,
  bodies: BodyInfo[],
  looks: BodyLook[],
  onChange: (body: number) => void,
): void {
  const rows = bodies.map((body, b) => bodyRow(body, looks[b]!, () => onChange(b)));
  const groups = kGroups
    .map(({ kind, title }) => ({ title, members: rows.filter((_, b) => bodies[b]!.kind === kind) }))
    .filter(({ members }) => members.length > 0);
  const boxOf = (row: HTMLLIElement) => row.querySelector<HTMLInputElement>('.eye')!;
  list.replaceChildren(
    ...groups.flatMap(({ title, members }) =>
      groups.length > 1 ? [groupRow(title, members.map(boxOf)), ...members] : members,
    ),
  );
}
