import { builtInRoles, permissions, rolePermissions, roles, type RoleInput } from '@waybill/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPackage,
  eventually,
  openTestProduct,
  password,
  watch,
  type TestProduct,
  type TestUser,
} from '../testing/test-product.ts';

let product: TestProduct;
let admin: TestUser;
beforeAll(async () => {
  product = await openTestProduct();
  admin = await product.register('admin');
});
afterAll(() => product.close());

let created = 0;
const make = (fields: Partial<RoleInput> = {}, by = admin) =>
  by.api.roles.create({ body: { name: `Role number ${++created}`, permissions: ['packages.read'], ...fields } });
const change = (id: string, body: object, by = admin) => by.api.roles.update({ params: { id }, body });
const give = (user: TestUser, body: object) => admin.api.users.update({ params: { id: user.id }, body });

describe('the built-in roles', () => {
  test('are listed first, with their descriptions and permissions', async () => {
    const listed = await admin.api.roles.list();
    expect(listed.slice(0, 3)).toEqual(
      roles.map((name) => ({
        id: builtInRoles[name].id,
        name,
        description: {
          owner: 'package owners who create and manage their packages',
          driver: 'delivery drivers who claim and complete deliveries',
          admin: 'system administrators with full access',
        }[name],
        permissions: rolePermissions[name],
        isActive: true,
        isBuiltIn: true,
        userCount: expect.any(Number) as number,
      })),
    );
  });

  test.each(roles)('%s can neither be deleted nor changed, and its name is reserved', async (name) => {
    const { id } = builtInRoles[name];
    await expect(admin.api.roles.remove({ params: { id } })).rejects.toMatchObject({ status: 409, code: 'conflict' });
    for (const body of [{ name: 'Else' }, { permissions: [] }, { isActive: false }])
      await expect(change(id, body)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    for (const copy of [name, name.toUpperCase()])
      await expect(make({ name: copy })).rejects.toMatchObject({ status: 409 });
    const { id: other } = await make();
    await expect(change(other, { name })).rejects.toMatchObject({ status: 409 });
  });
});

describe('a custom role', () => {
  test('has a unique name, and its permissions sorted and without duplicates', async () => {
    const role = await make({
      name: 'Dispatcher',
      permissions: ['deliveries.assign', 'packages.read', 'packages.read'],
    });
    expect(role).toEqual({
      id: role.id,
      name: 'Dispatcher',
      description: '',
      permissions: ['packages.read', 'deliveries.assign'],
      isActive: true,
      isBuiltIn: false,
      userCount: 0,
    });
    for (const name of ['Dispatcher', ' dispatcher '])
      await expect(make({ name })).rejects.toMatchObject({
        status: 409,
        fields: { name: 'There is a role of this name already' },
      });
    const { id } = await make();
    await expect(change(id, { name: 'DISPATCHER' })).rejects.toMatchObject({ status: 409 });
    // Sent back whole, only the fields that differ change.
    const renamed = await change(role.id, { ...role, name: 'dispatcher', description: 'Assigns' });
    expect(renamed).toEqual({ ...role, name: 'dispatcher', description: 'Assigns' });
    expect((await admin.api.roles.list()).find((listed) => listed.id === role.id)).toEqual(renamed);
    const twice = await Promise.allSettled([make({ name: 'Only once' }), make({ name: 'only ONCE' })]);
    expect(twice.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('replaces the built-in role of its holders, and is overridden by their own permission list', async () => {
    const role = await make({ permissions: ['packages.read', 'packages.create', 'admin.view_analytics'] });
    const user = await product.register('owner');
    const held = async () => {
      const { token } = await product.api().auth.login({ body: { email: user.email, password } });
      return (await product.api(token).users.me()).permissionsInForce;
    };
    expect(await give(user, { roleId: role.id })).toMatchObject({ role: 'owner', roleId: role.id, permissions: null });
    expect(await held()).toEqual(['packages.read', 'packages.create', 'admin.view_analytics']);
    await createPackage(user);
    await give(user, { permissions: ['users.read'] });
    expect(await held()).toEqual(['users.read']);
    await give(user, { permissions: null });
    expect(await held()).toEqual(role.permissions);
    expect(await give(user, { roleId: null })).toMatchObject({ role: 'owner', roleId: builtInRoles.owner.id });
    expect(await held()).toEqual(rolePermissions.owner);
    expect(await give(user, { roleId: builtInRoles.driver.id })).toMatchObject({
      role: 'driver',
      roleId: builtInRoles.driver.id,
    });
    await expect(give(user, { roleId: crypto.randomUUID() })).rejects.toMatchObject({ status: 422 });
  });

  test('grants nothing while it is inactive, and cannot be assigned then', async () => {
    const role = await make();
    const user = await product.register('admin');
    await give(user, { roleId: role.id });
    await change(role.id, { isActive: false });
    // The built-in role of administrators would grant everything.
    expect(await user.api.users.me()).toMatchObject({ roleId: role.id, permissionsInForce: [] });
    await expect(user.api.users.list()).rejects.toMatchObject({ status: 403 });
    await expect(give(await product.register('owner'), { roleId: role.id })).rejects.toMatchObject({
      status: 422,
      fields: { roleId: 'This role is not active' },
    });
    await change(role.id, { isActive: true });
    expect((await user.api.users.me()).permissionsInForce).toEqual(['packages.read']);
  });

  test('a change of it takes effect at once in every session and stream, on every server', async () => {
    const beside = await openTestProduct({ beside: product, runsJobs: false });
    const role = await make({ permissions: ['packages.read', 'packages.create'] });
    const user = await product.register('owner');
    await give(user, { roleId: role.id });
    const elsewhere = { ...user, api: beside.api(user.token) };
    await createPackage(elsewhere);
    const watchers = [await watch(product, '/live', user.token), await watch(beside, '/live', user.token)];
    await change(role.id, { permissions: ['packages.read'] });
    for (const watcher of watchers)
      await eventually('the stream comes back with the new rights', () => watcher.bye() === 'drain');
    for (const session of [user, elsewhere])
      await expect(createPackage(session)).rejects.toMatchObject({ status: 403 });
    await beside.close();
  });

  test('can be deleted only when nobody holds it', async () => {
    const role = await make();
    const user = await product.register('owner');
    await give(user, { roleId: role.id });
    const remove = () => admin.api.roles.remove({ params: { id: role.id } });
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      message: '1 user holds this role. Give them another one first.',
    });
    await give(user, { roleId: null });
    await remove();
    await expect(remove()).rejects.toMatchObject({ status: 404 });
    await expect(change(role.id, { name: 'Gone' })).rejects.toMatchObject({ status: 404 });
  });
});

test('nobody can put permissions into a role that they do not hold themselves', async () => {
  const helper = await product.register('admin');
  const refused = { status: 403, message: 'You cannot grant permissions that you do not hold yourself' };
  const full = await make({ permissions: [...permissions] });
  const off = await make({ permissions: ['users.delete'], isActive: false });
  await give(helper, { permissions: ['roles.create', 'roles.update', 'packages.read'] });
  await expect(make({ permissions: ['users.delete'] }, helper)).rejects.toMatchObject(refused);
  await expect(change(off.id, { isActive: true }, helper)).rejects.toMatchObject(refused);
  const own = await make({ permissions: ['packages.read'] }, helper);
  await expect(change(own.id, { permissions: ['packages.read', 'users.delete'] }, helper)).rejects.toMatchObject(
    refused,
  );
  // Permissions that the role already has are not granted again.
  await change(full.id, { description: 'Everything' }, helper);
  await change(off.id, { description: 'Later' }, helper);
});
