#!/bin/sh
# Runs once, when the container's PostgreSQL is empty. Waybill's role owns its database and has no other privileges on the server;
# the superuser `postgres` is for the operator.
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set "password=$WAYBILL_PASSWORD" <<'SQL'
create role waybill login password :'password';
create database waybill owner waybill;
SQL
