/** The progress of a long task: a moving bar on a terminal, one line per step elsewhere. */
export interface Progress {
  step(name: string): void;
  move(done: number, total: number): void;
  end(): void;
}

const width = 30;

export function showProgress(out: NodeJS.WriteStream = process.stderr): Progress {
  let name = '';
  let shown = -1;
  return {
    step(next) {
      if (name && out.isTTY) out.write('\n');
      name = next;
      shown = -1;
      out.write(out.isTTY ? name : `${name}\n`);
    },
    move(done, total) {
      const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 100;
      if (!out.isTTY || percent === shown) return;
      shown = percent;
      const filled = Math.round((percent / 100) * width);
      out.write(`\r${name.padEnd(24)} [${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${percent} %`);
    },
    end() {
      if (name && out.isTTY) out.write('\n');
    },
  };
}

export const noProgress: Progress = { step: () => {}, move: () => {}, end: () => {} };
