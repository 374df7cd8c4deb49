export interface OutgoingMessage {
  /** The same for each attempt, so that the receiving side can recognize a repeated one. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Null for channels without. */
  html: string | null;
  /** The page that it is about, as a path. */
  path: string;
  /** When it is not true any more. */
  endsAt: Date;
  /** The name of the sender. */
  from: string;
  /** Where answers go, if not to the sender. */
  replyTo: string | null;
  /** Where one click unsubscribes (RFC 8058), if it can. */
  unsubscribe?: string | null;
}

/** Sends messages of one channel. */
export interface Transport {
  /** How many messages it sends at once. */
  concurrency: number;
  /**
   * Resolves once the other side has accepted the message.
   *
   * @throws RefusedError when it never will; any other error means: not now, or nobody knows
   */
  send(message: OutgoingMessage): Promise<void>;
  /** Connects and signs in, without sending anything. @throws if that fails */
  verify(): Promise<void>;
  close(): void;
}

/** The other side has refused a message for good, such as an address that does not exist. */
export class RefusedError extends Error {}

/** The other side has been told that this address wants no messages. */
export class OptedOutError extends RefusedError {}

/** The other side says that this address does not exist. */
export class BouncedError extends RefusedError {
  readonly address: string;
  constructor(message: string, address: string) {
    super(message);
    this.address = address;
  }
}

/** There is nowhere to send it any more. */
export class NoAddressError extends Error {}
