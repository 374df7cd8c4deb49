-- serves 0.2.0
-- Texts of messages that administrators have changed; without a row a text is the built-in one.
create table message_templates (
  -- Audience, event and variant.
  kind text not null,
  language text not null,
  subject text not null,
  paragraphs text[] not null,
  version integer not null default 1,
  updated_at timestamptz not null,
  primary key (kind, language)
);

-- Where answers to e-mails go.
alter table settings add column reply_address text;
