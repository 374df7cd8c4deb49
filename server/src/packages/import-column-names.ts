import { importColumns, type ImportColumn, type ImportTarget } from '@waybill/contract';

/** Names of columns count in any case and script, with or without blanks, dashes, brackets and accents. */
export const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const own = new Map<string, ImportColumn>(
  Object.entries(importColumns).flatMap(([name, path]): [string, ImportColumn][] => [
    [plain(name), name as ImportColumn],
    [plain(path.join('')), name as ImportColumn],
  ]),
);

/** The column of our own that has this name; a field may also be called by its path. */
export const ownName = (name: string): ImportColumn | null => own.get(plain(name)) ?? null;

interface Shop {
  format: 'shopify' | 'woocommerce';
  /** Its header has one name of each of these. */
  marks: string[][];
  /** What to read from where, as alternatives: the first whose first column is there. */
  columns: [ImportTarget, string[][]][];
  /** The same for an order that has none of the recipient and address of `columns`: all of these stand for them. */
  otherwise: [ImportTarget, string[][]][];
}

type Columns = Partial<Record<ImportTarget, string[][]>>;

const shop = (format: Shop['format'], marks: string[][], columns: Columns, otherwise: Columns = {}): Shop => ({
  format,
  marks: marks.map((names) => names.map(plain)),
  columns: plainly(columns),
  otherwise: plainly(otherwise),
});

const plainly = (columns: Columns) =>
  Object.entries(columns).map(([target, alternatives]): [ImportTarget, string[][]] => [
    target as ImportTarget,
    alternatives.map((names) => names.map(plain)),
  ]);

/** The columns that the shops' own pages document. A phone number goes before an e-mail address: the driver calls. */
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
  // The extension "Advanced Order Export" and the shop's own "Order Export", which names columns as the database does.
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
    // Where somebody has it sent to the address of the bill, some leave the columns of the shipping empty. Not so Shopify: what has no
    // address for shipping there is not shipped.
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

const sounds: [ImportTarget, string][] = [
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
const heard = new Map(
  sounds.flatMap(([target, names]) => names.split(', ').map((name): [string, ImportTarget] => [plain(name), target])),
);

/** What a column of a file that we do not know may stand for. 'name' is the recipient's: a list of orders is one of people. */
export const guessTarget = (name: string): ImportTarget | null => heard.get(plain(name)) ?? ownName(name);
