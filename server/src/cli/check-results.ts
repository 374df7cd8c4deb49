export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'FAIL';
  /** What is the case and, unless it is ok, what to do. */
  says: string;
}

export class CheckResults {
  readonly all: Finding[] = [];

  add(check: string, state: Finding['state'], says: string): void {
    this.all.push({ check, state, says });
  }

  /** A check that cannot be carried out has failed. */
  async run(check: string, examine: () => Promise<void>): Promise<void> {
    try {
      await examine();
    } catch (error) {
      const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
      this.add(check, 'FAIL', message || (code ?? 'failed without a word'));
    }
  }
}
