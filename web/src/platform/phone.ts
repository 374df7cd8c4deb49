/** The calling codes of two digits; those that begin with 1 or 7 have one, all others three. */
const twoDigitCodes = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** A number in international form in groups, for reading: '+1 555 010 257'. Anything else stays as it is. */
export function formatPhone(phone: string): string {
  const [, digits] = /^\+(\d{7,15})$/.exec(phone) ?? [];
  if (digits === undefined) return phone;
  const codeLength = /^[17]/.test(digits) ? 1 : twoDigitCodes.test(digits) ? 2 : 3;
  const [code, rest] = [digits.slice(0, codeLength), digits.slice(codeLength)];
  // No last group of one digit: it would be overread.
  const groups = rest.match(/\d{3}(?=\d{2})|\d+/g) ?? [];
  return [`+${code}`, ...groups].join(' ');
}
