import type { ErrorCode } from '@waybill/contract';

/** A request whose response was sent, for the log and the metrics. */
export interface AnsweredRequest {
  id: string;
  method: string;
  /** The template: the path itself may contain an id. */
  route: string;
  status: number;
  ms: number;
  code: ErrorCode | null;
  /** Of the client; a function, since few need it. */
  address(): string;
}

export type OnAnswered = (request: AnsweredRequest) => void;
