/**
 * Shows the HTML of an email in a frame that runs no scripts. The content security policy of the page, which its frames inherit, allows
 * no styles in HTML: they are set by script, as it permits.
 *
 * @param tell the height of the content
 * @returns a function that ends it
 */
export function showMail(
  frame: HTMLIFrameElement,
  html: string,
  dark: boolean,
  tell: (height: number) => void,
): () => void {
  const show = () => {
    const { contentDocument: inside, contentWindow: window } = frame;
    if (!inside?.body || !window) return;
    // Parsing alone would apply them. Quotes in texts are escaped, so that this is found in tags only.
    const [, css = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? [];
    const inert = html.replace(/<style>[^<]*<\/style>/, '').replaceAll(' style="', ' data-style="');
    const mail = new DOMParser().parseFromString(inert, 'text/html');
    const body = inside.importNode(mail.body, true);
    for (const element of [body, ...body.querySelectorAll<HTMLElement>('[data-style]')]) {
      element.style.cssText = element.dataset.style ?? '';
      delete element.dataset.style;
    }
    for (const link of body.querySelectorAll('a')) link.removeAttribute('href');
    inside.documentElement.lang = mail.documentElement.lang;
    inside.body.replaceWith(body);
    // Constructed in the frame: a document takes only its own.
    const sheet = new (window as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(css);
    const rules = [...sheet.cssRules].flatMap((rule) => {
      const { media, cssRules } = rule as CSSMediaRule;
      if (!media?.mediaText.includes('prefers-color-scheme')) return [rule.cssText];
      return dark ? [...cssRules].map((one) => one.cssText) : [];
    });
    sheet.replaceSync(rules.join('\n'));
    inside.adoptedStyleSheets = [sheet];
    // Before it stands the hidden line for lists of mails.
    tell(Math.ceil(body.querySelector('table')?.getBoundingClientRect().height ?? 320));
  };
  // Browsers replace the first, empty document of a frame once it has loaded.
  frame.addEventListener('load', show);
  const resized = new ResizeObserver(show);
  resized.observe(frame);
  show();
  return () => {
    frame.removeEventListener('load', show);
    resized.disconnect();
  };
}
