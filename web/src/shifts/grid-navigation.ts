import type { KeyboardEvent } from 'react';

const steps: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus to the next cell in the direction of an arrow key with such a button: `<button data-in-grid onKeyDown={moveByArrows}>` */
export function moveByArrows(event: KeyboardEvent<HTMLButtonElement>) {
  const step = steps[event.key];
  const cell = event.currentTarget.closest('td');
  const table = cell?.closest('table');
  if (!step || !cell || !table || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  let row = (cell.parentElement as HTMLTableRowElement).rowIndex + step[0];
  let column = cell.cellIndex + step[1];
  for (; table.rows[row]?.cells[column]; row += step[0], column += step[1]) {
    const button = table.rows[row]?.cells[column]?.querySelector<HTMLElement>('[data-in-grid]');
    if (button) return button.focus();
  }
}
