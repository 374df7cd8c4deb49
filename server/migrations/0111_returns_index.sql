-- serves 0.2.0
-- Waiting packages that no driver is offered: they go back to their owner, or are collected.
create index concurrently if not exists packages_held on packages (id)
  where status = 'processing' and (return_due or (next_step is not null and next_step = 'collect'));
-- Few, and counted with the figures of all time.
create index concurrently if not exists package_events_ended_otherwise on package_events (type, status)
  where type in ('package.returned', 'package.collected', 'delivery.reopened');
