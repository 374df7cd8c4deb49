import { Check, Mail, Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../src/ui/Button.tsx';
import { Checkbox } from '../src/ui/Checkbox.tsx';
import { CopyButton } from '../src/ui/CopyButton.tsx';
import { Field } from '../src/ui/Field.tsx';
import { IconButton } from '../src/ui/IconButton.tsx';
import { ImageButton } from '../src/ui/ImageButton.tsx';
import { ImagePreview } from '../src/ui/ImagePreview.tsx';
import { Input } from '../src/ui/Input.tsx';
import { LinkButton } from '../src/ui/LinkButton.tsx';
import { SearchInput } from '../src/ui/SearchInput.tsx';
import { Select } from '../src/ui/Select.tsx';
import { SignaturePad } from '../src/ui/SignaturePad.tsx';
import { Slider } from '../src/ui/Slider.tsx';
import { StarChoice } from '../src/ui/StarChoice.tsx';
import { Textarea } from '../src/ui/Textarea.tsx';
import { TextLink } from '../src/ui/TextLink.tsx';
import { TickBox } from '../src/ui/TickBox.tsx';
import { Section, Specimen, State } from './Specimen.tsx';

const variants = ['primary', 'secondary', 'ghost', 'danger'] as const;
const sizes = ['sm', 'md', 'lg', 'xl', 'verb'] as const;
const options = [
  { value: 'standard', label: 'Standard' },
  { value: 'express', label: 'Express' },
  { value: 'closed', label: 'Not offered', disabled: true },
] as const;

export function FormSection() {
  return (
    <Section title="Forms">
      <Buttons />
      <Fields />
      <Choices />
    </Section>
  );
}

function Buttons() {
  return (
    <>
      <Specimen name="Button">
        {variants.map((variant) => (
          <State key={variant} name={variant}>
            <Button variant={variant}>Save Changes</Button>
          </State>
        ))}
        {sizes.map((size) => (
          <State key={size} name={size}>
            <Button size={size}>Hand over</Button>
          </State>
        ))}
        <State name="with an icon">
          <Button icon={<Plus aria-hidden="true" className="size-4" />}>New package</Button>
        </State>
        <State name="disabled">
          <Button disabled>Save Changes</Button>
        </State>
        <State name="loading">
          <Button loading loadingText="Saving...">
            Save Changes
          </Button>
        </State>
        <State name="full width" wide>
          <Button fullWidth>Sign In</Button>
        </State>
      </Specimen>
      <Specimen name="LinkButton, TextLink">
        <State name="LinkButton">
          <LinkButton href="#forms" variant="secondary">
            View Reports
          </LinkButton>
        </State>
        <State name="TextLink">
          <TextLink href="#forms">Track a package</TextLink>
        </State>
        <State name="roomy">
          <TextLink href="#forms" roomy>
            Forgot password?
          </TextLink>
        </State>
      </Specimen>
      <Specimen name="IconButton, CopyButton">
        <State name="md">
          <IconButton label="Delete" icon={<Trash2 aria-hidden="true" />} />
        </State>
        <State name="sm">
          <IconButton size="sm" label="Delete" icon={<Trash2 aria-hidden="true" />} />
        </State>
        <State name="pressed">
          <IconButton label="Compact rows" aria-pressed icon={<Check aria-hidden="true" />} />
        </State>
        <State name="disabled">
          <IconButton label="Delete" disabled icon={<Trash2 aria-hidden="true" />} />
        </State>
        <State name="CopyButton">
          <CopyButton text="PKG-7H3K9QXM" />
        </State>
      </Specimen>
    </>
  );
}

function Fields() {
  const [typed, setTyped] = useState('lamp');
  const [weight, setWeight] = useState(2.5);
  return (
    <>
      <Specimen name="Field, Input">
        <State name="empty">
          <Field label="Recipient Name" hint="Who opens the door">
            <Input placeholder="Jane Doe" />
          </Field>
        </State>
        <State name="filled, required">
          <Field label="Email" required aside="18/100">
            <Input defaultValue="jane@example.com" icon={<Mail aria-hidden="true" />} />
          </Field>
        </State>
        <State name="optional, with a unit">
          <Field label="Weight" optional>
            <Input defaultValue="2.5" end="kg" inputMode="decimal" />
          </Field>
        </State>
        <State name="with a word at the end">
          <Field label="Emissions">
            <Input defaultValue="120" end="g/km" endIsWord inputMode="numeric" />
          </Field>
        </State>
        <State name="invalid">
          <Field label="Tracking ID" error="Enter an ID such as PKG-7H3K9QXM">
            <Input code size="lg" defaultValue="PKG-7H3" />
          </Field>
        </State>
        <State name="disabled">
          <Field label="Set by the environment" disabled>
            <Input defaultValue="Europe/Berlin" />
          </Field>
        </State>
      </Specimen>
      <Specimen name="Textarea">
        <State name="empty">
          <Field label="Instructions" optional>
            <Textarea placeholder="Ring twice" />
          </Field>
        </State>
        <State name="invalid">
          <Field label="Note" error="A note is needed">
            <Textarea rows={2} />
          </Field>
        </State>
      </Specimen>
      <Specimen name="Select">
        <State name="placeholder">
          <Field label="Service">
            <Select options={options} placeholder="Select a service" />
          </Field>
        </State>
        <State name="sm">
          <Select aria-label="Service" size="sm" options={options} defaultValue="express" />
        </State>
        <State name="invalid">
          <Field label="Service" error="Choose a service">
            <Select options={options} placeholder="Select a service" />
          </Field>
        </State>
        <State name="disabled">
          <Select aria-label="Service, disabled" options={options} disabled />
        </State>
      </Specimen>
      <Specimen name="SearchInput, Slider">
        <State name="SearchInput">
          <SearchInput label="Search packages" value={typed} onSearch={setTyped} />
        </State>
        <State name="empty">
          <Input aria-label="Search" icon={<Search aria-hidden="true" />} placeholder="Search" />
        </State>
        <State name="Slider">
          <Field label="Weight" aside={`${weight} kg`}>
            <Slider
              min={0.1}
              max={50}
              step={0.1}
              value={weight}
              onValueChange={setWeight}
              formatValue={(kg) => `${kg} kg`}
            />
          </Field>
        </State>
      </Specimen>
    </>
  );
}

/** A grey picture, which needs no request. */
const picture = new File(
  [
    '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><rect width="96" height="96" fill="#98a2b3"/></svg>',
  ],
  'parcel.svg',
  { type: 'image/svg+xml' },
);

function Choices() {
  const [signature, setSignature] = useState<File | null>(null);
  const [stars, setStars] = useState(3);
  const [ticked, setTicked] = useState(true);
  return (
    <>
      <Specimen name="Checkbox, TickBox">
        <State name="off">
          <Checkbox label="Leave at the door" hint="When nobody opens" />
        </State>
        <State name="on">
          <Checkbox label="Signature" defaultChecked />
        </State>
        <State name="disabled">
          <Checkbox label="Refrigerated" disabled />
        </State>
        <State name="TickBox">
          <TickBox label="Select row" checked={ticked} onToggle={() => setTicked(!ticked)} />
        </State>
        <State name="mixed">
          <TickBox label="Select all rows" checked="mixed" onToggle={() => undefined} />
        </State>
        <State name="TickBox, disabled">
          <TickBox label="Select no row" checked={false} disabled onToggle={() => undefined} />
        </State>
      </Specimen>
      <Specimen name="StarChoice">
        <State name="3 of 5">
          <StarChoice label="Rating" value={stars} onChange={setStars} />
        </State>
        <State name="invalid">
          <StarChoice label="Rating, missing" value={0} onChange={() => undefined} error="Choose 1 to 5 stars" />
        </State>
      </Specimen>
      <Specimen name="ImageButton, ImagePreview">
        <State name="ImageButton">
          <ImageButton onChoose={() => undefined}>Choose a photo</ImageButton>
        </State>
        <State name="ImagePreview">
          <ul>
            <ImagePreview file={picture} place={1} onRemove={() => undefined} />
          </ul>
        </State>
      </Specimen>
      <Specimen name="SignaturePad">
        <State name="required" wide>
          <SignaturePad label="Signature" required value={signature} onChange={setSignature} />
        </State>
      </Specimen>
    </>
  );
}
