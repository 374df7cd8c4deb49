import type { Page } from 'playwright-core';
import { startProduct } from '../product.ts';
import { packageInput } from '../fixtures.ts';
import {
  respondBadGateway,
  refuseConnections,
  inDialog,
  press,
  respondEmptyError,
  type ScreenContext,
  type State,
} from './state.ts';

const imageFile = (name: string, buffer: Buffer, mimeType = 'image/png') => ({ name, mimeType, buffer });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const incoming = /\/media\/incoming\//;

/** What was typed before survives a reload: it is removed from a page that does not save it. */
async function openEmptyForm(page: Page): Promise<void> {
  await page.goto('/licenses');
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('/owner/create-package');
}

async function fillPackage(page: Page, ...images: ReturnType<typeof imageFile>[]): Promise<void> {
  await openEmptyForm(page);
  await page.getByLabel('Package Name').fill('Copper kettle');
  await page.getByLabel('Category').selectOption('Furniture');
  await page.getByLabel('Description').fill('A kettle of beaten copper');
  await page.getByLabel('Recipient Name').fill('Mara Lindqvist');
  await page.getByLabel('Contact Number').fill('+49 151 2345678');
  if (images.length > 0) await page.getByLabel('Add images').setInputFiles(images);
}

const create = (page: Page) => press(page, 'Create Package');

async function openPackage(
  { page, fixtures }: ScreenContext,
  which: 'waiting' | 'onTheRoad' | 'withNewDriver' | 'delivered',
) {
  await page.goto(`/owner/package/${fixtures[which].id}`);
}

export const ownerStates: State[] = [
  {
    name: 'dashboard',
    texts: ['Package Owner Dashboard', 'Add Package', 'PKG-', 'Out for Delivery', 'Processing', 'Logout'],
    async open({ page, fixtures }) {
      await page.goto('/owner/dashboard');
      await press(page, fixtures.owner.name);
    },
  },
  {
    name: 'dashboard, filtered',
    texts: ['Clear Filter'],
    async open({ page }) {
      await page.goto('/owner/dashboard');
      await press(page, /^Delivered/);
    },
  },
  {
    name: 'dashboard without hits',
    texts: ['No packages found matching your criteria.'],
    open: async ({ page }) => void (await page.goto('/owner/dashboard?q=zeppelin')),
  },
  {
    name: 'dashboard without connection',
    texts: ['Error loading packages: {error}', { ends: 'Failed to fetch packages.' }],
    async open({ page }) {
      await refuseConnections(page, /packages\/user\/[\w-]+\?/);
      await page.goto('/owner/dashboard');
    },
  },
  {
    name: 'deleting a package without connection',
    texts: ['Are you sure you want to delete this package?', 'Failed to update package.'],
    async open({ page, fixtures }) {
      await refuseConnections(page, /packages\/[\w-]+$/);
      await page.goto('/owner/dashboard');
      await press(page, `More actions for ${fixtures.waiting.name}`);
      await page.getByRole('menuitem', { name: 'Delete package...' }).click();
      await inDialog(page).getByRole('button', { name: 'Delete' }).click();
    },
  },
  {
    name: 'a page for drivers',
    texts: ['Access Denied', 'You need one of these roles: ...'],
    open: async ({ page }) => void (await page.goto('/driver/dashboard')),
  },
  {
    name: 'a page for those who manage users',
    texts: ['You need one of these permissions: ...'],
    open: async ({ page }) => void (await page.goto('/admin/users')),
  },
  {
    name: 'a page for those who see figures',
    texts: ['You need all of these permissions: ...'],
    open: async ({ page }) => void (await page.goto('/admin/reports')),
  },
  {
    name: 'a package that waits',
    texts: ['No images for this package', 'Back to Dashboard', 'Carrier Info', 'Report Issue', 'In Transit'],
    open: (context) => openPackage(context, 'waiting'),
  },
  {
    name: 'a package about which little is known',
    texts: ['Not specified', 'Track Package'],
    async open({ page, fixtures }) {
      const { location: _, eta: __, ...body } = packageInput;
      const { id } = await fixtures.owner.api.packages.create({ body });
      await page.goto(`/owner/package/${id}`);
    },
  },
  {
    name: 'a delivered package',
    texts: ['View Delivery Receipt', 'Rate Delivery Experience'],
    open: (context) => openPackage(context, 'delivered'),
  },
  {
    name: 'a package of nobody',
    texts: ['No package found', 'Go Back'],
    open: async ({ page }) => void (await page.goto('/owner/package/nothing')),
  },
  {
    name: 'a package without connection',
    texts: ['Error: {message}', { ends: 'Failed to fetch package details.' }],
    async open(context) {
      await refuseConnections(context.page, /api\/packages\/[\w-]+$/);
      await openPackage(context, 'waiting');
    },
  },
  {
    name: 'issues, without connection',
    texts: ['Failed to fetch owner deliveries.'],
    async open({ page }) {
      await refuseConnections(page, /deliveries\/owner\?/);
      await page.goto('/owner/incidents');
    },
  },
  {
    name: 'a carrier',
    texts: ['Call Driver', 'MMM yyyy', 'MMM d, yyyy HH:mm'],
    async open(context) {
      await openPackage(context, 'onTheRoad');
      await press(context.page, 'Carrier Info');
    },
  },
  {
    name: 'no carrier',
    texts: ['No Carrier Information Available', "This package doesn't have an assigned carrier yet."],
    async open(context) {
      await openPackage(context, 'waiting');
      await press(context.page, 'Carrier Info');
    },
  },
  {
    name: 'a carrier without an answer',
    texts: ['Unable to Load Carrier Information', 'Failed to load carrier information', 'Try Again'],
    async open(context) {
      await respondEmptyError(context.page, /\/driver$/);
      await openPackage(context, 'onTheRoad');
      await press(context.page, 'Carrier Info');
    },
  },
  {
    name: 'a carrier without a phone',
    texts: ['Phone Number Not Available', "This driver's phone number is not available for contact."],
    async open(context) {
      await openPackage(context, 'withNewDriver');
      await press(context.page, 'Carrier Info');
      await press(context.page, 'Call Driver');
    },
  },
];

/** The package form, with an account of its own: drafts are per account, and these states take as long as all others together. */
export const senderStates: State[] = [
  {
    name: 'create package',
    texts: [
      'Create New Package',
      'Fill in the details below to register a new package for shipping',
      'This ID will be used to track your package',
      'n/3 images',
      'Create Package',
    ],
    open: async ({ page }) => void (await page.goto('/owner/create-package')),
  },
  {
    name: 'create package with faults',
    texts: [
      'Name must be at least 3 characters',
      'Description must be at least 10 characters',
      'Please select a category',
      'Weight must be at least 0.1kg',
      'Width must be positive',
      'Height must be positive',
      'Length must be positive',
      'Recipient name must be at least 3 characters',
      'Contact must be at least 10 characters',
    ],
    async open({ page }) {
      await openEmptyForm(page);
      for (const side of ['Width', 'Height', 'Length']) await page.getByLabel(side, { exact: true }).fill('-1');
      await page.getByLabel('Kilograms').fill('0');
      await create(page);
    },
  },
  {
    name: 'an image that is none',
    texts: ['Invalid file type', '{file} is not a valid image format. Only JPEG, PNG, GIF, and WebP are allowed.'],
    open: ({ page }) => fillPackage(page, imageFile('plan.pdf', png, 'application/pdf')),
  },
  {
    name: 'an image that is too large',
    texts: ['File too large', '{file} exceeds the 10MB size limit.'],
    open: ({ page }) => fillPackage(page, imageFile('large.png', Buffer.alloc(10 * 1024 * 1024 + 1))),
  },
  {
    name: 'a fourth image',
    texts: ['Too many images', 'Maximum 3 images allowed'],
    open: ({ page }) => fillPackage(page, ...['a.png', 'b.png', 'c.png', 'd.png'].map((name) => imageFile(name, png))),
  },
  {
    name: 'an empty image',
    texts: [{ ends: 'No file provided' }],
    async open({ page }) {
      await fillPackage(page, imageFile('empty.png', Buffer.alloc(0)));
      await create(page);
    },
  },
  {
    name: 'an image that only says that it is one',
    texts: ['Invalid file type. Only JPEG, PNG, GIF, and WebP are allowed'],
    async open({ page }) {
      await fillPackage(page, imageFile('letter.png', Buffer.from('Dear Sir or Madam')));
      await create(page);
    },
  },
  {
    name: 'uploading',
    texts: ['Uploading images...', 'Uploading {n} image(s) to S3', 'Creating...'],
    async open({ page }) {
      // A slow network: the upload stays in flight until the test is done.
      await page.route(incoming, () => {});
      await fillPackage(page, imageFile('front.png', png));
      await create(page);
    },
  },
  {
    name: 'an upload that fails',
    texts: ['Failed to upload image to S3: {reason}'],
    async open({ page }) {
      await respondBadGateway(page, incoming, 503);
      await fillPackage(page, imageFile('front.png', png));
      await create(page);
    },
  },
  {
    name: 'an upload of two that fails',
    texts: ['Failed to upload {file}: {reason}'],
    async open({ page }) {
      await respondBadGateway(page, incoming, 503);
      await fillPackage(page, imageFile('front.png', png), imageFile('back.png', png));
      await create(page);
    },
  },
  {
    name: 'an upload without connection',
    texts: ['Failed to upload images to S3: {reason}', { ends: 'Failed to upload image.' }],
    async open({ page }) {
      await refuseConnections(page, /api\/uploads$/);
      await fillPackage(page, imageFile('front.png', png));
      await create(page);
    },
  },
  {
    name: 'an upload to a store that is only half configured',
    texts: ['Configuration Error', 'AWS S3 is not properly configured. Please check your environment variables.'],
    async open({ page }) {
      const other = await startProduct({ S3_BUCKET: 'packages' });
      const body = { name: 'Olga Owner', email: 'olga@example.com', password: 'pond-heron-7', role: 'owner' } as const;
      const { token } = await other.api().auth.register({ body });
      await page.route(/api\/uploads$/, async (route) => {
        const headers = { ...route.request().headers(), authorization: `Bearer ${token}` };
        await route.fulfill({ response: await route.fetch({ url: `${other.url}/api/uploads`, headers }) });
      });
      await fillPackage(page, imageFile('front.png', png));
      await create(page);
      return other.stop;
    },
  },
  {
    name: 'creating a package without connection',
    texts: ['Failed to create package.'],
    async open({ page }) {
      await refuseConnections(page, /api\/packages$/);
      await fillPackage(page);
      await create(page);
    },
  },
  {
    name: 'creating a package without an answer',
    texts: ['Failed to create package. Please try again.'],
    async open({ page }) {
      await respondEmptyError(page, /api\/packages$/);
      await fillPackage(page);
      await create(page);
    },
  },
  {
    name: 'a created package',
    texts: ['Package created!', 'Successfully created package: {name}'],
    async open({ page }) {
      await fillPackage(page);
      await create(page);
    },
  },
  {
    name: 'creating a package while another tab signs out',
    texts: ['You must be logged in to create a package'],
    async open({ page }) {
      await fillPackage(page);
      await page.getByRole('button', { name: 'Create Package' }).evaluate((button: HTMLButtonElement) => {
        button.click();
        localStorage.removeItem('token');
        dispatchEvent(new StorageEvent('storage', { key: 'token' }));
      });
    },
  },
];
