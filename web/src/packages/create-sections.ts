import { formatDay } from '../platform/formats.ts';
import { handlingLabels } from './handling.ts';
import { handlingOf, type PackageFormInput } from './package-form.ts';

/** The parts of the form of a new package, in order. */
export const sectionNames = ['recipient', 'package', 'delivery', 'pictures'] as const;
export type SectionName = (typeof sectionNames)[number];

/** Fields by section, with their labels, for words about what is missing. */
const fields: Record<SectionName, readonly (readonly [path: string, label: string])[]> = {
  recipient: [
    ['recipientName', 'Recipient Name'],
    ['recipientContact', 'Contact Number'],
    ['recipientEmail', 'Email'],
    ['recipientPhone', 'Mobile phone'],
    ['address.street', 'Street'],
    ['address.postalCode', 'Postal code'],
    ['address.city', 'City'],
    ['address.country', 'Country'],
  ],
  package: [
    ['name', 'Package Name'],
    ['category', 'Category'],
    ['description', 'Description'],
    ['weight', 'Weight'],
    ['dimensions.width', 'Width'],
    ['dimensions.height', 'Height'],
    ['dimensions.length', 'Length'],
    ['handling.safePlaceNote', 'Where it may be left'],
  ],
  delivery: [
    ['reference', 'Reference'],
    ['location', 'Current Location'],
    ['eta', 'Estimated Arrival'],
    ['window.day', 'Day'],
    ['window.from', 'From'],
    ['window.until', 'Until'],
    ['instructions', 'Instructions for the driver'],
  ],
  pictures: [],
};

export interface Missing {
  path: string;
  label: string;
  section: SectionName;
}

/** Fields with a fault, in the order of the form. @param faulty their paths, as the schema names them */
export const missingFields = (faulty: readonly string[]): Missing[] =>
  sectionNames.flatMap((section) =>
    fields[section].flatMap(([path, label]) => (faulty.includes(path) ? [{ path, label, section }] : [])),
  );

const list = (...words: (string | false)[]): string =>
  words.flatMap((word) => (word && word.trim() ? [word.trim()] : [])).join(', ');

/** What is in a section, in one line; '' while there is nothing. */
export function summaryOf(section: Exclude<SectionName, 'pictures'>, values: PackageFormInput): string {
  if (section === 'recipient') {
    const { street, postalCode, city, country } = values.address;
    return list(values.recipientName, street, `${postalCode.trim()} ${city.trim()}`, country);
  }
  if (section === 'package') {
    const handling = handlingLabels(handlingOf(values.handling));
    const kilograms = Number.isFinite(values.weight) && `${values.weight} kg`;
    return list(values.name, values.category, Boolean(values.name) && kilograms, ...handling);
  }
  const { reference, location, eta, window, instructions } = values;
  return list(
    reference && `Reference ${reference}`,
    location && `Current Location ${location}`,
    eta && `Estimated Arrival ${formatDay(eta)}`,
    window.day && `${formatDay(window.day)} ${[window.from, window.until].filter(Boolean).join('–')}`,
    instructions,
    values.hideRecipient && 'recipient hidden',
    values.showSender && 'sender shown',
  );
}
