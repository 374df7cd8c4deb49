/** What whole messages mean, by language: no more, or again. Without accents, in capitals. */
const words: Record<string, { stop: string[]; start: string[] }> = {
  en: {
    stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
    start: ['START', 'UNSTOP', 'YES'],
  },
  de: { stop: ['STOPP', 'ABMELDEN', 'ABBESTELLEN', 'KEINE SMS'], start: ['ANMELDEN', 'STARTEN'] },
  fr: { stop: ['ARRET', 'ARRETER', 'DESABONNER', 'ANNULER'], start: ['REPRENDRE', 'ABONNER'] },
  es: { stop: ['BAJA', 'ALTO', 'PARAR', 'CANCELAR'], start: ['ALTA', 'INICIAR', 'REANUDAR'] },
};

export interface Wish {
  wants: 'stop' | 'start';
  /** Of the word. */
  language: string;
}

/** What somebody asks for by a message that is nothing but one of these words, however it is written; null: something else. */
export function readWish(text: string): Wish | null {
  const word = text
    .slice(0, 100)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  for (const [language, { stop, start }] of Object.entries(words)) {
    if (stop.includes(word)) return { wants: 'stop', language };
    if (start.includes(word)) return { wants: 'start', language };
  }
  return null;
}

/** A number as providers write it, with or without plus sign; null: it is none, such as a name. */
export function readNumber(from: string): string | null {
  const digits = from.replaceAll(/[\s()./-]/g, '').replace(/^(\+|00)/, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
}
