import { Box, Copy, MoreHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { BulkActDialog } from '../src/ui/BulkActDialog.tsx';
import { Button } from '../src/ui/Button.tsx';
import { ConfirmDialog } from '../src/ui/ConfirmDialog.tsx';
import { Dialog } from '../src/ui/Dialog.tsx';
import { DialogClose } from '../src/ui/DialogClose.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { Menu } from '../src/ui/Menu.tsx';
import { MenuItem } from '../src/ui/MenuItem.tsx';
import { Palette } from '../src/ui/Palette.tsx';
import { SidePanel } from '../src/ui/SidePanel.tsx';
import { Section, Specimen, State } from './Specimen.tsx';

export function OverlaySection() {
  return (
    <Section title="Overlays">
      <Specimen name="Menu, MenuItem">
        <State name="with a heading, a link, a disabled and a dangerous item">
          <Menu
            heading="Espresso machine"
            trigger={<IconButton label="More" icon={<MoreHorizontal aria-hidden="true" />} />}
          >
            <MenuItem icon={<Copy aria-hidden="true" />}>Copy link</MenuItem>
            <MenuItem href="#overlays">Open</MenuItem>
            <MenuItem disabled>Rate Delivery</MenuItem>
            <MenuItem danger icon={<Trash2 aria-hidden="true" />}>
              Delete
            </MenuItem>
          </Menu>
        </State>
      </Specimen>
      <Specimen name="Dialog, DialogClose">
        {(['sm', 'md', 'lg', 'xl'] as const).map((size) => (
          <State key={size} name={size}>
            <Opener label={`Open ${size}`}>
              {(close) => (
                <Dialog
                  open
                  onOpenChange={close}
                  size={size}
                  title="Report a location"
                  description="Where the package is now"
                  footer={
                    <>
                      <DialogClose />
                      <Button onClick={close}>Save</Button>
                    </>
                  }
                >
                  <p>What the dialog is about.</p>
                </Dialog>
              )}
            </Opener>
          </State>
        ))}
        <State name="a sheet at the bottom">
          <Opener label="Open sheet">
            {(close) => (
              <Dialog open onOpenChange={close} placement="bottom" title="Hand over">
                <p>What the sheet is about.</p>
              </Dialog>
            )}
          </Opener>
        </State>
        <State name="unsaved">
          <Opener label="Open unsaved">
            {(close) => (
              <Dialog open onOpenChange={close} unsaved title="Edit">
                <p>Closing it asks first.</p>
              </Dialog>
            )}
          </Opener>
        </State>
      </Specimen>
      <Specimen name="ConfirmDialog">
        {(['plain', 'danger', 'loading', 'error'] as const).map((state) => (
          <State key={state} name={state}>
            <Opener label={`Open ${state}`}>
              {(close) => (
                <ConfirmDialog
                  open
                  onOpenChange={close}
                  title="Cancel Package?"
                  description="Its driver is told."
                  confirmLabel="Cancel Package"
                  danger={state === 'danger'}
                  loading={state === 'loading'}
                  loadingText="Cancelling..."
                  onConfirm={close}
                  {...(state === 'error' && { error: 'It is already on the road.' })}
                />
              )}
            </Opener>
          </State>
        ))}
      </Specimen>
      <Specimen name="BulkActDialog">
        <State name="one of three is refused">
          <Opener label="Suspend three">
            {(close) => (
              <BulkActDialog
                open
                title="Suspend 3 accounts?"
                button="Suspend"
                running="Suspending..."
                danger
                items={['Ann', 'Bea', 'Cem']}
                idOf={(name) => name}
                renderItem={(name) => name}
                done={(count) => `${count} accounts suspended`}
                act={(name) => (name === 'Bea' ? Promise.reject(new Error('It is your own.')) : Promise.resolve())}
                onClose={close}
                onDone={() => undefined}
                onSettled={() => undefined}
              >
                <p>They can no longer sign in.</p>
              </BulkActDialog>
            )}
          </Opener>
        </State>
      </Specimen>
      <Specimen name="Palette">
        <State name="with results and a failure">
          <Opener label="Open palette">{(close) => <SamplePalette onClose={close} />}</Opener>
        </State>
      </Specimen>
      <Specimen name="SidePanel">
        <State name="beside a list, a sheet below 1024 px" wide>
          <Opener label="Open panel">
            {(close) => (
              <SidePanel
                label="Espresso machine"
                head={<span className="font-medium">Espresso machine</span>}
                tools={<IconButton size="sm" label="Copy" icon={<Copy aria-hidden="true" />} />}
                footer={<Button onClick={close}>Done</Button>}
                onClose={close}
              >
                <p className="p-5">What is open in the list.</p>
              </SidePanel>
            )}
          </Opener>
        </State>
      </Specimen>
    </Section>
  );
}

/** A button that opens what the function renders. */
function Opener({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && children(() => setOpen(false))}
    </>
  );
}

function SamplePalette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const items = [
    { id: 'lamp', group: 'Packages', label: 'Lamp', icon: Box, detail: 'PKG-7RTTSKYM', isCode: true },
    ...['Board', 'Dispatch', 'Inventory'].map((label) => ({
      id: label,
      group: 'Pages',
      label,
      icon: Box,
      keys: 'g d',
    })),
  ].filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  return (
    <Dialog open onOpenChange={onClose} title="Search">
      <Palette
        label="Search"
        placeholder="Where to?"
        items={items}
        typed={typed}
        onType={setTyped}
        onFocus={() => undefined}
        searching={false}
        failures={['The packages could not be searched.']}
        onChoose={onClose}
        onClose={onClose}
      />
    </Dialog>
  );
}
