import { texts } from './texts.ts';

/** 'Nobody was at home: The bell does not ring': the reason translated, and what the driver wrote as it is. */
export function failureText(failure: string): string {
  const { reasons } = texts.failDialog;
  const said = Object.entries(reasons).find(([reason]) => failure === reason || failure.startsWith(`${reason}: `));
  return said ? said[1] + failure.slice(said[0].length) : failure;
}
