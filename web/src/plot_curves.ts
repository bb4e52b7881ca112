// What a plot can show: single columns of the certificate, and sets of those that belong together.
// Angles are recorded in radians and shown in degrees.

import type { Field } from './api';
import { label, prettyName, prettyUnit } from './names';

export interface Curve {
  column: number; // of the certificate
  name: string;
  unit: string;
  colour: string;
}

interface Preset {
  name: string;
  prefix: string;
  unit: string; // of the columns that it takes
}

const kPresets: Preset[] = [
  { name: 'activation', prefix: 'activation.', unit: '1' },
  { name: 'moment', prefix: 'muscle_moment.', unit: 'N m' },
  { name: 'angle', prefix: 'coordinate.', unit: 'rad' },
];

// Of the first axis and those to the right; those of a set go on from there.
export const kAxisColours = ['#e8895c', '#6fb3d2', '#a5c76b'];
const kSetColours = ['#e8895c', '#6fb3d2', '#a5c76b', '#c48fd6', '#e3c25c', '#5fc2ab', '#e58aa8',
  '#9aa6e8', '#c9a27e', '#a9b4bf'];

// The field as it is shown, and what to multiply its recorded values by.
export function shownAs(field: Field): { field: Field; factor: number } {
  if (field.unit !== 'rad') return { field, factor: 1 };
  const name = field.name.replace(/^coordinate\./, 'angle.');
  return { field: { name, unit: '°' }, factor: 180 / Math.PI };
}

function columnsOf(preset: Preset, fields: Field[]): number[] {
  return fields.flatMap(({ name, unit }, c) =>
    name.startsWith(preset.prefix) && unit === preset.unit ? [c] : [],
  );
}

// What there is to choose from: a value for curvesOf(), and how it reads.
export function listChoices(fields: Field[]): { value: string; text: string }[] {
  const presets = kPresets.filter((preset) => columnsOf(preset, fields).length > 0);
  return [
    ...presets.map(({ name, unit }) => {
      const shown = prettyUnit(shownAs({ name, unit }).field.unit);
      return { value: name, text: `all: ${name}${shown ? ` (${shown})` : ''}` };
    }),
    ...fields.map((field, c) => ({ value: String(c), text: label(shownAs(field).field) })),
  ];
}

function findPreset(choice: string): Preset | undefined {
  return kPresets.find(({ name }) => name === choice);
}

export function isSet(choice: string): boolean {
  return findPreset(choice) !== undefined;
}

// The curves of a choice on an axis; none for the empty choice. The colours of a set begin
// after those of `before` curves.
export function curvesOf(choice: string, fields: Field[], axis: number, before: number): Curve[] {
  if (choice === '') return [];
  const preset = findPreset(choice);
  const columns = preset ? columnsOf(preset, fields) : [Number(choice)];
  return columns.map((column, i) => {
    const { field } = shownAs(fields[column]!);
    return {
      column,
      name: preset
        ? fields[column]!.name.slice(preset.prefix.length).replaceAll('.', ' · ')
        : prettyName(field.name),
      unit: prettyUnit(field.unit),
      colour: preset ? kSetColours[(before + i) % kSetColours.length]! : kAxisColours[axis]!,
    };
  });
}

// What to plot at first: of a run on a skeleton its activations, angles and moments.
export function favourites(fields: Field[]): string[] {
  const has = (name: string) => kPresets.some((p) => p.name === name && columnsOf(p, fields).length > 0);
  const column = (name: string) => fields.findIndex((field) => field.name === name);
  const first = has('activation') ? 'activation' : String(Math.max(0, column('min_volume_ratio')));
  const energy = column('kinetic_energy');
  const second = has('angle') ? 'angle' : energy >= 0 ? String(energy) : '';
  return [first, second === first ? '' : second, has('moment') ? 'moment' : ''];
}
