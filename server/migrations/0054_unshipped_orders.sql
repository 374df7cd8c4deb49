-- serves 0.2.0
-- Rows of an import are left out for two reasons: their package is there already, or they are orders of which nothing is to be shipped.
alter table package_import_skips add column unshipped boolean not null default false;
