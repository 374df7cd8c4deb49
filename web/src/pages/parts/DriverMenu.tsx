import type { Delivery } from '@waybill/contract';
import { Bell, Ellipsis, List, LogOut, MessageSquareWarning, PackageCheck, Undo2, UserRoundCog } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { confirmLeave } from '../../app/navigation-guard.ts';
import type { OnAction } from '../../deliveries/delivery-dialogs.ts';
import { setStopPhase, useStopProgress } from '../../deliveries/stop-progress.ts';
import { useRetractArrival } from '../../deliveries/queries.ts';
import { texts } from '../../deliveries/texts.ts';
import { logout } from '../../platform/session.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { useCan } from '../../users/useCan.ts';

interface DriverMenuProps {
  /** In view, if any. */
  stop?: Delivery;
  onAction: OnAction;
}

/** What a driver's phone shows instead of the application's header: shortcuts for the stop in view, and the account. */
export function DriverMenu({ stop, onAction }: DriverMenuProps) {
  const navigate = useNavigate();
  const { phase } = useStopProgress(stop);
  const retract = useRetractArrival(stop?.id ?? '');
  const mayComplete = useCan({ permissions: ['deliveries.complete'] });
  const notThere = ({ id, arrivedAt }: Delivery) => {
    setStopPhase(id, 'ahead');
    if (phase === 'here' || arrivedAt !== null) retract.mutate();
  };
  const signOut = async () => {
    if (!(await confirmLeave())) return;
    logout();
    void navigate({ href: '/login' });
  };
  return (
    <Menu trigger={<IconButton label={texts.openMenu} icon={<Ellipsis aria-hidden="true" />} />}>
      {stop && phase !== 'ahead' && (
        <MenuItem icon={<Undo2 aria-hidden="true" />} onSelect={() => notThere(stop)}>
          {texts.notThereYet}
        </MenuItem>
      )}
      {stop && mayComplete && phase !== 'here' && (
        <MenuItem icon={<PackageCheck aria-hidden="true" />} onSelect={() => onAction('complete', stop)}>
          {texts.complete}
        </MenuItem>
      )}
      <MenuItem icon={<List aria-hidden="true" />} href="/driver/dashboard?show=mine">
        {texts.allStops}
      </MenuItem>
      <MenuItem icon={<Bell aria-hidden="true" />} href="/notifications">
        {texts.notifications}
      </MenuItem>
      <MenuItem icon={<MessageSquareWarning aria-hidden="true" />} href="/driver/incidents">
        {texts.reportedIssues}
      </MenuItem>
      <MenuItem icon={<UserRoundCog aria-hidden="true" />} href="/account">
        {texts.account}
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden="true" />} onSelect={() => void signOut()}>
        {texts.logout}
      </MenuItem>
    </Menu>
  );
}
