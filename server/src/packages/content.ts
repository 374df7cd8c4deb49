import {
  reachedBy,
  type Address,
  type CreatePackageInput,
  type Handling,
  type Package,
  type RecipientLanguage,
} from '@waybill/contract';

/** The part of a package that its owner edits. */
export interface Content {
  reference: string | null;
  name: string;
  description: string;
  category: string;
  weight: number;
  dimensions: Package['dimensions'];
  recipientName: string;
  recipientContact: string | null;
  recipientEmail: string | null;
  recipientPhone: string | null;
  recipientLanguage: RecipientLanguage | null;
  location: string | null;
  eta: string | null;
  address: Address | null;
  window: Package['window'];
  handling: Handling;
  instructions: string | null;
  hideRecipient: boolean;
  showSender: boolean;
  allowChanges: boolean;
  /** Storage paths. */
  images: string[];
}

const noHandling = {
  fragile: false,
  keepUpright: false,
  refrigerated: false,
  signatureRequired: false,
  pin: false,
  age: null,
  safePlace: null,
};

export type ContentInput = Omit<Pick<CreatePackageInput, keyof Content>, 'images'>;

/** Normalizes form input to stored content: omitted fields become null. */
export function asContent(input: ContentInput, images: string[]): Content {
  const { dimensions, address, window, handling } = input;
  const typed = reachedBy(input.recipientContact);
  const hasDimensions =
    dimensions && [dimensions.width, dimensions.height, dimensions.length].some((side) => side != null);
  return {
    reference: input.reference ?? null,
    name: input.name,
    description: input.description,
    category: input.category,
    weight: input.weight,
    dimensions: hasDimensions
      ? { width: dimensions.width ?? null, height: dimensions.height ?? null, length: dimensions.length ?? null }
      : null,
    recipientName: input.recipientName,
    recipientContact: input.recipientContact,
    recipientEmail: input.recipientEmail ?? typed.email,
    recipientPhone: input.recipientPhone ?? typed.phone,
    recipientLanguage: input.recipientLanguage ?? null,
    location: input.location ?? null,
    eta: input.eta ?? null,
    address: address
      ? {
          street: address.street,
          postalCode: address.postalCode ?? null,
          city: address.city,
          country: address.country ?? null,
        }
      : null,
    window: window ? { from: new Date(window.from).toISOString(), to: new Date(window.to).toISOString() } : null,
    handling: handling ? { ...handling, safePlace: handling.safePlace ?? null } : noHandling,
    instructions: input.instructions ?? null,
    hideRecipient: input.hideRecipient ?? false,
    showSender: input.showSender ?? false,
    allowChanges: input.allowChanges ?? true,
    images,
  };
}
