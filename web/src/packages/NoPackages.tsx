import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ParcelDrawing } from '../ui/ParcelDrawing.tsx';
import { LinkButton } from '../ui/LinkButton.tsx';
import { useCan } from '../users/useCan.ts';

interface NoPackagesProps {
  /** True: nothing matches the filters. False: the owner has no packages yet. */
  filtered: boolean;
  onClearFilters: () => void;
}

export function NoPackages({ filtered, onClearFilters }: NoPackagesProps) {
  const mayCreate = useCan({ permissions: ['packages.create'] });
  return filtered ? (
    <EmptyState
      drawing={<ParcelDrawing kind="missing" />}
      title="No packages found matching your criteria."
      action={
        <Button variant="secondary" onClick={onClearFilters}>
          Clear filters
        </Button>
      }
    />
  ) : (
    <EmptyState
      drawing={<ParcelDrawing kind="open" />}
      title="You have no packages yet"
      description={
        mayCreate
          ? 'Register your first one: it gets a tracking ID, and drivers can pick it up at once.'
          : 'Packages of yours appear here.'
      }
      action={mayCreate && <LinkButton href="/owner/create-package">Create your first package</LinkButton>}
    />
  );
}
