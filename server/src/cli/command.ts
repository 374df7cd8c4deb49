import { parseArgs, type ParseArgsConfig } from 'node:util';

/** One command of the command line. */
export interface Command {
  /** @returns the exit code: 0 success, 1 failure, 2 wrong usage */
  run(args: string[]): Promise<number>;
}

/** Wrong usage: the message is printed with the command's help, exit code 2. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * @param help the text that `--help` prints
 * @param operands the maximum number of positional arguments
 */
export function defineCommand<const O extends Options>(
  { help, options, operands = 0 }: { help: string; options: O; operands?: number },
  work: (
    values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values'],
    operands: string[],
  ) => Promise<number | void>,
): Command {
  return {
    async run(args) {
      if (args.includes('--help') || args.includes('-h')) {
        console.log(help);
        return 0;
      }
      try {
        const parsed = parse(args, options);
        if (parsed.positionals.length > operands)
          throw new UsageError(`What is '${parsed.positionals[operands]}' for?`);
        return (await work(parsed.values, parsed.positionals)) ?? 0;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        console.error(`${error.message}\n\n${help}`);
        return 2;
      }
    },
  };
}

function parse<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Parses a numeric option. @throws UsageError */
export function readNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value < min || value > max) {
    throw new UsageError(`--${name} must be a number from ${min} to ${max} (it is '${text}')`);
  }
  return value;
}
