/**
 * SQL condition: the package waits to be planned. Also one that failed on a started route, whose driver still has it: it is planned for
 * another day. Not one that its recipient collects.
 */
export const isWaiting = `packages.status = 'processing' and packages.next_step is distinct from 'collect'
  and (packages.route_id is null or packages.route_id not in (select routes.id from routes where routes.state = 'planned'))`;
