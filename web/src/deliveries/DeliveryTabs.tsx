import type { ReactNode } from 'react';
import { Tabs } from '../ui/Tabs.tsx';
import type { DeliveryListName } from './queries.ts';

const tabs = [
  { value: 'mine', label: 'My Deliveries' },
  { value: 'pending', label: 'Pending Deliveries' },
  { value: 'completed', label: 'Completed Deliveries' },
] as const;

interface DeliveryTabsProps {
  list: DeliveryListName;
  onList: (list: DeliveryListName) => void;
  children: ReactNode;
}

export function DeliveryTabs({ list, onList, children }: DeliveryTabsProps) {
  return (
    <Tabs label="Deliveries" items={tabs} value={list} onValueChange={onList}>
      {children}
    </Tabs>
  );
}
