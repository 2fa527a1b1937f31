CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.bans (
    kind text NOT NULL,
    value text NOT NULL,
    made_ms bigint NOT NULL
);
CREATE TABLE public.log (
    number integer NOT NULL,
    n integer NOT NULL,
    seat integer NOT NULL,
    action integer NOT NULL,
    luck bytea NOT NULL,
    at_ms bigint NOT NULL,
    action_id text,
    epoch bigint NOT NULL,
    chain bytea NOT NULL
);
CREATE TABLE public.names (
    table_id text NOT NULL,
    seat integer NOT NULL,
    person text NOT NULL,
    name text NOT NULL
);
CREATE TABLE public.people (
    id text NOT NULL,
    name text NOT NULL,
    made_ms bigint NOT NULL,
    seen_ms bigint NOT NULL
);
CREATE TABLE public.secrets (
    table_id text NOT NULL,
    attempt integer NOT NULL,
    root bytea NOT NULL
);
CREATE TABLE public.tables (
    number integer NOT NULL,
    id text NOT NULL,
    game text NOT NULL,
    phase text NOT NULL,
    public boolean NOT NULL,
    host text NOT NULL,
    made_ms bigint NOT NULL,
    changed_ms bigint NOT NULL,
    epoch bigint NOT NULL,
    record bytea NOT NULL
);
CREATE SEQUENCE public.tables_number_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.tables_number_seq OWNED BY public.tables.number;
CREATE TABLE public.tokens (
    hash bytea NOT NULL,
    person text NOT NULL,
    made_ms bigint NOT NULL
);
ALTER TABLE ONLY public.tables ALTER COLUMN number SET DEFAULT nextval('public.tables_number_seq'::regclass);
INSERT INTO public.alembic_version VALUES ('0001');
INSERT INTO public.bans VALUES ('address', '192.0.2.7', 6);
INSERT INTO public.log VALUES (1, 1, 62, 7, '\x', 3, NULL, 1, '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
INSERT INTO public.log VALUES (1, 2, 0, 14, '\x00ff', 4, 'tap', 1, '\x0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO public.names VALUES ('k7q2m', 0, 'p1', 'Zoë');
INSERT INTO public.people VALUES ('p1', 'Zoë', 1, 5);
INSERT INTO public.secrets VALUES ('k7q2m', 0, '\x00726f6f74');
INSERT INTO public.tables VALUES (1, 'k7q2m', 'geier', 'playing', true, 'p1', 1, 2, 3, '\x7b226465616c223a7b227472616e736372697074223a22227d7d');
INSERT INTO public.tokens VALUES ('\x68617368', 'p1', 1);
SELECT pg_catalog.setval('public.tables_number_seq', 1, true);
ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.bans
    ADD CONSTRAINT bans_pk PRIMARY KEY (kind, value);
ALTER TABLE ONLY public.log
    ADD CONSTRAINT log_pk PRIMARY KEY (number, n);
ALTER TABLE ONLY public.names
    ADD CONSTRAINT names_pk PRIMARY KEY (table_id, seat);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pk PRIMARY KEY (id);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pk PRIMARY KEY (table_id, attempt);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_once UNIQUE (id);
ALTER TABLE ONLY public.tables
    ADD CONSTRAINT tables_pk PRIMARY KEY (number);
ALTER TABLE ONLY public.tokens
    ADD CONSTRAINT tokens_pk PRIMARY KEY (hash);
CREATE UNIQUE INDEX log_once ON public.log USING btree (number, action_id) WHERE (action_id IS NOT NULL);
CREATE INDEX names_by_person ON public.names USING btree (person);
CREATE INDEX tables_by_phase ON public.tables USING btree (phase);
CREATE INDEX tokens_by_person ON public.tokens USING btree (person);
