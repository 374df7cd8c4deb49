// Apart from the formats, which the shell of the application does not need.

/** The language of the formats; null is English, in the specification's formats. */
export let formatLocale: string | null = null;

/** Sets it: that of the texts where the page has them, else English. @param tag such as 'de-DE' */
export function setFormats(tag: string): void {
  formatLocale = tag.startsWith('en') ? null : tag;
}
