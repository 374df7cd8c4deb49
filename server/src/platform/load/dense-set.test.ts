import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DenseSet, type DenseSetMember } from './dense-set.ts';

test('has what a Set has after any sequence of additions and deletions, also while its members are gone through', () => {
  const act = fc.record({ act: fc.constantFrom('add', 'delete', 'delete half'), which: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const members: DenseSetMember[] = Array.from({ length: 10 }, () => ({ place: -1 }));
      const dense = new DenseSet<DenseSetMember>();
      const expected = new Set<DenseSetMember>();
      for (const { act: name, which } of acts) {
        const member = members[which] as DenseSetMember;
        if (name === 'add' && !expected.has(member)) {
          dense.add(member);
          expected.add(member);
        }
        if (name === 'delete') expect(dense.delete(member)).toBe(expected.delete(member));
        if (name === 'delete half')
          for (const [index, one] of dense.values().entries())
            if (index % 2 === 0) expect(dense.delete(one)).toBe(expected.delete(one));
        expect(new Set(dense.values())).toEqual(expected);
        expect(dense.values()).toHaveLength(expected.size);
        for (const one of members)
          expect([dense.has(one), one.place >= 0]).toEqual([expected.has(one), expected.has(one)]);
      }
    }),
  );
});

test('a member of one set is in no other', () => {
  const member: DenseSetMember = { place: -1 };
  const one = new DenseSet<DenseSetMember>();
  const other = new DenseSet<DenseSetMember>();
  one.add(member);
  other.add({ place: -1 });
  expect([one.has(member), other.has(member), other.delete(member)]).toEqual([true, false, false]);
});
