import { pino, type Logger } from 'pino';

/**
 * Lines of JSON on standard output. Call sites name every field they log, and never an e-mail address, phone number, token or body:
 * whole objects such as requests, users and database errors are not handed to the logger.
 */
export const openLog = (level: string): Logger => pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
