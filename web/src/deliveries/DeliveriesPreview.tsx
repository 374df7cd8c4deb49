import { texts } from './texts.ts';
import { Eye } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { DeliveryCards } from './DeliveryCards.tsx';
import { DeliveryTabs } from './DeliveryTabs.tsx';
import { DriverBar } from './DriverBar.tsx';
import type { DeliveryFilter } from './search.ts';
import { listOf } from './search.ts';
import { useRequireDriver } from './useRequireDriver.ts';

interface DeliveriesPreviewProps {
  show: DeliveryFilter | undefined;
  onShow: (show: DeliveryFilter | undefined) => void;
}

/** The driver dashboard without a session: empty lists, no data, and a call to sign in. */
export function DeliveriesPreview({ show, onShow }: DeliveriesPreviewProps) {
  const requireDriver = useRequireDriver();
  const list = listOf(show);
  const empty = {
    mine: {
      title: texts.preview.mine,
      action: (
        <Button variant="secondary" size="lg" onClick={() => requireDriver('complete')}>
          {texts.complete}
        </Button>
      ),
    },
    pending: {
      title: texts.preview.pending,
      action: (
        <Button variant="secondary" size="lg" onClick={() => requireDriver('start')}>
          {texts.start}
        </Button>
      ),
    },
    completed: { title: texts.preview.completed },
  }[list];
  return (
    <>
      <div className="mb-6">
        <Banner
          icon={<Eye />}
          title={texts.preview.title}
          action={
            <LinkButton href="/login" size="sm">
              {texts.preview.signIn}
            </LinkButton>
          }
        >
          {texts.preview.text}
        </Banner>
      </div>
      <DeliveryCards preview show={show} onShow={onShow} />
      <div className="mt-6">
        <DeliveryTabs list={list} onList={onShow}>
          <Card>
            <EmptyState drawing={<ParcelDrawing kind={list === 'completed' ? 'done' : 'open'} />} {...empty} />
          </Card>
        </DeliveryTabs>
      </div>
      <DriverBar at={list} labels={texts.bar} />
    </>
  );
}
