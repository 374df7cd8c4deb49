export interface Finding {
  check: string;
  state: 'ok' | 'warn' | 'FAIL';
  /** The finding in words and, unless it is ok, what to do. */
  says: string;
}

export class CheckResults {
  readonly all: Finding[] = [];

  add(check: string, state: Finding['state'], says: string): void {
    this.all.push({ check, state, says });
  }

  /** Runs a check; one that throws is recorded as FAIL. */
  async run(check: string, execute: () => Promise<void>): Promise<void> {
    try {
      await execute();
    } catch (error) {
      const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
      this.add(check, 'FAIL', message || (code ?? 'failed without a word'));
    }
  }
}
