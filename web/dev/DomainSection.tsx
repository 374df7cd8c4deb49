import { incidentStatuses, packageStatuses } from '@waybill/contract';
import { DeliveryBadge } from '../src/deliveries/DeliveryBadge.tsx';
import { HoldButton } from '../src/deliveries/HoldButton.tsx';
import { StopDots } from '../src/deliveries/StopDots.tsx';
import { IncidentBadge } from '../src/incidents/IncidentBadge.tsx';
import { LabelPreview } from '../src/labels/LabelPreview.tsx';
import { StatusBadge } from '../src/packages/StatusBadge.tsx';
import { Sparkline } from '../src/stats/Sparkline.tsx';
import { toast } from '../src/platform/toasts.ts';
import { Scene } from '../src/tracking/scene/Scene.tsx';
import type { SceneState } from '../src/tracking/scene/scene-state.ts';
import { TrackProgress } from '../src/tracking/TrackProgress.tsx';
import { Initials } from '../src/users/Initials.tsx';
import { Section, Specimen, State } from './Specimen.tsx';

const scenes: Record<string, SceneState> = {
  waiting: { tint: 'yellow', shot: 'depot', dock: 'open', van: false, place: 'Riverton', initial: 'J' },
  'in transit': { tint: 'blue', shot: 'road', stopsAway: null, initial: 'J' },
  'three stops away': { tint: 'blue', shot: 'road', stopsAway: 3, initial: 'J' },
  'next stop': { tint: 'blue', shot: 'road', stopsAway: 0, initial: 'J' },
  delivered: { tint: 'green', shot: 'door', delivered: true, initial: 'J' },
  'nobody at home': { tint: 'grey', shot: 'door', delivered: false, initial: null },
  cancelled: { tint: 'grey', shot: 'depot', dock: 'asleep', van: false, place: null, initial: null },
};

export function DomainSection() {
  return (
    <Section title="Waybill">
      <Specimen name="StatusBadge, DeliveryBadge, IncidentBadge">
        {[...packageStatuses, 'lost'].map((status) => (
          <State key={status} name={status}>
            <StatusBadge status={status} />
          </State>
        ))}
        {(['pending', 'in transit', 'delivered', 'cancelled', 'inactive'] as const).map((status) => (
          <State key={status} name={`delivery: ${status}`}>
            <DeliveryBadge delivery={{ status, next: false }} />
          </State>
        ))}
        <State name="delivery: next">
          <DeliveryBadge delivery={{ status: 'in transit', next: true }} />
        </State>
        {incidentStatuses.map((status) => (
          <State key={status} name={status}>
            <IncidentBadge status={status} />
          </State>
        ))}
      </Specimen>
      <Specimen name="Scene">
        {Object.entries(scenes).map(([name, scene]) => (
          <State key={name} name={name} wide>
            <div className={`track-${scene.tint}`}>
              <div className="track-band">
                <Scene state={scene} />
              </div>
            </div>
          </State>
        ))}
      </Specimen>
      <Specimen name="TrackProgress">
        {packageStatuses.map((status) => (
          <State key={status} name={status} wide>
            <TrackProgress status={status} />
          </State>
        ))}
      </Specimen>
      <Specimen name="HoldButton, StopDots">
        <State name="ready" wide>
          <HoldButton
            loading={false}
            loadingText="Handing over..."
            icon={null}
            onHeld={() => toast({ title: 'Handed over' })}
          >
            Hand over
          </HoldButton>
        </State>
        <State name="loading" wide>
          <HoldButton loading loadingText="Handing over..." icon={null} onHeld={() => undefined}>
            Hand over
          </HoldButton>
        </State>
        <State name="StopDots" wide>
          <StopDots done={4} open={9} />
        </State>
      </Specimen>
      <Specimen name="Initials, Sparkline">
        <State name="md">
          <Initials name="Jane Doe" />
        </State>
        <State name="sm">
          <Initials name="Lucía Größe" size="sm" />
        </State>
        <State name="Sparkline">
          <Sparkline counts={[3, 5, 2, 8, 6, 9, 12]} />
        </State>
        <State name="alert">
          <Sparkline counts={[0, 1, 0, 4, 2, 6, 9]} isAlert />
        </State>
      </Specimen>
      <Specimen name="LabelPreview">
        <State name="filled" wide>
          <div style={{ maxWidth: '20rem' }}>
            <LabelPreview label={label} link="https://waybill.example/track/PKG-7H3K9QXM" zone="Europe/Berlin" />
          </div>
        </State>
        <State name="nothing typed yet" wide>
          <div style={{ maxWidth: '20rem' }}>
            <LabelPreview
              label={{ ...label, name: '', recipientName: '', address: null, weight: null, reference: null }}
              link="https://waybill.example/track/PKG-7H3K9QXM"
              zone="Europe/Berlin"
            />
          </div>
        </State>
      </Specimen>
    </Section>
  );
}

const label = {
  organisation: 'Waybill',
  trackingId: 'PKG-7H3K9QXM',
  reference: 'A-1042',
  name: 'Espresso machine',
  weight: 6.2,
  sender: 'Corner Roastery',
  recipientName: 'Jane Doe',
  address: { street: '12 Mill Lane', postalCode: '10115', city: 'Riverton', country: 'DE' },
  window: null,
  eta: null,
  handling: {
    fragile: true,
    keepUpright: true,
    refrigerated: false,
    signatureRequired: true,
    pin: false,
    age: null,
    safePlace: null,
  },
} as const;
