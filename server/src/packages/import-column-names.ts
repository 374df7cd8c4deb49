import { importColumns, type ImportColumn, type ImportTarget } from '@waybill/contract';

/** Normalizes a column name for comparison: case, accents, spaces and punctuation do not count. Works for every script. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const ownColumns = new Map<string, ImportColumn>(
  Object.entries(importColumns).flatMap(([name, path]): [string, ImportColumn][] => [
    [normalizeName(name), name as ImportColumn],
    [normalizeName(path.join('')), name as ImportColumn],
  ]),
);

/** Returns our own column for a header name, which may be the column's name or the field's path in the API. */
export const findOwnColumn = (name: string): ImportColumn | null => ownColumns.get(normalizeName(name)) ?? null;

interface Shop {
  format: 'shopify' | 'woocommerce';
  /** Identifies the shop: its header has at least one name of each group. */
  markers: string[][];
  /** The source columns of each target, as alternatives: the first one whose first column is in the header is used. */
  columns: [ImportTarget, string[][]][];
  /** Used instead, as a whole, for an order in which all of these targets are empty in `columns`. */
  fallback: [ImportTarget, string[][]][];
}

type Columns = Partial<Record<ImportTarget, string[][]>>;

const shop = (format: Shop['format'], markers: string[][], columns: Columns, fallback: Columns = {}): Shop => ({
  format,
  markers: markers.map((names) => names.map(normalizeName)),
  columns: normalizeColumns(columns),
  fallback: normalizeColumns(fallback),
});

const normalizeColumns = (columns: Columns) =>
  Object.entries(columns).map(([target, alternatives]): [ImportTarget, string[][]] => [
    target as ImportTarget,
    alternatives.map((names) => names.map(normalizeName)),
  ]);

/** Columns as documented by the shops themselves. Phone numbers take precedence over email addresses because drivers call. */
export const shops: readonly Shop[] = [
  shop('shopify', [['Name'], ['Lineitem name'], ['Shipping Name', 'Shipping Street', 'Shipping Address1']], {
    reference: [['Name']],
    recipientName: [['Shipping Name']],
    recipientContact: [['Shipping Phone', 'Phone', 'Email'], ['Phone', 'Email'], ['Email']],
    street: [['Shipping Street'], ['Shipping Address1', 'Shipping Address2']],
    postalCode: [['Shipping Zip']],
    city: [['Shipping City']],
    country: [['Shipping Country']],
    instructions: [['Notes']],
    itemName: [['Lineitem name']],
    itemQuantity: [['Lineitem quantity']],
  }),
  // Covers the extension "Advanced Order Export" and WooCommerce's own "Order Export", which uses the database's column names.
  shop(
    'woocommerce',
    [
      ['Order Number', 'order_number', 'Order ID', 'order_id'],
      ['First Name (Shipping)', 'shipping_first_name', 'Full Name (Shipping)'],
    ],
    {
      reference: [['Order Number'], ['order_number'], ['Order ID'], ['order_id']],
      recipientName: [
        ['First Name (Shipping)', 'Last Name (Shipping)'],
        ['shipping_first_name', 'shipping_last_name'],
        ['Full Name (Shipping)'],
      ],
      recipientContact: [
        ['Phone (Shipping)', 'Phone (Billing)', 'Email (Billing)'],
        ['Phone (Billing)', 'Email (Billing)'],
        ['shipping_phone', 'billing_phone', 'billing_email'],
        ['billing_phone', 'billing_email'],
        ['Email (Billing)'],
        ['billing_email'],
      ],
      street: [
        ['Address 1&2 (Shipping)'],
        ['Address 1 (Shipping)', 'Address 2 (Shipping)'],
        ['shipping_address_1', 'shipping_address_2'],
      ],
      postalCode: [['Postcode (Shipping)'], ['shipping_postcode']],
      city: [['City (Shipping)'], ['shipping_city']],
      country: [['Country Name (Shipping)'], ['Country Code (Shipping)'], ['shipping_country']],
      instructions: [['Customer Note'], ['customer_note']],
      itemName: [['Item Name'], ['Product Name'], ['item_name'], ['line_items']],
      itemQuantity: [['Quantity'], ['Quantity (- Refund)'], ['item_quantity'], ['Qty']],
    },
    // Some exports leave the shipping columns empty when the order ships to the billing address. Shopify needs no fallback: there, an
    // order without a shipping address is not shipped.
    {
      recipientName: [
        ['First Name (Billing)', 'Last Name (Billing)'],
        ['billing_first_name', 'billing_last_name'],
        ['Full Name (Billing)'],
      ],
      street: [
        ['Address 1&2 (Billing)'],
        ['Address 1 (Billing)', 'Address 2 (Billing)'],
        ['billing_address_1', 'billing_address_2'],
      ],
      postalCode: [['Postcode (Billing)'], ['billing_postcode']],
      city: [['City (Billing)'], ['billing_city']],
      country: [['Country Name (Billing)'], ['Country Code (Billing)'], ['billing_country']],
    },
  ),
];

const synonyms: [ImportTarget, string][] = [
  [
    'reference',
    'order, order number, order no, order id, order name, ref, invoice, invoice number, bestellnummer, bestellung',
  ],
  [
    'reference',
    'auftragsnummer, auftrag, rechnungsnummer, referenz, commande, numero de commande, pedido, numero de pedido',
  ],
  [
    'recipientName',
    'name, recipient, customer, customer name, full name, first name, last name, contact name, ship to name',
  ],
  [
    'recipientName',
    'shipping name, empfänger, kunde, vorname, nachname, nom, prénom, destinataire, nombre, apellidos, destinatario',
  ],
  [
    'recipientContact',
    'contact, phone, phone number, telephone, mobile, tel, email, email address, mail, shipping phone',
  ],
  [
    'recipientContact',
    'telefon, telefonnummer, handy, mobil, téléphone, courriel, teléfono, móvil, correo, correo electrónico',
  ],
  [
    'street',
    'address, address 1, address 2, address line 1, address line 2, street address, shipping street, ship to address',
  ],
  ['street', 'strasse, straße, hausnummer, adresse, rue, dirección, calle'],
  ['postalCode', 'zip, zip code, postcode, post code, shipping zip, plz, postleitzahl, code postal, código postal, cp'],
  ['city', 'town, shipping city, ort, stadt, wohnort, ville, ciudad, población'],
  ['country', 'country code, shipping country, land, pays, país'],
  ['weight', 'weight kg, gewicht, gewicht kg, poids, peso'],
  ['description', 'content, contents, beschreibung, inhalt, contenu, contenido, descripción'],
  ['category', 'kategorie, catégorie, categoría'],
  [
    'itemName',
    'item, item name, product, product name, lineitem name, artikel, artikelname, produkt, produit, article, producto',
  ],
  ['itemQuantity', 'quantity, qty, lineitem quantity, menge, anzahl, stück, quantité, cantidad'],
  ['eta', 'delivery date, lieferdatum, liefertermin, date de livraison, fecha de entrega'],
];
const targetOfSynonym = new Map(
  synonyms.flatMap(([target, names]) =>
    names.split(', ').map((name): [string, ImportTarget] => [normalizeName(name), target]),
  ),
);

/** Guesses the target of a column in an unknown format. 'name' means the recipient: rows of an order list are customers. */
export const guessTarget = (name: string): ImportTarget | null =>
  targetOfSynonym.get(normalizeName(name)) ?? findOwnColumn(name);
