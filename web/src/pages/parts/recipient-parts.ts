import { loadRecipientTexts } from '../../recipients/recipient-texts.ts';
import styles from '../../recipients/recipient.css?inline';
import { RecipientPart } from '../../recipients/RecipientPart.tsx';
import utilities from '../../recipients/utilities.css?inline';

/**
 * The recipient's part with its texts and styles. Chunks are loaded without their style files (preload-code.ts), so the styles are in the
 * code; a style sheet made by a script needs no exception in the Content Security Policy.
 */
export async function openRecipientPart(): Promise<typeof RecipientPart> {
  await loadRecipientTexts();
  for (const css of [styles, utilities]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }
  return RecipientPart;
}
