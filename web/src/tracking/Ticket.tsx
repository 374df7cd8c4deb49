import type { ReactNode } from 'react';

interface TicketProps {
  children: ReactNode;
  /** What stands behind the tear line. */
  stub?: ReactNode;
}

/** The paper that the answer stands on, torn between its body and its stub: across on a phone, down on a wide screen. */
export function Ticket({ children, stub }: TicketProps) {
  return (
    <div className="ticket">
      <div className={stub ? 'ticket-body' : 'ticket-body ticket-whole'}>{children}</div>
      {stub && <div className="ticket-stub">{stub}</div>}
    </div>
  );
}
