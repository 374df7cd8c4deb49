#!/bin/sh
# Runs once, when the container's PostgreSQL is empty. Waybill owns its database and can do nothing else on the server:
# the superuser `postgres` stays for whoever runs it.
set -eu
psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set "password=$WAYBILL_PASSWORD" <<'SQL'
create role waybill login password :'password';
create database waybill owner waybill;
SQL
