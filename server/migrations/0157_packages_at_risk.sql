-- serves 0.2.0
-- Packages on started routes that are expected after what was wished or due, while that is still to come. Written with the forecasts.
create table packages_at_risk (
  package_id uuid primary key,
  since timestamptz not null,
  expected_at timestamptz not null
);
