import { TriangleAlert } from 'lucide-react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';

interface EditConflictBannerProps {
  /** Labels of the changed fields, as in the form. */
  differences: readonly string[];
  onLoad: () => void;
  onKeep: () => void;
}

/** Edit conflict: the package changed while the form was open. Nothing is overwritten until the user chooses a side. */
export function EditConflictBanner({ differences, onLoad, onKeep }: EditConflictBannerProps) {
  return (
    <Banner tone="yellow" icon={<TriangleAlert />} title="This package was changed in the meantime">
      <p role="status" className="wrap-anywhere">
        Changed: {differences.join(', ')}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onLoad}>
          Load new values
        </Button>
        <Button variant="secondary" size="sm" onClick={onKeep}>
          Keep my changes
        </Button>
      </div>
    </Banner>
  );
}
