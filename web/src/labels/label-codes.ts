import type { LabelCodes } from '@waybill/contract';
import JsBarcode from 'jsbarcode';
import { encode } from 'uqr';

/** Encodes the two codes of a label, as the server does for the printed one. @param link the address in the QR code */
export function codesOf(trackingId: string, link: string): LabelCodes {
  const code: { encodings?: { data: string }[] } = {};
  JsBarcode(code, trackingId, { format: 'CODE128' });
  return {
    qr: encode(link, { ecc: 'M', border: 0 }).data,
    bars: code.encodings?.map(({ data }) => data).join('') ?? '',
  };
}
