import type { ReactNode } from 'react';
import { Tabs } from '../ui/Tabs.tsx';
import { deliveryLists } from './queries.ts';
import type { DeliveryListName } from './queries.ts';
import { texts } from './texts.ts';

interface DeliveryTabsProps {
  list: DeliveryListName;
  onList: (list: DeliveryListName) => void;
  children: ReactNode;
}

export function DeliveryTabs({ list, onList, children }: DeliveryTabsProps) {
  const items = deliveryLists.map((value) => ({ value, label: texts.lists[value] }));
  return (
    <Tabs label={texts.deliveries} items={items} value={list} onValueChange={onList}>
      {children}
    </Tabs>
  );
}
