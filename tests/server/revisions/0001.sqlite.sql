CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE bans (
	kind TEXT NOT NULL, 
	value TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	CONSTRAINT bans_pk PRIMARY KEY (kind, value)
);
INSERT INTO "bans" VALUES('address','192.0.2.7',6);
CREATE TABLE log (
	number INTEGER NOT NULL, 
	n INTEGER NOT NULL, 
	seat INTEGER NOT NULL, 
	action INTEGER NOT NULL, 
	luck BLOB NOT NULL, 
	at_ms BIGINT NOT NULL, 
	action_id TEXT, 
	epoch BIGINT NOT NULL, 
	chain BLOB NOT NULL, 
	CONSTRAINT log_pk PRIMARY KEY (number, n)
);
INSERT INTO "log" VALUES(1,1,62,7,X'',3,NULL,1,X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
INSERT INTO "log" VALUES(1,2,0,14,X'00FF',4,'tap',1,X'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE names (
	table_id TEXT NOT NULL, 
	seat INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	name TEXT NOT NULL, 
	CONSTRAINT names_pk PRIMARY KEY (table_id, seat)
);
INSERT INTO "names" VALUES('k7q2m',0,'p1','Zoë');
CREATE TABLE people (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	seen_ms BIGINT NOT NULL, 
	CONSTRAINT people_pk PRIMARY KEY (id)
);
INSERT INTO "people" VALUES('p1','Zoë',1,5);
CREATE TABLE secrets (
	table_id TEXT NOT NULL, 
	attempt INTEGER NOT NULL, 
	root BLOB NOT NULL, 
	CONSTRAINT secrets_pk PRIMARY KEY (table_id, attempt)
);
INSERT INTO "secrets" VALUES('k7q2m',0,X'00726F6F74');
CREATE TABLE tables (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	phase TEXT NOT NULL, 
	public BOOLEAN NOT NULL, 
	host TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	changed_ms BIGINT NOT NULL, 
	epoch BIGINT NOT NULL, 
	record BLOB NOT NULL, 
	CONSTRAINT tables_pk PRIMARY KEY (number), 
	CONSTRAINT tables_once UNIQUE (id)
);
INSERT INTO "tables" VALUES(1,'k7q2m','geier','playing',1,'p1',1,2,3,X'7B226465616C223A7B227472616E736372697074223A22227D7D');
CREATE TABLE tokens (
	hash BLOB NOT NULL, 
	person TEXT NOT NULL, 
	made_ms BIGINT NOT NULL, 
	CONSTRAINT tokens_pk PRIMARY KEY (hash)
);
INSERT INTO "tokens" VALUES(X'68617368','p1',1);
CREATE INDEX tables_by_phase ON tables (phase);
CREATE UNIQUE INDEX log_once ON log (number, action_id) WHERE action_id IS NOT NULL;
CREATE INDEX tokens_by_person ON tokens (person);
CREATE INDEX names_by_person ON names (person);
