import { buffer } from 'node:stream/consumers';
import {
  labelSizes,
  layOutLabel,
  type LabelCodes,
  type LabelContent,
  type LabelItem,
  type LabelSize,
} from '@waybill/contract';
import JsBarcode from 'jsbarcode';
import PDFDocument from 'pdfkit';
import { encode } from 'uqr';
import { runsOf, widthOf } from './fonts.ts';

export interface LabelsToRender {
  labels: { content: LabelContent; link: string }[];
  size: LabelSize;
  /** The time zone of windows. */
  zone: string;
}

type Document = InstanceType<typeof PDFDocument>;

/** Points of a PDF per mm. */
const mm = 72 / 25.4;
const a4 = { width: 210, height: 297 };

/** Writes a PDF of labels: one per page, or four on each sheet of A4. Takes some milliseconds of CPU per label. */
export async function writeLabels({ labels, size, zone }: LabelsToRender): Promise<Uint8Array> {
  const page = size === 'a4' ? a4 : labelSizes.label;
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: [page.width * mm, page.height * mm],
    margin: 0,
    info: { Title: labels.length === 1 ? `Label ${labels[0]?.content.trackingId}` : `${labels.length} labels` },
  });
  printAtFullSize(doc);
  const bytes = buffer(doc);
  const perPage = size === 'a4' ? 4 : 1;
  for (const [index, { content, link }] of labels.entries()) {
    const place = index % perPage;
    if (place === 0) {
      doc.addPage();
      if (size === 'a4') drawCuts(doc);
    }
    const { width, height } = labelSizes[size];
    doc.save();
    doc.scale(mm);
    doc.translate((place % 2) * width, Math.floor(place / 2) * height);
    for (const item of layOutLabel(labelSizes[size], content, codesOf(content.trackingId, link), widthOf, zone))
      drawItem(doc, item);
    doc.restore();
  }
  doc.end();
  return bytes;
}

/** Asks viewers not to scale pages when printing: a label that is smaller than its sticker is read badly. */
function printAtFullSize(doc: Document): void {
  const { _root: catalog } = doc as unknown as { _root: { data: Record<string, unknown> } };
  catalog.data.ViewerPreferences = doc.ref({ PrintScaling: 'None' });
}

export function codesOf(trackingId: string, link: string): LabelCodes {
  const code: { encodings?: { data: string }[] } = {};
  JsBarcode(code, trackingId, { format: 'CODE128' });
  return {
    qr: encode(link, { ecc: 'M', border: 0 }).data,
    bars: code.encodings?.map(({ data }) => data).join('') ?? '',
  };
}

function drawCuts(doc: Document): void {
  doc.save();
  doc.scale(mm);
  doc.lineWidth(0.15).dash(2, { space: 1.5 });
  doc.moveTo(0, 148.5).lineTo(210, 148.5).moveTo(105, 0).lineTo(105, 297).stroke('black');
  doc.restore();
}

function drawItem(doc: Document, item: LabelItem): void {
  doc.save();
  if (item.kind === 'text') drawText(doc, item);
  else if (item.kind === 'box') {
    const { x, y, width, height, radius, stroke } = item;
    doc.roundedRect(x, y, width, height, radius);
    if (stroke === null) doc.fill('black');
    else doc.lineWidth(stroke).stroke('black');
  } else if (item.kind === 'dashes') {
    doc.lineWidth(0.3).dash(1.2, { space: 0.8 });
    doc
      .moveTo(item.x, item.y)
      .lineTo(item.x + item.length, item.y)
      .stroke('black');
  } else {
    const { x, y, scale, path, stroke, white } = item;
    const colour = white ? 'white' : 'black';
    doc.translate(x, y).scale(scale).path(path);
    if (stroke === null) doc.fill(colour);
    else doc.lineWidth(stroke).lineCap('round').lineJoin('round').stroke(colour);
  }
  doc.restore();
}

function drawText(doc: Document, item: Extract<LabelItem, { kind: 'text' }>): void {
  const { text, size, font, align, spacing, white, y } = item;
  const width = (widthOf(text, font) + spacing * (text.length - 1)) * size;
  let x = item.x - (align === 'right' ? width : align === 'center' ? width / 2 : 0);
  doc.fillColor(white ? 'white' : 'black').fontSize(size);
  for (const run of runsOf(text, font)) {
    doc
      // Opened once per document, under its path.
      .registerFont(run.file.name, run.file.bytes)
      .font(run.file.name)
      .text(run.text, x, y, { lineBreak: false, baseline: 'alphabetic', characterSpacing: spacing * size });
    x += (widthOf(run.text, font) + spacing * run.text.length) * size;
  }
}
