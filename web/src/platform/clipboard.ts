/** Copies text. `navigator.clipboard` exists on secure origins only; plain http falls back to `execCommand`. @returns whether it worked */
export async function writeToClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
