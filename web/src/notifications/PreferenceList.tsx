import { fill } from '@waybill/contract';
import type { NotificationKind, NotificationPreference, NotificationPreferences, SlowChannel } from '@waybill/contract';
import { useSession } from '../platform/session.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import { classes } from '../ui/classes.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { TickBox } from '../ui/TickBox.tsx';
import { useSetPreference } from './queries.ts';
import { noticeTexts } from './texts.ts';

const byKind = (list: NotificationPreference[]) => new Map(list.map((one) => [one.kind, one]));

/** Every kind that the user can be notified of, in the app and by each other channel. A change is saved at once. */
export function PreferenceList({ preferences: { inApp, email, sms, push } }: { preferences: NotificationPreferences }) {
  const set = useSetPreference();
  const { choose: words, channels, by, kinds } = noticeTexts();
  const { user } = useSession();
  const phone = user?.phone ?? null;
  const columns: {
    channel: SlowChannel;
    title: string;
    label: string;
    choices: Map<NotificationKind, NotificationPreference>;
  }[] = [
    { channel: 'email', title: channels.email, label: by.email, choices: byKind(email) },
    { channel: 'sms', title: channels.sms, label: by.sms, choices: byKind(sms) },
    { channel: 'push', title: channels.push, label: by.push, choices: byKind(push) },
  ];
  const isReachable = (channel: SlowChannel) => channel !== 'sms' || phone !== null;
  // On phones a column of boxes that cannot be ticked would leave the words a third of the line.
  const roomOf = (channel: SlowChannel) => !isReachable(channel) && 'max-sm:hidden';
  return (
    <>
      <p className="pb-3 text-ui text-ink-2">
        {phone ? fill(words.smsTo, { phone }) : words.smsNone}{' '}
        <span className="whitespace-nowrap">
          <TextLink href="/account" roomy>
            {phone ? words.changeNumber : words.addNumber}
          </TextLink>
        </span>
        <span className="block">{words.pushNote}</span>
      </p>
      <p aria-hidden="true" className="flex items-end pb-2 text-table text-ink-3">
        <span className="grow">{channels['in-app']}</span>
        {columns.map(({ channel, title }) => (
          <span key={channel} className={classes('w-12 text-center', roomOf(channel))}>
            {title}
          </span>
        ))}
      </p>
      <ul className="divide-y divide-line border-t border-line">
        {inApp.map(({ kind, on, essential }) => (
          <li key={kind} className="flex items-start py-1">
            <div className="min-w-0 grow pe-2">
              <Checkbox
                label={kinds[kind].label}
                hint={essential ? `${kinds[kind].hint}. ${words.essential}` : kinds[kind].hint}
                checked={on}
                disabled={essential}
                onChange={(event) => set.mutate({ channel: 'in-app', kind, on: event.target.checked })}
              />
            </div>
            {columns.map(({ channel, label, choices }) => {
              const choice = choices.get(kind);
              return (
                <span
                  key={channel}
                  className={classes(
                    'mt-1 flex w-12 shrink-0 justify-center pointer-coarse:-mt-0.5 [&_input]:size-5 [&_svg]:size-4',
                    roomOf(channel),
                  )}
                >
                  {choice && (
                    <TickBox
                      label={`${label}: ${kinds[kind].label}`}
                      checked={choice.on}
                      disabled={choice.essential || !isReachable(channel)}
                      onToggle={() => set.mutate({ channel, kind, on: !choice.on })}
                    />
                  )}
                </span>
              );
            })}
          </li>
        ))}
      </ul>
    </>
  );
}
