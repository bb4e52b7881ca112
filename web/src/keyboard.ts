// The keys, and the overlay that lists them.

import { element, fillTerms } from './dom';

export interface Shortcut {
  keys: string[]; // as KeyboardEvent.key
  shown: string;
  text: string;
  act: () => void;
}

const kMouse: [string, string][] = [
  ['drag', 'turn'],
  ['right drag', 'move (or shift + drag, two fingers)'],
  ['wheel', 'zoom'],
  ['click in plot', 'go to that time'],
];

export function openHelp(): void {
  const help = element<HTMLDialogElement>('help');
  if (help.open) help.close();
  else help.showModal();
}

export function listenToKeys(shortcuts: Shortcut[]): void {
  fillTerms(element('help-keys'), [
    ...shortcuts.map(({ shown, text }): [string, string] => [shown, text]),
    ...kMouse,
  ]);
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // Typing a number or choosing from a list keeps its keys.
    if (target.matches('select, input[type=number], input[type=color]')) return;
    if (target.matches('input[type=range]') && target.id !== 'scrub') return;
    const isButton = target.matches('button, input[type=checkbox]');
    if (isButton && (event.key === ' ' || event.key === 'Enter')) return;
    const shortcut = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.act();
  });
}
