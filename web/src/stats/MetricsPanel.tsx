import { useQuery } from '@tanstack/react-query';
import { DescriptionItem } from '../ui/DescriptionItem.tsx';
import { formatMinutes, formatRate, formatStars } from './figures.ts';
import { Denominator } from './Denominator.tsx';
import { Panel } from '../ui/Panel.tsx';
import { statsQuery } from './queries.ts';

/** All-time metrics. */
export function MetricsPanel() {
  return (
    <Panel
      title="Metrics"
      actions={<span className="text-table text-ink-3">All time</span>}
      query={useQuery(statsQuery())}
      loadingHeight="h-28"
    >
      {({ metrics, completedDeliveries }) => (
        <dl className="figures grid grid-cols-2 gap-4">
          <DescriptionItem name="Delivery Success Rate">
            {formatRate(completedDeliveries === 0 ? null : metrics.deliverySuccessRate)}
            <Denominator>of all packages but cancelled ones</Denominator>
          </DescriptionItem>
          <DescriptionItem name="Average Delivery Time">
            {formatMinutes(metrics.averageDeliveryTime)}
            <Denominator>from start to completion</Denominator>
          </DescriptionItem>
          <DescriptionItem name="On-Time Delivery Rate">
            {formatRate(metrics.onTimeDeliveryRate)}
            <Denominator>of all completed</Denominator>
          </DescriptionItem>
          <DescriptionItem name="Customer Satisfaction">
            {formatStars(metrics.customerSatisfaction)}
            <Denominator>of all ratings</Denominator>
          </DescriptionItem>
        </dl>
      )}
    </Panel>
  );
}
