/** What a message says: plain text, without the frame. */
export interface MessageContent {
  subject: string;
  paragraphs: string[];
  /** Of a digest: what it gathers. */
  items?: MessageItem[];
}

export interface MessageItem {
  title: string;
  body: string;
  /** Its page. */
  path: string;
}

export interface Frame {
  organisation: string;
  /** The address of the product, without a slash at the end; null: the message has no logo. */
  origin: string | null;
  /** Where the button leads, and what it says; null: there is none. */
  link: Link | null;
  /** Why the reader gets it, and where they choose otherwise. */
  why: string;
  choose: Link | null;
  /** The path of the organisation's logo. */
  logo: string | null;
  language: string;
}

interface Link {
  url: string;
  label: string;
}

export interface ComposedMail {
  text: string;
  html: string;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Puts a message into the frame that all have. The HTML works in clients without style sheets, from 320 px on, in light and dark. */
export function composeMail({ subject, paragraphs, items = [] }: MessageContent, frame: Frame): ComposedMail {
  const { link, why, choose } = frame;
  const text = [
    ...paragraphs,
    ...items.map(({ title, body, path }) =>
      [title, body, ...(frame.origin === null ? [] : [frame.origin + path])].join('\n'),
    ),
    ...(link ? [`${link.label}: ${link.url}`] : []),
    `--\n${why}`,
    ...(choose ? [`${choose.label}: ${choose.url}`] : []),
  ].join('\n\n');

  const logo =
    frame.origin && frame.logo
      ? `<img src="${escapeHtml(frame.origin + frame.logo)}" alt="" height="32" style="display:block;height:32px;max-width:160px;border:0;margin:0 0 8px">`
      : '';
  const html = `<!doctype html>
<html lang="${escapeHtml(frame.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important; }
  .card { background: #20242b !important; border-color: #363c47 !important; }
  .ink { color: #f2f4f7 !important; }
  .soft { color: #aeb6c2 !important; }
  .line { border-color: #363c47 !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7">
${composePreview(items.length > 0 ? items.map(({ title }) => title).join(', ') : paragraphs[0])}
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f7"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border:1px solid #dfe3e8;border-radius:12px"><tr><td style="padding:24px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere">
${logo}<p class="soft" style="margin:0 0 16px;font-size:14px;line-height:20px;color:#5b6472">${escapeHtml(frame.organisation)}</p>
<h1 class="ink" style="margin:0 0 12px;font-size:20px;line-height:28px;color:#14171c">${escapeHtml(subject)}</h1>
${paragraphs
  .map(
    (paragraph) =>
      `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#14171c">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`,
  )
  .join('\n')}
${items.map((item) => composeItem(item, frame.origin)).join('\n')}
${
  link
    ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-size:16px;line-height:24px;font-weight:600;text-decoration:none">${escapeHtml(link.label)}</a></p>`
    : ''
}
<p class="soft line" style="margin:0;padding:16px 0 0;border-top:1px solid #dfe3e8;font-size:13px;line-height:20px;color:#5b6472">${escapeHtml(why)}${
    choose
      ? ` <a class="soft" href="${escapeHtml(choose.url)}" style="color:#5b6472">${escapeHtml(choose.label)}</a>`
      : ''
  }</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
  return { text: `${text}\n`, html };
}

/** What lists of mails show beside the subject, which would be the organisation and the subject again: the first paragraph, or what a digest has. */
const composePreview = (first = ''): string =>
  first === ''
    ? ''
    : `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(first.replaceAll('\n', ' '))}${'&#847;&zwnj;&nbsp;'.repeat(40)}</div>`;

function composeItem({ title, body, path }: MessageItem, origin: string | null): string {
  const name =
    origin === null
      ? `<strong>${escapeHtml(title)}</strong>`
      : `<a class="ink" href="${escapeHtml(origin + path)}" style="color:#14171c;font-weight:600">${escapeHtml(title)}</a>`;
  return `<p class="ink line" style="margin:0 0 16px;padding:0 0 16px;border-bottom:1px solid #dfe3e8;font-size:16px;line-height:24px;color:#14171c">${name}<br>${escapeHtml(body)}</p>`;
}
