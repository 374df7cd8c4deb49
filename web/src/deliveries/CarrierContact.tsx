import type { DriverInfo } from '@waybill/contract';
import { Mail, Phone } from 'lucide-react';
import { toast } from '../platform/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';

interface CarrierContactProps {
  carrier: Pick<DriverInfo, 'email' | 'phone'>;
  trackingId: string;
}

const noPhone = {
  title: 'Phone Number Not Available',
  description: "This driver's phone number is not available for contact.",
};
const noEmail = { title: 'Email Not Available', description: "This driver's email is not available for contact." };

export function CarrierContact({ carrier: { email, phone }, trackingId }: CarrierContactProps) {
  const subject = encodeURIComponent(`Package Delivery Inquiry - ${trackingId}`);
  const mailIcon = <Mail aria-hidden="true" className="size-4" />;
  const phoneIcon = <Phone aria-hidden="true" className="size-4" />;
  return (
    <>
      {email ? (
        <LinkButton variant="secondary" size="lg" icon={mailIcon} href={`mailto:${email}?subject=${subject}`}>
          Email Driver
        </LinkButton>
      ) : (
        <Button
          variant="secondary"
          size="lg"
          icon={mailIcon}
          onClick={() => toast({ ...noEmail, variant: 'destructive' })}
        >
          Email Driver
        </Button>
      )}
      {phone ? (
        <LinkButton size="lg" icon={phoneIcon} href={`tel:${phone}`}>
          Call Driver
        </LinkButton>
      ) : (
        <Button size="lg" icon={phoneIcon} onClick={() => toast({ ...noPhone, variant: 'destructive' })}>
          Call Driver
        </Button>
      )}
    </>
  );
}
