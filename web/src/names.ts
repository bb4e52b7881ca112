// How fields, measures and units read to a person.

import type { Field } from './api';

const kNames: Record<string, string> = {
  volume_ratio: 'Volume ratio J',
  strain_energy: 'Strain energy',
  speed: 'Speed',
  min_volume_ratio: 'Smallest volume ratio J',
  max_volume_ratio: 'Largest volume ratio J',
  inverted: 'Inverted elements',
  kinetic_energy: 'Kinetic energy',
  elastic_energy: 'Elastic energy',
  max_overlap: 'Deepest overlap',
  max_gap: 'Widest gap',
  steps: 'Steps',
  halved_steps: 'Halved steps',
};

const kUnits: Record<string, string> = { '1': '', '': '' };

// "volume_ratio.torus" -> "Volume ratio · torus"; "ms_force" -> "Time of force".
export function prettyName(name: string): string {
  const known = kNames[name];
  if (known) return known;
  const [measure = '', ...of] = name.split('.');
  const timed = measure.startsWith('ms_');
  const words = (timed ? measure.slice(3) : measure).replaceAll('_', ' ');
  const text = timed ? `Time of ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
  return of.length > 0 ? `${text} · ${of.join('.')}` : text;
}

// "J/m^3" -> "J/m³".
export function prettyUnit(unit: string): string {
  return kUnits[unit] ?? unit.replaceAll('^2', '²').replaceAll('^3', '³').replaceAll('*', '·');
}

export function label(field: Field): string {
  const unit = prettyUnit(field.unit);
  return unit ? `${prettyName(field.name)} (${unit})` : prettyName(field.name);
}

// Four digits are what a legend or an axis has room for.
export function prettyNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size < 1e-12) return '0'; // what rounding leaves of a zero
  if (Number.isInteger(value) && size < 1e6) return String(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(2).replace('e+', 'e');
  return String(Number(value.toPrecision(4)));
}
