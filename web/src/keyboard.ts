// The keys, and the overlay that lists them.

import { element, fillTerms } from './dom';

export interface Shortcut {
  keys: string[]; // as KeyboardEvent.key
  shown: string;
  text: string;
  act: () => void;
}

export type Hint = [string, string];

const kMouse: Hint[] = [
  ['drag', 'turn'],
  ['right drag', 'move (or shift + drag, two fingers)'],
  ['wheel', 'zoom'],
];

export function shortcut(keys: string[], shown: string, text: string, act: () => void): Shortcut {
  return { keys, shown, text, act };
}

export function openHelp(): void {
  const help = element<HTMLDialogElement>('help');
  if (help.open) help.close();
  else help.showModal();
}

// The buttons at the top of a page. Returns what shows or hides the panel.
export function connectTop(frameAll: () => void, save: () => void): () => void {
  const togglePanel = () => {
    const isOpen = document.body.classList.toggle('panel-closed') === false;
    element('panel-toggle').setAttribute('aria-expanded', String(isOpen));
  };
  element('screenshot').addEventListener('click', save);
  element('frame-all').addEventListener('click', frameAll);
  element('panel-toggle').addEventListener('click', togglePanel);
  element('help-open').addEventListener('click', openHelp);
  if (window.matchMedia('(max-width: 760px)').matches) togglePanel();
  return togglePanel;
}

export function listenToKeys(shortcuts: Shortcut[], hints: Hint[] = []): void {
  fillTerms(element('help-keys'), [
    ...shortcuts.map(({ shown, text }): Hint => [shown, text]),
    ...kMouse,
    ...hints,
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
