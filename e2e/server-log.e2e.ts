import { expect, test } from 'vitest';
import { startProduct } from './product.ts';

test('the log names no email address, phone, token, address or signature, whatever goes wrong', async () => {
  const product = await startProduct({ LOG_LEVEL: 'trace' });
  const email = 'private.person@example.com';
  const secret = 'a very secret password';
  const { token } = await product
    .api()
    .auth.register({ body: { name: 'Private Person', email, password: secret, role: 'owner' } });
  const api = product.api(token);
  const body = {
    name: 'Desk lamp',
    description: 'A lamp for the desk',
    category: 'Other' as const,
    weight: 1,
    recipientName: 'Anna Confidential',
    recipientContact: '+49 151 99887766',
    address: { street: 'Hidden lane 7', city: 'Secrettown' },
  };
  const pkg = await api.packages.create({ body });
  await expect(api.packages.create({ body: { ...body, trackingId: pkg.trackingId } })).rejects.toMatchObject({
    status: 409,
  });
  await expect(product.api().auth.login({ body: { email, password: 'wrong' + secret } })).rejects.toMatchObject({
    status: 401,
  });
  await expect(
    product.api().auth.register({ body: { name: 'Private Person', email, password: secret, role: 'owner' } }),
  ).rejects.toMatchObject({ status: 409 });
  const upload = await api.images.announce({ body: { name: 'private-photo.jpg', type: 'image/jpeg', size: 4 } });
  const { pathname, search } = new URL(upload.url, product.url);
  await fetch(product.url + pathname + search, { method: 'PUT', body: 'nope', headers: upload.headers });
  const broken = await fetch(`${product.url}/api/packages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"recipientContact": "${body.recipientContact}`,
  });
  expect(broken.status).toBe(400);
  await fetch(`${product.url}/api/packages?q=${encodeURIComponent(email)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await product.stop();

  const log = product.output();
  // The requests themselves are in it, by id and route.
  expect(log).toContain(broken.headers.get('x-request-id'));
  expect(log).toContain('/api/packages');
  const signature = new URLSearchParams(search).get('signature') ?? 'none';
  expect(signature).not.toBe('none');
  for (const secretText of [
    email,
    'private.person',
    secret,
    token,
    '99887766',
    'Hidden lane',
    'Secrettown',
    'Confidential',
    'private-photo',
    signature,
    pkg.trackingId,
  ])
    expect(log, secretText).not.toContain(secretText);
});
